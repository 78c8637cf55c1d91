import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The direction in which a pallet moved. */
export const DIRECTIONS = ['LOAD', 'UNLOAD', 'OFFLOAD'] as const;
export const SCAN_OUTCOMES = [
  'LOADED',
  'UNLOADED',
  'OFFLOADED',
  'WRONGLY_LOADED',
  'UNKNOWN_LOADING',
  'NO_ACTIVE_MANIFEST',
] as const;

/** A scan of a camera, with the result that a repeat gets. Dates are epoch milliseconds. */
export const scan = sqliteTable(
  'scan',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The caller's id of the scan. */
    scanId: text('scan_id').notNull(),
    gateUuid: text('gate_uuid').notNull(),
    markerCode: integer('marker_code').notNull(),
    direction: text('direction', { enum: DIRECTIONS }).notNull(),
    damaged: integer('damaged').notNull(),
    scanDate: integer('scan_date').notNull(),
    cameraHardwareId: text('camera_hardware_id'),
    outcome: text('outcome', { enum: SCAN_OUTCOMES }).notNull(),
    recordUuid: text('record_uuid'),
    manifestExternalId: text('manifest_external_id'),
    trackIdentifier: text('track_identifier'),
    createDate: integer('create_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.scanId] })],
);
