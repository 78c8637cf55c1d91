import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** References to rows that have changed since they were copied. */
export const movedRow = sqliteTable(
  'moved_row',
  {
    organizationUuid: text('organization_uuid').notNull(),
    tableName: text('table_name').notNull(),
    rowKey: text('row_key').notNull(),
    position: integer('position').notNull(),
    changesCount: integer('changes_count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.tableName, table.rowKey] })],
);
