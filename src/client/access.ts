import { apiKeyAccess } from '../credential/authenticate.ts';
import type { Access } from '../http/declaration.ts';
import { type AppContext, principalOf } from '../http/types.ts';
import { refuse } from '../http/write.ts';

/** Refuse a request that has to do with clients unless the organization has them. */
export function requireClientFeature(c: AppContext): void {
  if (principalOf(c).organization.clientFeatureEnabled) return;
  refuse('clientFeatureRequired', 'Clients are not enabled for the organization.');
}

/** An API key of an organization that has clients. */
export const clientAccess: Access = {
  ...apiKeyAccess,
  errors: [...apiKeyAccess.errors, 'clientFeatureRequired'],
  async check(c) {
    await apiKeyAccess.check(c);
    requireClientFeature(c);
  },
};
