import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The direction in which a pallet moved. */
export const DIRECTIONS = ['LOAD', 'UNLOAD', 'OFFLOAD'] as const;
/** The outcomes of a reading. NOT_RECOGNIZED: its text is no pallet, no SSCC and no marker. */
export const SCAN_OUTCOMES = [
  'LOADED',
  'UNLOADED',
  'OFFLOADED',
  'WRONGLY_LOADED',
  'UNKNOWN_LOADING',
  'NO_ACTIVE_MANIFEST',
  'NOT_LOADED',
  'SUPERSEDED',
  'NOT_RECOGNIZED',
] as const;

/** A reading of a camera or hand scanner, with the result that a repeat gets. Dates are epoch milliseconds. */
export const scan = sqliteTable(
  'scan',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The caller's id of the scan, or its stored id if the caller uses the id again (`scan-rules.ts`). */
    scanId: text('scan_id').notNull(),
    gateUuid: text('gate_uuid').notNull(),
    /** The code of a marker. Null if the reading has a text instead. */
    markerCode: integer('marker_code'),
    /** The text of any label, as it was sent. */
    identifier: text('identifier'),
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
