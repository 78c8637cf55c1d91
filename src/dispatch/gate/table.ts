import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A gate where manifests are loaded. Dates are epoch milliseconds. */
export const gate = sqliteTable('gate', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  externalIdentifier: text('external_identifier').notNull(),
  name: text('name').notNull(),
  localManagerUuid: text('local_manager_uuid'),
  /** Its Global Location Number (GLN). */
  gln: text('gln'),
  /** The status in the last event about the gate. */
  toldStatus: text('told_status').notNull().default('AVAILABLE'),
  /** Folded texts that `q` searches. */
  foldedIdentifier: text('folded_identifier').notNull(),
  foldedName: text('folded_name').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});
