import { readsOf } from '../../../core/http/read.ts';
import { type StoredOrganization, settingsQuery } from '../../../core/writer/settings.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { requireRow } from '../../ui/page/resource.tsx';

/**
 * Read an organization from its own database.
 * @throws 404
 */
export const organizationOf = async ({ c }: PageContext, uuid: string): Promise<StoredOrganization> =>
  requireRow(await readsOf(c, uuid).all(settingsQuery(uuid)), 'organizationNotFound', uuid);
