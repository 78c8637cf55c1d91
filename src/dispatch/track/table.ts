import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A pallet: a WMS id that is coupled to a marker. Dates are epoch milliseconds. */
export const track = sqliteTable('track', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  wmsId: text('wms_id').notNull(),
  markerCode: integer('marker_code').notNull(),
  retirement: text('retirement', { enum: ['NONE', 'SCHEDULED', 'RETIRED'] }).notNull(),
  flagged: integer('flagged').$type<0 | 1>().notNull(),
  damaged: integer('damaged').$type<0 | 1>().notNull(),
  coupleDate: integer('couple_date').notNull(),
  retireDate: integer('retire_date'),
  lastSeenDate: integer('last_seen_date'),
  lastGateUuid: text('last_gate_uuid'),
  /**
   * JSON object: for each camera that changed the loading status of the pallet, the latest scanDate of such a scan.
   */
  cameraDates: text('camera_dates'),
  /** The client that owns the pallet. */
  clientUuid: text('client_uuid'),
  /** Folded text that `q` searches. */
  foldedWmsId: text('folded_wms_id').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

/** A comment on a track, with links to pictures or documents. */
export const trackComment = sqliteTable('track_comment', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  trackUuid: text('track_uuid').notNull(),
  additionalInfo: text('additional_info').notNull(),
  /** JSON array of `{link, fileName, description}`. */
  attachments: text('attachments').notNull(),
  /** Display name of the author. */
  author: text('author').notNull(),
  authorUuid: text('author_uuid'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});
