import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The loading states of a manifest's asset. */
export const ASSET_STATUSES = ['NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED'] as const;
/** The states of records that are no assets: a pallet that does not belong there, a marker nobody knows. */
export const INVALID_STATUSES = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'] as const;
/** The status of a loading record. */
export type LoadingStatus = (typeof ASSET_STATUSES)[number] | (typeof INVALID_STATUSES)[number];
/** Records by status; a status that no record has is absent. */
export type Tally = Partial<Record<LoadingStatus, number>>;

/** An asset of a manifest with its loading record, or an invalid loading there. Dates in epoch milliseconds. */
export const assetLoading = sqliteTable('asset_loading', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  manifestUuid: text('manifest_uuid').notNull(),
  wmsId: text('wms_id'),
  /** The code that was read, of an invalid loading. */
  markerCode: integer('marker_code'),
  loadingStatus: text('loading_status', { enum: [...ASSET_STATUSES, ...INVALID_STATUSES] }).notNull(),
  /** The track of a closed manifest's asset and of an invalid loading; that of an open asset is found by WMS id. */
  trackUuid: text('track_uuid'),
  gateUuid: text('gate_uuid'),
  loadingDate: integer('loading_date'),
  /** 1 once its manifest is closed or deleted: by that an index tells the open manifests of a pallet from others. */
  closed: integer('closed').notNull().default(0),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/**
 * Where the audit log tells of a change to a loading record whose manifest was closed before. A trigger of
 * `audit_record` keeps it.
 */
export const loadingCorrection = sqliteTable(
  'loading_correction',
  {
    organizationUuid: text('organization_uuid').notNull(),
    manifestUuid: text('manifest_uuid').notNull(),
    sequenceNumber: integer('sequence_number').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.manifestUuid, table.sequenceNumber] })],
);
