import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

import { LOAD_STATUSES } from '../shared/status-rules.ts';

/** Manifests that are dispatched together at one gate. Dates are epoch milliseconds. */
export const shipment = sqliteTable('shipment', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  externalIdentifier: text('external_identifier').notNull(),
  status: text('status', { enum: LOAD_STATUSES }).notNull(),
  gateUuid: text('gate_uuid'),
  notes: text('notes'),
  activateDate: integer('activate_date'),
  closeDate: integer('close_date'),
  /** The token in the URLs of a completed shipment's public pages; at least 128 random bits. */
  publicToken: text('public_token'),
  /** Folded texts that `q` searches. */
  foldedIdentifier: text('folded_identifier').notNull(),
  foldedNotes: text('folded_notes').notNull(),
  /** The reason that was given when it was completed: why pallets are missing. */
  shortReason: text('short_reason'),
  /** JSON of the names that its proof shows (`proofNames`). Null before its completion. */
  proofNames: text('proof_names'),
  /** The number of wrong pallets and unknown markers that were taken off. */
  caughtCount: integer('caught_count').notNull().default(0),
  /** When its truck arrived, and the name of the driver. */
  arrivalDate: integer('arrival_date'),
  driverName: text('driver_name'),
  /** The token of its driver's page; at least 128 random bits. Closed shipments have none. */
  driverToken: text('driver_token'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

/**
 * A shipment's manifests, in the order in which they were attached (rowid). The key allows a
 * manifest in one shipment only.
 */
export const shipmentManifest = sqliteTable(
  'shipment_manifest',
  {
    organizationUuid: text('organization_uuid').notNull(),
    manifestUuid: text('manifest_uuid').notNull(),
    shipmentUuid: text('shipment_uuid').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.manifestUuid] })],
);
