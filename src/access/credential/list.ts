import { sql } from 'drizzle-orm';
import { includeDeletedFilter, list } from '../../core/http/list.ts';
import { credentialView } from './store.ts';
import { type CredentialKind, tablesOf } from './table.ts';

/** Credentials of a kind: an organization's, or the operators'. */
export const credentialList = (kind: CredentialKind) => {
  const { name: table, credential } = tablesOf(kind);
  return list({
    table,
    view: credentialView(kind),
    sorting: {
      columns: {
        createDate: { expression: sql`${credential.createDate}`, stable: true },
        updateDate: { expression: sql`${credential.updateDate}`, stable: false },
        name: { expression: sql`${credential.name}`, stable: true },
        lastUsedDate: { expression: sql`${credential.lastUsedDate}`, stable: false },
      },
      default: { sortBy: 'createDate', direction: 'DESC' },
    },
    filters: { includeDeleted: includeDeletedFilter },
    rows: ({ organization }, { includeDeleted }) => ({
      conditions: [
        sql`${credential.organizationUuid} = ${organization}`,
        sql`kind = ${kind}`,
        includeDeleted ? undefined : sql`revoked_date IS NULL`,
      ],
    }),
  });
};
