import { sql } from 'drizzle-orm';
import { includeDeletedFilter, list } from '../http/list.ts';
import { totalOf } from '../http/list-statements.ts';
import { credentialView, type StoredCredential } from './store.ts';

/** The organization's credentials of a kind. */
export const credentialList = (kind: StoredCredential['kind']) =>
  list({
    table: 'credential',
    view: credentialView,
    sorting: {
      columns: {
        createDate: { expression: sql`credential.create_date`, stable: true },
        updateDate: { expression: sql`credential.update_date`, stable: false },
        name: { expression: sql`credential.name`, stable: true },
        lastUsedDate: { expression: sql`credential.last_used_date`, stable: false },
      },
      default: { sortBy: 'createDate', direction: 'DESC' },
    },
    filters: { includeDeleted: includeDeletedFilter },
    rows: ({ organization }, { includeDeleted }) => ({
      conditions: [
        sql`credential.organization_uuid = ${organization}`,
        sql`kind = ${kind}`,
        includeDeleted ? undefined : sql`revoked_date IS NULL`,
      ],
      count: includeDeleted ? undefined : totalOf(organization, `credential:${kind}`),
    }),
  });
