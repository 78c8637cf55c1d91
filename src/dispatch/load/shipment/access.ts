import { apiKeyAccess } from '../../../access/credential/authenticate.ts';
import type { Access } from '../../../core/http/declaration.ts';
import { principalOf } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';

/** Access with an API key. These routes exist only if the organization dispatches by shipment. */
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
