import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import type { Access } from '../../core/http/declaration.ts';
import { principalOf } from '../../core/http/types.ts';
import { refuse } from '../../core/http/write.ts';

/** Access for routes that exist only where the organization dispatches by shipment: an API key, and that strategy. */
export const shipmentAccess: Access = {
  ...apiKeyAccess,
  errors: [...apiKeyAccess.errors, 'shipmentStrategyRequired'],
  async check(c) {
    await apiKeyAccess.check(c);
    if (principalOf(c).organization.dispatchStrategy !== 'SHIPMENT') {
      refuse('shipmentStrategyRequired', 'The organization does not dispatch by shipment.');
    }
  },
};
