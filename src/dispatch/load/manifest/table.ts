import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { LOAD_STATUSES } from '../shared/status-rules.ts';
import { MANIFEST_FACTS } from './rules.ts';

/** A work order: pallets that are loaded together. Dates are epoch milliseconds. */
export const manifest = sqliteTable('manifest', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  externalIdentifier: text('external_identifier').notNull(),
  manifestStatus: text('manifest_status', { enum: LOAD_STATUSES }).notNull(),
  gateUuid: text('gate_uuid'),
  priority: text('priority', { enum: MANIFEST_FACTS.priority.choices }).notNull().default('NORMAL'),
  activateDate: integer('activate_date'),
  closeDate: integer('close_date'),
  /** The token in the URLs of a completed manifest's public pages; at least 128 random bits. */
  publicToken: text('public_token'),
  /** Folded text that `q` searches. */
  foldedIdentifier: text('folded_identifier').notNull(),
  /**
   * The number of its assets, and how many of them are LOADED. Triggers of `asset_loading` maintain
   * both.
   */
  assetsCount: integer('assets_count').notNull().default(0),
  loadedCount: integer('loaded_count').notNull().default(0),
  /** How often its loading records have changed. Triggers of `asset_loading` maintain it. */
  recordChanges: integer('record_changes').notNull().default(0),
  /** JSON of the names that its proof shows (`proofNames`). Null before its completion. */
  proofNames: text('proof_names'),
  /** Its back order, and the manifest that it is the back order of. Both may be in the archive, or deleted. */
  backOrderUuid: text('back_order_uuid'),
  backOrderOfUuid: text('back_order_of_uuid'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});
