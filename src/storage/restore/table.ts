import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Organizations whose nightly export is due, and when the job looks next (epoch milliseconds). */
export const nightlyExportDue = sqliteTable('nightly_export_due', {
  organizationUuid: text('organization_uuid').primaryKey(),
  dueDate: integer('due_date').notNull(),
  /** JSON of the export under way. */
  progress: text('progress'),
});
