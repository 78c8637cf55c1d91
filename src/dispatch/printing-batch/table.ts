import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const BATCH_STATUSES = ['CREATED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
/** The format that the printer of a batch needs. */
export const LABEL_FORMATS = ['PNG', 'PDF', 'ZPL'] as const;

/** A block of marker codes that a scanner prints as labels. Dates are epoch milliseconds. */
export const printingBatch = sqliteTable('printing_batch', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  scannerUuid: text('scanner_uuid').notNull(),
  /** The caller's identifier, unique among batches that are not deleted. */
  externalIdentifier: text('external_identifier'),
  /** Folded text that `q` searches. */
  foldedIdentifier: text('folded_identifier'),
  status: text('status', { enum: BATCH_STATUSES }).notNull(),
  labelFormat: text('label_format', { enum: LABEL_FORMATS }).notNull(),
  /** The block of codes. Both ends belong to it. */
  firstMarkerCode: integer('first_marker_code').notNull(),
  lastMarkerCode: integer('last_marker_code').notNull(),
  /** Set when the status becomes COMPLETED. */
  completeDate: integer('complete_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});
