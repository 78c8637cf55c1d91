import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text as textColumn } from 'drizzle-orm/sqlite-core';
import { deepLink } from '../../core/http/link.ts';
import { list } from '../../core/http/list.ts';
import { totalOf } from '../../core/http/list-statements.ts';
import { several, text } from '../../core/http/schema.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { type Viewed, type ViewRow, view, viewOf } from '../../core/lib/view.ts';
import type { EntityKind } from '../../log/event/store.ts';
import { gateQuery } from '../gate/store.ts';
import { manifestUuidOf } from '../load/manifest/store.ts';
import { IS_ASSET, trackOfRecord } from '../load/shared/asset-store.ts';
import { shipmentUuidOf } from '../load/shipment/store.ts';
import { authorName, presentAuthor, trackUuidOf } from '../track/store.ts';
import { CONTENT_TYPES, OWNER_TYPES, type OwnerType, PHOTO_KINDS, type PhotoReference } from './rules.ts';

/**
 * A photo. Its owner is a pallet, a manifest or a shipment. Its bytes are an object in the bucket. A photo never
 * changes. Dates are epoch milliseconds.
 */
export const photo = sqliteTable('photo', {
  uuid: textColumn('uuid').primaryKey(),
  organizationUuid: textColumn('organization_uuid').notNull(),
  ownerType: textColumn('owner_type', { enum: OWNER_TYPES }).notNull(),
  ownerUuid: textColumn('owner_uuid').notNull(),
  /** The WMS id of the pallet, or the external identifier. It stays when the owner moves to the archive. */
  ownerIdentifier: textColumn('owner_identifier').notNull(),
  kind: textColumn('kind', { enum: PHOTO_KINDS }).notNull(),
  /** The token of the public link. */
  publicToken: textColumn('public_token').notNull(),
  contentType: textColumn('content_type', { enum: CONTENT_TYPES }).notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  /** Bytes of the thumbnail, which follows the photo in its object. 0 without a thumbnail. */
  thumbnailBytes: integer('thumbnail_bytes').notNull().default(0),
  /** SHA-256 (hex) of the stored bytes. */
  sha256: textColumn('sha256').notNull(),
  /** Pixels, as the photo is shown. */
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  takenDate: integer('taken_date'),
  /** Display name of the author. Empty for a user: the current name is read. */
  author: textColumn('author').notNull(),
  authorUuid: textColumn('author_uuid'),
  createDate: integer('create_date').notNull(),
});

/** The path of public links to photos, before their token. */
export const PHOTO_LINK_PATH = '/public/photo';

/** The public URL of a photo. It works without a key as long as the photo exists. */
export const photoUrl = (origin: string, token: string): string => `${origin}${PHOTO_LINK_PATH}/${token}`;

/** The address of a small version of a photo on the same host. The photo itself is at the same path without the query. */
export const thumbnailPath = (token: string): string => `${PHOTO_LINK_PATH}/${token}?thumbnail=true`;

const photoView = view({
  uuid: photo.uuid,
  ownerType: photo.ownerType,
  ownerUuid: photo.ownerUuid,
  ownerIdentifier: photo.ownerIdentifier,
  kind: photo.kind,
  publicToken: photo.publicToken,
  contentType: photo.contentType,
  sizeBytes: photo.sizeBytes,
  thumbnailBytes: photo.thumbnailBytes,
  sha256: photo.sha256,
  width: photo.width,
  height: photo.height,
  takenDate: photo.takenDate,
  author: authorName(sql`photo`),
  createDate: photo.createDate,
});
export type StoredPhoto = Viewed<typeof photoView>;

/** A photo as the API shows it. */
export function presentPhoto(links: string, stored: StoredPhoto) {
  const { ownerType, ownerUuid } = stored;
  const createDate = isoDate(stored.createDate);
  return {
    uuid: stored.uuid,
    createDate,
    updateDate: createDate,
    deepLink: deepLink(links, ownerType.toLowerCase(), ownerUuid),
    kind: stored.kind,
    link: photoUrl(links, stored.publicToken),
    contentType: stored.contentType,
    sizeBytes: stored.sizeBytes,
    sha256: stored.sha256,
    width: stored.width,
    height: stored.height,
    takenDate: isoDateOrNull(stored.takenDate),
    author: presentAuthor(stored.author),
    ...referenceShown(stored),
  };
}

