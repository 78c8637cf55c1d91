import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { kept } from '../lib/kept.ts';

/** A pallet: a WMS id coupled to a marker. Dates in epoch milliseconds. */
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
  /** The client whose pallet it is. */
  clientUuid: text('client_uuid'),
  /** Folded text that `q` is looked for in. */
  foldedWmsId: text('folded_wms_id').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

/** A remark on a track with links to pictures or documents. */
export const trackComment = sqliteTable('track_comment', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  trackUuid: text('track_uuid').notNull(),
  additionalInfo: text('additional_info').notNull(),
  /** JSON array of `{link, fileName, description}`. */
  attachments: text('attachments').notNull(),
  /** Display name of who wrote it. */
  author: text('author').notNull(),
  authorUuid: text('author_uuid'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
});

/** The timelines of tracks. A view: a trigger keeps what is inserted in `activity`. */
export const trackActivity = sqliteTable('track_activity', {
  uuid: text('uuid').notNull(),
  organizationUuid: text('organization_uuid').notNull(),
  trackUuid: text('track_uuid').notNull(),
  activityType: text('activity_type').notNull(),
  gateUuid: text('gate_uuid'),
  manifestExternalId: text('manifest_external_id'),
  shipmentExternalId: text('shipment_external_id'),
  /** Of the user who caused it; null where it was no user. */
  authorUuid: text('author_uuid'),
  /** Display name of who caused it; of a user its name of now, whatever is inserted. */
  author: text('author').notNull(),
  details: text('details'),
  /** The instant that the entry tells of. */
  createDate: integer('create_date').notNull(),
  /** When it was made. */
  updateDate: integer('update_date').notNull(),
});

/** An entry of a timeline as it is kept. */
export const activity = sqliteTable(
  'activity',
  {
    organizationNumber: integer('organization_number').notNull(),
    /** From 1, in the order in which entries of an organization were made. */
    number: integer('number').notNull(),
    trackUuid: kept('track_uuid').notNull(),
    uuid: kept('uuid').notNull(),
    activityType: text('activity_type').notNull(),
    activityDate: integer('activity_date').notNull(),
    /** Null where it is the activity's. */
    entryDate: integer('entry_date'),
    gateUuid: kept('gate_uuid'),
    manifestExternalId: text('manifest_external_id'),
    shipmentExternalId: text('shipment_external_id'),
    /** Empty where it is a user. */
    author: text('author').notNull(),
    authorUuid: kept('author_uuid'),
    details: text('details'),
  },
  (table) => [primaryKey({ columns: [table.organizationNumber, table.number] })],
);
