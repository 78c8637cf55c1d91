import { sql } from 'drizzle-orm';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { liveRows, searchCondition } from '../../core/http/list-statements.ts';
import { clientView } from './store.ts';

export const clientList = list({
  table: 'client',
  view: clientView,
  sorting: {
    columns: {
      displayName: { expression: sql`client.display_name`, stable: false },
      externalId: { expression: sql`client.external_id`, stable: false },
      createDate: { expression: sql`client.create_date`, stable: true },
      updateDate: { expression: sql`client.update_date`, stable: false },
    },
    default: { sortBy: 'displayName', direction: 'ASC' },
  },
  filters: { q: searchFilter.default('*'), includeDeleted: includeDeletedFilter },
  rows(scope, query) {
    return {
      ...liveRows(scope, 'client', query),
      filtering: [
        searchCondition([sql`client.folded_display_name`, sql`client.folded_external_id`], query.q),
      ],
    };
  },
});
