import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A message that a queue gave up on. Dates in epoch milliseconds. */
export const deadLetter = sqliteTable('dead_letter', {
  uuid: text('uuid').primaryKey(),
  /** The nil UUID for a message that names no organization. */
  organizationUuid: text('organization_uuid').notNull(),
  /** The kind of the queue, as in its name: `operation`. */
  queue: text('queue').notNull(),
  messageId: text('message_id').notNull(),
  /** JSON. */
  body: text('body').notNull(),
  reason: text('reason').notNull(),
  resendCount: integer('resend_count').notNull(),
  resendDate: integer('resend_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
