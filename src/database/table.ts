import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
