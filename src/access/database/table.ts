import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The operator's settings of databases, in `DB`. */
export const databaseSetting = sqliteTable('database_setting', {
  /** The name of its binding. */
  databaseName: text('database_name').primaryKey(),
  /** Whether it accepts new organizations. */
  open: integer('open').$type<0 | 1>().notNull(),
  updateDate: integer('update_date').notNull(),
});

/** The last measurement and the last complete turns of each database, in `DB`. Dates are epoch milliseconds. */
export const databaseMeasurement = sqliteTable('database_measurement', {
  databaseName: text('database_name').primaryKey(),
  measureDate: integer('measure_date'),
  sizeBytes: integer('size_bytes'),
  /** JSON array of the applied migrations; null if the database has no list of them. */
  migrations: text('migrations'),
  /** JSON of the counts for the metrics. */
  counts: text('counts'),
  /** The time of the last failure; null if the database answered since. */
  failureDate: integer('failure_date'),
  minuteDate: integer('minute_date'),
  dayDate: integer('day_date'),
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
