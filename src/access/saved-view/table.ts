import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A named query of a list, saved by a user. Dates are in epoch milliseconds. */
export const savedView = sqliteTable('saved_view', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  /** Path of the list's page. */
  list: text('list').notNull(),
  name: text('name').notNull(),
  /** Query of that page without the question mark. */
  query: text('query').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
