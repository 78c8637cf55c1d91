import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The number of rows of a list that are not deleted, maintained by triggers of the listed tables. */
export const listTotal = sqliteTable(
  'list_total',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The table of the list; where a table has several lists, with what tells them apart: `device:SCANNER`. */
    list: text('list').notNull(),
    /** A status, for lists that can be filtered by it; otherwise empty. */
    part: text('part').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.list, table.part] })],
);
