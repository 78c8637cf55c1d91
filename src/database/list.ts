import { sql } from 'drizzle-orm';
import { list } from '../http/list.ts';
import { inList } from '../lib/database.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { databaseView } from './store.ts';

const name = sql`database_setting.database_name`;

/** The databases that are bound, by their names. */
export const databaseList = list({
  table: 'database_setting',
  columns: {
    key: name,
    createDate: sql`database_setting.create_date`,
    updateDate: sql`database_setting.update_date`,
  },
  view: (_names: readonly string[]) => databaseView,
  sorting: {
    columns: { databaseName: { expression: name, stable: true } },
    default: { sortBy: 'databaseName', direction: 'ASC' },
  },
  filters: {},
  rows: ({ organization }, _, names: readonly string[]) => ({
    conditions: [sql`${organization} = ${NO_ORGANIZATION}`, sql`${name} ${inList(names)}`],
  }),
});
