import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The statuses of an asset. */
export const ASSET_STATUSES = ['NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED'] as const;
/**
 * The statuses of records that are not assets: a pallet that is on the wrong truck, or an unknown
 * marker.
 */
export const INVALID_STATUSES = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'] as const;
export type LoadingStatus = (typeof ASSET_STATUSES)[number] | (typeof INVALID_STATUSES)[number];

/** Whether a record is about a pallet that should not be there. */
export const isInvalid = ({ loadingStatus }: { loadingStatus: string }): boolean =>
  INVALID_STATUSES.some((status) => status === loadingStatus);
/** The number of records by status. A status without records is missing. */
export type Tally = Partial<Record<LoadingStatus, number>>;

/**
 * A record of a manifest: an asset with its loading status, or an invalid loading. Dates are epoch
 * milliseconds.
 */
export const assetLoading = sqliteTable('asset_loading', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  manifestUuid: text('manifest_uuid').notNull(),
  wmsId: text('wms_id'),
  /** The code that a camera read; only for invalid loadings. */
  markerCode: integer('marker_code'),
  loadingStatus: text('loading_status', { enum: [...ASSET_STATUSES, ...INVALID_STATUSES] }).notNull(),
  /**
   * The track of an invalid loading, or of an asset whose manifest is closed. An open asset finds
   * its track by WMS id.
   */
  trackUuid: text('track_uuid'),
  gateUuid: text('gate_uuid'),
  loadingDate: integer('loading_date'),
  /**
   * 1 if its manifest is closed or deleted. An index uses it to find the open manifests of a
   * pallet.
   */
  closed: integer('closed').notNull().default(0),
  /** For a pallet without a track: JSON of the last change of its status by each camera (`track.camera_dates`). */
  cameraDates: text('camera_dates'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/**
 * Audit records of corrections: changes after the completion of a load that its proof shows. A trigger of `log`, and
 * the commands of photos, insert them.
 */
export const loadingCorrection = sqliteTable(
  'loading_correction',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The shipment or manifest. */
    loadUuid: text('load_uuid').notNull(),
    sequenceNumber: integer('sequence_number').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.loadUuid, table.sequenceNumber] })],
);

export const SIGNER_ROLES = ['DRIVER', 'LOADER', 'CONSIGNEE'] as const;
export type SignerRole = (typeof SIGNER_ROLES)[number];

/** A signature on a load. It never changes. Dates are epoch milliseconds. */
export const signature = sqliteTable('signature', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  /** The shipment or manifest. */
  loadUuid: text('load_uuid').notNull(),
  /** From 1 for each load, in the order of the signatures. */
  number: integer('number').notNull(),
  role: text('role', { enum: SIGNER_ROLES }).notNull(),
  signerName: text('signer_name').notNull(),
  /** JSON of `Strokes`. */
  strokes: text('strokes').notNull(),
  signDate: integer('sign_date').notNull(),
  /** 1 if the load was completed before. Then a proof without this signature exists. */
  afterClose: integer('after_close').$type<0 | 1>().notNull(),
  /** Display name of the caller. Empty for a user. */
  author: text('author').notNull(),
  authorUuid: text('author_uuid'),
  /** JSON of `SignedFor`. */
  signedFor: text('signed_for').notNull().default('{}'),
  createDate: integer('create_date').notNull(),
});
