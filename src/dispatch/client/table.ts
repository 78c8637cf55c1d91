import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A customer whose pallets are dispatched. Dates are epoch milliseconds. */
export const client = sqliteTable('client', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  displayName: text('display_name').notNull(),
  externalId: text('external_id').notNull(),
  /** Folded names, unique among clients that are not deleted. `q` searches them. */
  foldedDisplayName: text('folded_display_name').notNull(),
  foldedExternalId: text('folded_external_id').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});
