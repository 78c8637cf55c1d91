import { PERSONAL } from '../../../../access/user/changes.ts';
import type { StoredAuditRecord } from '../../../../core/writer/audit-view.ts';
import { longChanges } from '../../../../core/writer/chain.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';

/** Whether the viewer may see the person that a record is about. */
export const mayBeSeen = (at: PageContext, { entityType }: StoredAuditRecord): boolean =>
  entityType !== 'USER' || at.may('seeUsers');

/**
 * A record as the viewer may see it. If the viewer may not see users, a record about a user has no
 * e-mail address, name or phone number.
 */
export function seenBy<R extends StoredAuditRecord>(at: PageContext, record: R): R {
  if (mayBeSeen(at, record)) return record;
  return {
    ...record,
    entityExternalId: at.words.t('audit.notShown'),
    changes: longChanges(record.changes).filter(({ field }) => !PERSONAL.includes(field)),
    identity: null,
  };
}
