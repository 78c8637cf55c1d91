import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Organizations in which retention has work to do, and when to check them next (epoch milliseconds). */
export const retentionDue = sqliteTable('retention_due', {
  organizationUuid: text('organization_uuid').primaryKey(),
  dueDate: integer('due_date').notNull(),
});