/** The identifier of the thing that a photo shows, under the name of its kind. The other names are null. */
export function referenceShown({ ownerType, ownerIdentifier }: StoredPhoto) {
  const identifierOf = (type: OwnerType): string | null => (ownerType === type ? ownerIdentifier : null);
  return {
    trackIdentifier: identifierOf('TRACK'),
    manifestExternalId: identifierOf('MANIFEST'),
    shipmentExternalId: identifierOf('SHIPMENT'),
  };
}

export const photoQuery = ({ organization }: Scope, uuid: string) =>
  sql<ViewRow<typeof photoView>>`SELECT ${photoView} AS view FROM photo
    WHERE photo.uuid = ${uuid.toLowerCase()} AND +photo.organization_uuid = ${organization}`;

/** The answer with a photo, evaluated after the writes of a commit. */
export const photoAnswer = viewOf(photoView, photo);

/** The uuid of a pallet, manifest or shipment that a caller names. */
const ownerUuidOf = (scope: Scope, { type, identifier }: PhotoReference): SQL =>
  ({ TRACK: trackUuidOf, MANIFEST: manifestUuidOf, SHIPMENT: shipmentUuidOf })[type](scope, identifier);

/** The number of photos of a pallet, manifest or shipment. */
export const photosCountQuery = (scope: Scope, reference: PhotoReference) =>
  sql<{ count: number }>`SELECT count(*) AS count FROM photo
    WHERE organization_uuid = ${scope.organization} AND owner_uuid = ${ownerUuidOf(scope, reference)}`;

/**
 * The photos of one pallet, manifest or shipment, oldest first. They are few (`PHOTOS_MAXIMUM`), so they are sorted:
 * along the index of dates, SQLite would walk over all photos.
 */
export const photosOfOwnerQuery = ({ organization }: Scope, ownerUuid: string) =>
  sql<ViewRow<typeof photoView>>`SELECT ${photoView} AS view FROM photo
    WHERE photo.organization_uuid = ${organization} AND photo.owner_uuid = ${ownerUuid}
    ORDER BY +photo.create_date, photo.uuid`;

interface PhotographedLoad {
  kind: 'SHIPMENT' | 'MANIFEST';
  uuid: string;
}

/**
 * The photos of a load, oldest first: its own photos, and the photos of its manifests and their pallets. Cancelled
 * manifests and pallets that do not belong on the load are left out. At most `limit` photos are read, after the first
 * `skip`.
 */
export const photosOfLoadQuery = (scope: Scope, load: PhotographedLoad, limit: number, skip = 0) =>
  sql<ViewRow<typeof photoView>>`${photosOfLoad(scope, load, sql`${photoView} AS view`)}
    ORDER BY photo.create_date, photo.uuid LIMIT ${limit}${skip > 0 ? sql` OFFSET ${skip}` : sql``}`;

/** The number of these photos. */
export const photosOfLoadCountQuery = (scope: Scope, load: PhotographedLoad) =>
  sql<{ total: number }>`${photosOfLoad(scope, load, sql`count(*) AS total`)}`;

/** Select from the photos of a load. Pallets are only searched if the organization has photos. */
function photosOfLoad({ organization }: Scope, load: PhotographedLoad, selected: SQL): SQL {
  const manifests =
    load.kind === 'MANIFEST'
      ? sql`SELECT ${load.uuid} AS uuid`
      : sql`SELECT s.manifest_uuid AS uuid FROM shipment_manifest s CROSS JOIN manifest m ON m.uuid = s.manifest_uuid
          WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = ${load.uuid}
            AND m.manifest_status <> 'CANCELLED'`;
  return sql`WITH member AS MATERIALIZED (${manifests})
    SELECT ${selected} FROM photo WHERE photo.uuid IN (
      SELECT p.uuid FROM photo p WHERE p.organization_uuid = ${organization} AND p.owner_uuid = ${load.uuid}
      UNION SELECT p.uuid FROM member CROSS JOIN photo p
        ON p.organization_uuid = ${organization} AND p.owner_uuid = member.uuid
      UNION SELECT p.uuid FROM member CROSS JOIN manifest ON manifest.uuid = member.uuid
        CROSS JOIN asset_loading a ON a.organization_uuid = ${organization} AND a.manifest_uuid = member.uuid
          AND a.${IS_ASSET}
        CROSS JOIN photo p ON p.organization_uuid = ${organization} AND p.owner_identifier = a.wms_id
          AND p.owner_uuid = ${trackOfRecord}
        WHERE (${totalOf(organization, 'photo')}) > 0)`;
}

