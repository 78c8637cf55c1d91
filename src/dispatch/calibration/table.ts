import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CALIBRATION_TYPES } from './rules.ts';

/**
 * A calibration file of a camera. Its bytes are an object in the bucket. Dates are epoch
 * milliseconds.
 */
export const calibration = sqliteTable('calibration', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  hardwareId: text('hardware_id').notNull(),
  type: text('calibration_type', { enum: CALIBRATION_TYPES }).notNull(),
  objectKey: text('object_key').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  /** SHA-256 (hex) of the bytes. */
  sha256: text('sha256').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** An orphan: an object that no file uses. It is being uploaded, or it will be deleted. */
export const calibrationOrphan = sqliteTable(
  'calibration_orphan',
  {
    organizationUuid: text('organization_uuid').notNull(),
    objectKey: text('object_key').notNull(),
    /** Epoch milliseconds. */
    createDate: integer('create_date').notNull(),
    /** When it was claimed for deletion, in epoch milliseconds. After that no file may use it. */
    claimedDate: integer('claimed_date'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.objectKey] })],
);
