import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The loading states of a manifest's asset. */
export const ASSET_STATUSES = ['NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED'] as const;
/** The states of records that are not assets: a pallet that does not belong there, or an unknown marker. */
export const INVALID_STATUSES = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'] as const;
/** The status of a loading record. */
export type LoadingStatus = (typeof ASSET_STATUSES)[number] | (typeof INVALID_STATUSES)[number];
/** The number of records by status; absent for a status without records. */
export type Tally = Partial<Record<LoadingStatus, number>>;

/** A record of a manifest: an asset with its loading state, or an invalid loading. Dates in epoch milliseconds. */
export const assetLoading = sqliteTable('asset_loading', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  manifestUuid: text('manifest_uuid').notNull(),
  wmsId: text('wms_id'),
  /** The code that was read; for invalid loadings only. */
  markerCode: integer('marker_code'),
  loadingStatus: text('loading_status', { enum: [...ASSET_STATUSES, ...INVALID_STATUSES] }).notNull(),
  /** The track of a closed manifest's asset or of an invalid loading; that of an open asset is found by WMS id. */
  trackUuid: text('track_uuid'),
  gateUuid: text('gate_uuid'),
  loadingDate: integer('loading_date'),
  /** 1 once its manifest is closed or deleted. By this column an index distinguishes the open manifests of a pallet. */
  closed: integer('closed').notNull().default(0),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/**
 * Audit records of changes to loading records after their manifest was closed. Maintained by a trigger of
 * `audit_record`.
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
