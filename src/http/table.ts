import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How many rows a list has that are not deleted; moved by triggers of the tables that are listed. */
export const listTotal = sqliteTable(
  'list_total',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The list's table; where it has several lists, with what tells them apart: `device:SCANNER`. */
    list: text('list').notNull(),
    /** A status, where the list is asked for by one; otherwise empty. */
    part: text('part').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.list, table.part] })],
);
