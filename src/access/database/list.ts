import { sql } from 'drizzle-orm';
import { list } from '../../core/http/list.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { boundFrom, databaseView } from './store.ts';

const name = sql`bound.database_name`;

/** The bound databases by name. */
export const databaseList = list({
  table: 'bound',
  columns: { key: name, createDate: sql`bound.create_date`, updateDate: sql`bound.update_date` },
  view: databaseView,
  sorting: {
    columns: { databaseName: { expression: name, stable: true } },
    default: { sortBy: 'databaseName', direction: 'ASC' },
  },
  filters: {},
  rows: ({ organization }, _, names: readonly string[]) => ({
    from: boundFrom(names),
    conditions: [sql`${organization} = ${NO_ORGANIZATION}`],
  }),
});
