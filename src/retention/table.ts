import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Organizations with work for retention, and when to check them next (epoch milliseconds). */
export const retentionDue = sqliteTable('retention_due', {
  organizationUuid: text('organization_uuid').primaryKey(),
  dueDate: integer('due_date').notNull(),
});
