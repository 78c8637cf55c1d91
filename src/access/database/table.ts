import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The operator's settings of databases, in `DB`. */
export const databaseSetting = sqliteTable('database_setting', {
  /** The name of its binding. */
  databaseName: text('database_name').primaryKey(),
  /** Whether it accepts new organizations. */
  open: integer('open').$type<0 | 1>().notNull(),
  updateDate: integer('update_date').notNull(),
});

/** Running exports, in the database of the organization. */
export const exportUnderWay = sqliteTable('export', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  /** When a page was last read; epoch milliseconds. */
  renewedDate: integer('renewed_date').notNull(),
});

/** Rows that have changed since an export began, with their values at its beginning. */
export const exportRow = sqliteTable(
  'export_row',
  {
    exportUuid: text('export_uuid').notNull(),
    organizationUuid: text('organization_uuid').notNull(),
    tableName: text('table_name').notNull(),
    position: integer('position').notNull(),
    rowKey: text('row_key').notNull(),
    /** JSONB array of its values; null if the row did not exist. */
    was: blob('was'),
  },
  (table) => [primaryKey({ columns: [table.exportUuid, table.tableName, table.rowKey] })],
);
