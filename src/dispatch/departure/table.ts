import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * When the departures of an organization are checked next (epoch milliseconds; 0 means at once). Changes bring the date
 * forward in their commit.
 */
export const departureDue = sqliteTable('departure_due', {
  organizationUuid: text('organization_uuid').primaryKey(),
  dueDate: integer('due_date').notNull(),
});
