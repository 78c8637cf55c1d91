import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A view of a list that a user has given a name. Dates in epoch milliseconds. */
export const savedView = sqliteTable('saved_view', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  userUuid: text('user_uuid').notNull(),
  /** Path of the list's page. */
  list: text('list').notNull(),
  name: text('name').notNull(),
  /** Query of that page, without its question mark. */
  query: text('query').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
