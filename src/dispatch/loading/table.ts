import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The direction in which a pallet moved. */
export const DIRECTIONS = ['LOAD', 'UNLOAD', 'OFFLOAD'] as const;
/** Outcomes in the column `outcome`. */
const FORMER_OUTCOMES = [
  'LOADED',
  'UNLOADED',
  'OFFLOADED',
  'WRONGLY_LOADED',
  'UNKNOWN_LOADING',
  'NO_ACTIVE_MANIFEST',
] as const;
/** Outcomes in the column `result`. */
const LATER_OUTCOMES = ['NOT_LOADED', 'SUPERSEDED'] as const;
export const SCAN_OUTCOMES = [...FORMER_OUTCOMES, ...LATER_OUTCOMES] as const;

/** A scan of a camera, with the result that a repeat gets. Dates are epoch milliseconds. */
export const scan = sqliteTable(
  'scan',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The caller's id of the scan, or its stored id if the caller uses the id again (`scan-id-rules.ts`). */
    scanId: text('scan_id').notNull(),
    gateUuid: text('gate_uuid').notNull(),
    markerCode: integer('marker_code').notNull(),
    direction: text('direction', { enum: DIRECTIONS }).notNull(),
    damaged: integer('damaged').notNull(),
    scanDate: integer('scan_date').notNull(),
    cameraHardwareId: text('camera_hardware_id'),
    outcome: text('outcome', { enum: FORMER_OUTCOMES }).notNull(),
    /** The outcome, if `outcome` cannot hold it; otherwise null. */
    result: text('result', { enum: LATER_OUTCOMES }),
    recordUuid: text('record_uuid'),
    manifestExternalId: text('manifest_external_id'),
    trackIdentifier: text('track_identifier'),
    createDate: integer('create_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.scanId] })],
);
