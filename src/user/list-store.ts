import { sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { userView } from './store.ts';

/** What the list can be sorted by. */
export const userSorting: Sorting<'createDate' | 'updateDate' | 'firstName' | 'lastName' | 'email'> = {
  columns: {
    createDate: { expression: sql`user.create_date`, stable: true },
    updateDate: { expression: sql`user.update_date`, stable: false },
    firstName: { expression: sql`user.first_name`, stable: false },
    lastName: { expression: sql`user.last_name`, stable: false },
    email: { expression: sql`user.email`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface UserFilters {
  role?: readonly string[] | undefined;
  q?: string | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function userSource(database: Scope, query: UserFilters) {
  const { organization } = database;
  return {
    from: sql`user`,
    table: 'user',
    conditions: [
      sql`user.organization_uuid = ${organization}`,
      query.includeDeleted ? undefined : sql`user.deleted_date IS NULL`,
    ],
    count: query.includeDeleted ? undefined : totalOf(organization, 'user'),
    filters: [
      query.role &&
        sql`user.authority_uuid IN (SELECT uuid FROM authority WHERE organization_uuid = ${organization}
          AND authority_name ${inList(query.role)})`,
      searchCondition(
        [sql`user.folded_first_name`, sql`user.folded_last_name`, sql`user.folded_email`],
        query.q,
      ),
    ],
    view: userView,
    sorting: userSorting,
  };
}
