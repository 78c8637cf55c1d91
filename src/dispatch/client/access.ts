import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import type { Access } from '../../core/http/declaration.ts';
import { type AppContext, principalOf } from '../../core/http/types.ts';
import { refuse } from '../../core/http/write.ts';

/** Refuse requests about clients if the organization does not use clients. */
export function requireClientFeature(c: AppContext): void {
  if (principalOf(c).organization.clientFeatureEnabled) return;
  refuse('clientFeatureRequired', 'The organization does not use clients.');
}

/** Access with an API key of an organization that uses clients. */
export const clientAccess: Access = {
  ...apiKeyAccess,
  errors: [...apiKeyAccess.errors, 'clientFeatureRequired'],
  async check(c) {
    await apiKeyAccess.check(c);
    requireClientFeature(c);
  },
};
