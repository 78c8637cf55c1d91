import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The number of rows of a list that are not deleted. Triggers of the listed tables maintain it. */
export const listTotal = sqliteTable(
  'list_total',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The table of the list. If a table has several lists, also the kind: `device:SCANNER`. */
    list: text('list').notNull(),
    /** A status, if the list has a filter by status; otherwise empty. */
    part: text('part').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.list, table.part] })],
);
