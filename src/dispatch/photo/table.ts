import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { CONTENT_TYPES, OWNER_TYPES, PHOTO_KINDS } from './rules.ts';

/**
 * A photo. Its owner is a pallet, a manifest or a shipment. Its bytes are an object in the bucket. A photo never
 * changes. Dates are epoch milliseconds.
 */
export const photo = sqliteTable('photo', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  ownerType: text('owner_type', { enum: OWNER_TYPES }).notNull(),
  ownerUuid: text('owner_uuid').notNull(),
  /** The WMS id of the pallet, or the external identifier. It stays when the owner moves to the archive. */
  ownerIdentifier: text('owner_identifier').notNull(),
  kind: text('kind', { enum: PHOTO_KINDS }).notNull(),
  /** The token of the public link. */
  publicToken: text('public_token').notNull(),
  contentType: text('content_type', { enum: CONTENT_TYPES }).notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  /** Bytes of the thumbnail, which follows the photo in its object. 0 without a thumbnail. */
  thumbnailBytes: integer('thumbnail_bytes').notNull().default(0),
  /** SHA-256 (hex) of the stored bytes. */
  sha256: text('sha256').notNull(),
  /** Pixels, as the photo is shown. */
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  takenDate: integer('taken_date'),
  /** Display name of the author. Empty for a user: the current name is read. */
  author: text('author').notNull(),
  authorUuid: text('author_uuid'),
  createDate: integer('create_date').notNull(),
});
