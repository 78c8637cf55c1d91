import { sql } from 'drizzle-orm';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { liveRows, searchCondition } from '../../core/http/list-statements.ts';
import { several, text } from '../../core/http/schema.ts';
import { inList } from '../../core/lib/sql.ts';
import { userView } from './store.ts';

/** The organization's users. */
export const userList = list({
  table: 'user',
  view: userView,
  sorting: {
    columns: {
      createDate: { expression: sql`user.create_date`, stable: true },
      updateDate: { expression: sql`user.update_date`, stable: false },
      firstName: { expression: sql`user.first_name`, stable: false },
      lastName: { expression: sql`user.last_name`, stable: false },
      email: { expression: sql`user.email`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    role: several(text(1, 100)).optional().describe('Users with any of these authorities, by authorityName'),
    q: searchFilter,
    includeDeleted: includeDeletedFilter,
  },
  rows(scope, query) {
    return {
      ...liveRows(scope, 'user', query),
      filtering: [
        query.role &&
          sql`user.authority_uuid IN (SELECT uuid FROM authority WHERE organization_uuid = ${scope.organization}
          AND authority_name ${inList(query.role)})`,
        searchCondition(
          [
            sql`user.folded_first_name`,
            sql`user.folded_last_name`,
            sql`user.folded_email`,
            sql`lower(user.email)`,
          ],
          query.q,
        ),
      ],
    };
  },
});
