import { blob, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Whose secrets and tokens without a routing tag are, of organizations that have left `DB`. */
export const untaggedSecret = sqliteTable('untagged_secret', {
  /** The hash where a hash is what is kept, else the token. */
  secret: text('secret').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
});

/** What the operator has said of databases, in `DB`. Dates in epoch milliseconds. */
export const databaseSetting = sqliteTable('database_setting', {
  /** The name of its binding. */
  databaseName: text('database_name').primaryKey(),
  /** Whether organizations are given a place in it. */
  open: integer('open').$type<0 | 1>().notNull(),
  updateDate: integer('update_date').notNull(),
});

/** Exports that are under way, in the database that the organization lives in. */
export const exportUnderWay = sqliteTable('export', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  /** When it last took a page; epoch milliseconds. */
  renewedDate: integer('renewed_date').notNull(),
});

/** Rows as they were when an export began, of those that have changed since. */
export const exportRow = sqliteTable('export_row', {
  exportUuid: text('export_uuid').notNull(),
  organizationUuid: text('organization_uuid').notNull(),
  tableName: text('table_name').notNull(),
  position: integer('position').notNull(),
  rowKey: text('row_key').notNull(),
  /** JSONB array of its columns; null where it was not there. */
  was: blob('was'),
});
