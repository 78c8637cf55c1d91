import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The states of a manifest. */
export const MANIFEST_STATUSES = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;

/** A work order that groups assets for loading. Dates in epoch milliseconds. */
export const manifest = sqliteTable('manifest', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  externalIdentifier: text('external_identifier').notNull(),
  manifestStatus: text('manifest_status', { enum: MANIFEST_STATUSES }).notNull(),
  gateUuid: text('gate_uuid'),
  activateDate: integer('activate_date'),
  closeDate: integer('close_date'),
  /** Names the public pages of a completed manifest; at least 128 random bits. */
  publicToken: text('public_token'),
  /** Folded text that `q` is looked for in. */
  foldedIdentifier: text('folded_identifier').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

/** The loading states of a manifest's asset. */
export const ASSET_STATUSES = ['NOT_LOADED', 'LOADED', 'UNLOADED', 'OFFLOADED'] as const;
/** The states of records that are no assets: a pallet that does not belong there, a marker nobody knows. */
export const INVALID_STATUSES = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'] as const;

/** An asset of a manifest with its loading record. Dates in epoch milliseconds. */
export const assetLoading = sqliteTable('asset_loading', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  manifestUuid: text('manifest_uuid').notNull(),
  wmsId: text('wms_id'),
  loadingStatus: text('loading_status', { enum: [...ASSET_STATUSES, ...INVALID_STATUSES] }).notNull(),
  /** The track of a closed manifest's asset; that of an open one is found by its WMS id. */
  trackUuid: text('track_uuid'),
  gateUuid: text('gate_uuid'),
  loadingDate: integer('loading_date'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
