import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Whose secrets and tokens without a routing tag are, of organizations that have left `DB`. */
export const untaggedSecret = sqliteTable('untagged_secret', {
  /** The hash where a hash is what is kept, else the token. */
  secret: text('secret').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
});

/** What `DB` knows of the databases of the service. Dates in epoch milliseconds. */
export const databaseSetting = sqliteTable('database_setting', {
  /** The name of its binding. */
  databaseName: text('database_name').primaryKey(),
  /** Whether organizations are given a place in it. */
  open: integer('open').$type<0 | 1>().notNull(),
  /** As it was measured last; null where it never answered. */
  sizeBytes: integer('size_bytes'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
