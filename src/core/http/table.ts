import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The number of rows of a list that are not deleted. Triggers of the listed tables maintain it. */
export const listPart = sqliteTable(
  'list_part',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The table of the list. If a table has several lists, also the kind: `device:SCANNER`. */
    list: text('list').notNull(),
    /** JSON object: the number of rows by status, if the list has a filter by status; otherwise by an empty text. */
    parts: text('parts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.list] })],
);
