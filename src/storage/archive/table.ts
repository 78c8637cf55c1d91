import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The kinds of archive entries. */
export const ARCHIVED_TYPES = ['MANIFEST', 'SHIPMENT'] as const;
/** The kinds of archive objects. */
export const OBJECT_KINDS = ['DOCUMENT', 'RECORDS', 'TRACKS'] as const;

/** A manifest or shipment in the archive, with the uuid that it had. Dates in epoch milliseconds. */
export const archiveEntry = sqliteTable('archive_entry', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  entityType: text('entity_type', { enum: ARCHIVED_TYPES }).notNull(),
  externalIdentifier: text('external_identifier').notNull(),
  /** Folded text that `q` is looked for in. */
  foldedIdentifier: text('folded_identifier').notNull(),
  publicToken: text('public_token'),
  /** The unit it was archived with: the shipment of a manifest, else itself. */
  unitUuid: text('unit_uuid').notNull(),
  /** The index of its document in the unit. */
  place: integer('place').notNull(),
  /** The index of its first loading record in the unit. */
  firstRecord: integer('first_record').notNull(),
  /** 0 while rows of it are left in the database, which nothing shows any more. */
  cleared: integer('cleared').$type<0 | 1>().notNull(),
  closeDate: integer('close_date').notNull(),
  archiveDate: integer('archive_date').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  deletedDate: integer('deleted_date'),
});

/** An object in the bucket. */
export const archiveObject = sqliteTable(
  'archive_object',
  {
    organizationUuid: text('organization_uuid').notNull(),
    unitUuid: text('unit_uuid').notNull(),
    kind: text('kind', { enum: OBJECT_KINDS }).notNull(),
    place: integer('place').notNull(),
    objectKey: text('object_key').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** SHA-256 of its bytes, hexadecimal. */
    sha256: text('sha256').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.unitUuid, table.kind, table.place] })],
);

/** Marker codes of archived pallets, which are never coupled again. */
export const archivedMarker = sqliteTable(
  'archived_marker',
  {
    organizationUuid: text('organization_uuid').notNull(),
    markerCode: integer('marker_code').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.markerCode] })],
);
