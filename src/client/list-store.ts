import { sql } from 'drizzle-orm';
import { searchCondition } from '../http/list.ts';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import type { Scope } from '../lib/database.ts';
import { clientView } from './store.ts';

/** What the list can be sorted by. */
export const clientSorting: Sorting<'displayName' | 'externalId' | 'createDate' | 'updateDate'> = {
  columns: {
    displayName: { expression: sql`client.display_name`, stable: false },
    externalId: { expression: sql`client.external_id`, stable: false },
    createDate: { expression: sql`client.create_date`, stable: true },
    updateDate: { expression: sql`client.update_date`, stable: false },
  },
  default: { sortBy: 'displayName', direction: 'ASC' },
};

/** What the list can be filtered by. */
export interface ClientFilters {
  q?: string | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function clientSource(database: Scope, query: ClientFilters) {
  const { organization } = database;
  return {
    from: sql`client`,
    table: 'client',
    conditions: [
      sql`client.organization_uuid = ${organization}`,
      query.includeDeleted ? undefined : sql`client.deleted_date IS NULL`,
    ],
    count: query.includeDeleted ? undefined : totalOf(organization, 'client'),
    filters: [searchCondition([sql`client.folded_display_name`, sql`client.folded_external_id`], query.q)],
    view: clientView,
    sorting: clientSorting,
  };
}