/** How events describe photos. */
export const photoEntity: EntityKind = {
  type: 'PHOTO',
  data: (uuid) => sql`(SELECT ${photoView} FROM photo WHERE photo.uuid = ${uuid})`,
};

/**
 * Returns a row if the manifest or shipment is IN_PROGRESS at the gate. For a pallet, one of its manifests must be. A
 * WRONGLY_LOADED or UNKNOWN_LOADING record of this gate is also enough.
 */
export function atGateQuery(scope: Scope, reference: PhotoReference, gateIdentifier: string): SQL {
  const { organization } = scope;
  const uuid = ownerUuidOf(scope, reference);
  const gate = sql`(SELECT uuid FROM (${gateQuery(scope, gateIdentifier)}))`;
  const isInvalid = sql`a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')`;
  if (reference.type === 'TRACK') {
    return sql`SELECT 1 FROM track CROSS JOIN asset_loading a ON a.organization_uuid = ${organization}
        AND a.wms_id = track.wms_id CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
      WHERE track.uuid = ${uuid} AND m.deleted_date IS NULL AND iif(${isInvalid},
        a.track_uuid = track.uuid AND a.gate_uuid = ${gate},
        m.manifest_status = 'IN_PROGRESS' AND m.gate_uuid = ${gate}) LIMIT 1`;
  }
  if (reference.type === 'MANIFEST') {
    return sql`SELECT 1 FROM manifest WHERE uuid = ${uuid} AND manifest_status = 'IN_PROGRESS' AND gate_uuid = ${gate}
      UNION ALL SELECT 1 FROM asset_loading a WHERE a.organization_uuid = ${organization}
        AND a.manifest_uuid = ${uuid} AND ${isInvalid} AND a.gate_uuid = ${gate} LIMIT 1`;
  }
  return sql`SELECT 1 FROM shipment WHERE uuid = ${uuid} AND status = 'IN_PROGRESS' AND gate_uuid = ${gate}
    UNION ALL SELECT 1 FROM shipment_manifest s CROSS JOIN asset_loading a
      ON a.organization_uuid = s.organization_uuid AND a.manifest_uuid = s.manifest_uuid
      WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = ${uuid} AND ${isInvalid}
        AND a.gate_uuid = ${gate} LIMIT 1`;
}

const CREATED = sql`photo.create_date`;

export const photoList = list({
  table: 'photo',
  // A photo never changes. So its update date is its create date.
  columns: { key: sql`photo.uuid`, createDate: CREATED, updateDate: CREATED },
  view: photoView,
  sorting: {
    columns: { createDate: { expression: CREATED, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    kind: several(z.enum(PHOTO_KINDS)).optional(),
    trackIdentifier: several(text(1, 255)).optional().describe('Of any of these pallets, by WMS id or UUID'),
    manifestExternalId: several(text(1, 255))
      .optional()
      .describe('Of any of these manifests, by external id or UUID'),
    shipmentExternalId: several(text(1, 255))
      .optional()
      .describe('Of any of these shipments, by external id or UUID'),
  },
  rows(scope, { kind, trackIdentifier, manifestExternalId, shipmentExternalId }) {
    const { organization } = scope;
    return {
      conditions: [sql`photo.organization_uuid = ${organization}`],
      count: totalOf(organization, 'photo'),
      narrow: Boolean(trackIdentifier || manifestExternalId || shipmentExternalId),
      filtering: [
        kind && sql`photo.kind ${inList(kind)}`,
        trackIdentifier && ownedBy(scope, 'TRACK', trackIdentifier),
        manifestExternalId && ownedBy(scope, 'MANIFEST', manifestExternalId),
        shipmentExternalId && ownedBy(scope, 'SHIPMENT', shipmentExternalId),
      ],
    };
  },
});

/** The SQL condition that a photo belongs to one of these things. UNION, so that each half uses its own index. */
const ownedBy = (
  { organization }: Scope,
  type: OwnerType,
  identifiers: readonly string[],
): SQL => sql`photo.uuid IN
  (SELECT n.uuid FROM photo n WHERE n.organization_uuid = ${organization} AND n.owner_identifier ${inList(identifiers)}
    AND n.owner_type = ${type}
  UNION SELECT u.uuid FROM photo u WHERE u.organization_uuid = ${organization}
    AND u.owner_uuid ${inList(identifiers.map((identifier) => identifier.toLowerCase()))} AND u.owner_type = ${type})`;
