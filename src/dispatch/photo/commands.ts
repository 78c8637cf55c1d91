import { type SQL, sql } from 'drizzle-orm';
import { taggedToken } from '../../core/lib/id.ts';
import { parseJson } from '../../core/lib/json.ts';
import { type MissingCode, missing, missingIn, named, quoted } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { entityKey } from '../../core/writer/audit-table.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type ChangePart, command, mergeChanges } from '../../core/writer/command.ts';
import { numberIn, numberOf } from '../../core/writer/numbers.ts';
import { emit } from '../../log/event/store.ts';
import { timeOrRefusal } from '../../pallet/device-time.ts';
import { addOrphan, freeOrphan, removeOrphans } from '../calibration/store.ts';
import { gateQuery } from '../gate/store.ts';
import { manifestStateQuery } from '../load/manifest/store.ts';
import { IS_ASSET } from '../load/shared/asset-store.ts';
import { shipmentStateQuery } from '../load/shipment/store.ts';
import { damagedTrackChange } from '../track/changes.ts';
import { type FoundTrack, trackStateQuery } from '../track/store.ts';
import { authorOf } from '../track/timeline-store.ts';
import { type OwnerType, PHOTOS_MAXIMUM, type PhotoKind, type PhotoReference, photoKey } from './rules.ts';
import {
  atGateQuery,
  photo,
  photoAnswer,
  photoEntity,
  photoQuery,
  photosCountQuery,
  type StoredPhoto,
} from './store.ts';

/**
 * Store the audit record of a photo as a correction of the completed loads that show it. These are its shipment, its
 * manifest, or the manifests of its pallet, and the shipments of such manifests. The record is already in the log.
 */
const photoCorrection = (
  scope: Scope,
  action: 'PHOTO_ADDED' | 'PHOTO_DELETED',
  { uuid, ownerUuid, ownerIdentifier }: Pick<StoredPhoto, 'uuid' | 'ownerUuid' | 'ownerIdentifier'>,
): SQL => sql`INSERT INTO loading_correction (organization_uuid, load_uuid, sequence_number)
  SELECT ${scope.organization}, d.value, ${numberIn(sql`g.id`)} + r.key FROM log_entity i CROSS JOIN log g ON g.id = i.log_id
  CROSS JOIN json_each(g.records) r ON r.value ->> 0 = ${action} AND r.value ->> 2 = ${uuid}
  CROSS JOIN (SELECT uuid FROM shipment WHERE uuid = ${ownerUuid} AND status = 'COMPLETED'
    UNION ALL SELECT uuid FROM manifest WHERE uuid = ${ownerUuid} AND manifest_status = 'COMPLETED'
    UNION ALL SELECT m.uuid FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
      WHERE a.organization_uuid = ${scope.organization} AND a.wms_id = ${ownerIdentifier} AND a.track_uuid = ${ownerUuid}
        AND m.manifest_status = 'COMPLETED' AND a.${IS_ASSET}) l
  CROSS JOIN json_each(json_array(l.uuid, (SELECT s.uuid FROM shipment_manifest h CROSS JOIN shipment s
    ON s.uuid = h.shipment_uuid AND s.status = 'COMPLETED'
    WHERE h.organization_uuid = ${scope.organization} AND h.manifest_uuid = l.uuid))) d
  WHERE i.organization_number = ${numberOf(scope)} AND i.entity_key = ${entityKey(uuid)} AND d.value IS NOT NULL
  ON CONFLICT DO NOTHING`;

/** A photo that will be added. Its object is in the bucket already. */
export interface NewPhoto {
  uuid: string;
  kind: PhotoKind;
  reference: PhotoReference;
  /** Epoch milliseconds; null if it is unknown. */
  takenDate: number | null;
  /**
   * Whether a `takenDate` that cannot be right becomes null instead of a refusal. A device that sends a queued photo
   * later cannot take it again.
   */
  isQueued?: true;
  /** The gate at which a device took the photo; null for other callers. */
  gateIdentifier: string | null;
  image: Pick<StoredPhoto, 'contentType' | 'sizeBytes' | 'thumbnailBytes' | 'sha256' | 'width' | 'height'>;
}

/** How requests and messages name the things that have photos. */
const NAMES: Readonly<Record<OwnerType, { field: string; missing: MissingCode; kind: string }>> = {
  TRACK: { field: 'trackIdentifier', missing: 'trackNotFound', kind: 'Track' },
  MANIFEST: { field: 'manifestExternalId', missing: 'manifestNotFound', kind: 'Manifest' },
  SHIPMENT: { field: 'shipmentExternalId', missing: 'shipmentNotFound', kind: 'Shipment' },
};

type OwnerRows = {
  tracks: readonly FoundTrack[];
  manifests: readonly { uuid: string; externalIdentifier: string }[];
  shipments: readonly { uuid: string; externalIdentifier: string }[];
};

/** The pallet, manifest or shipment from the rows of `addPhoto`. */
function ownerOf(type: OwnerType, { tracks: [track], manifests, shipments }: OwnerRows) {
  if (track) return { type, uuid: track.uuid, identifier: track.wmsId };
  const [found] = [...manifests, ...shipments];
  return found && { type, uuid: found.uuid, identifier: found.externalIdentifier };
}

/**
 * Add a photo of an uploaded object. The same commit removes the object from the list of orphans. A photo of kind
 * DAMAGE also flags its pallet as damaged.
 */
export const addPhoto = command('addPhoto', {
  ask({ scope, isRetry }, { uuid, reference, gateIdentifier }: NewPhoto) {
    const { type, identifier } = reference;
    const key = photoKey(scope.organization, uuid);
    return {
      tracks: type === 'TRACK' ? trackStateQuery(scope, identifier) : undefined,
      manifests: type === 'MANIFEST' ? manifestStateQuery(scope, identifier) : undefined,
      shipments: type === 'SHIPMENT' ? shipmentStateQuery(scope, identifier) : undefined,
      counts: photosCountQuery(scope, reference),
      gates: gateIdentifier === null ? undefined : gateQuery(scope, gateIdentifier),
      there: gateIdentifier === null ? undefined : atGateQuery(scope, reference, gateIdentifier),
      free: isRetry
        ? sql<{ objectKey: string | null }>`SELECT ${freeOrphan(scope, key)} AS "objectKey"`
        : undefined,
    };
  },
  decide(context, { uuid, kind, reference, takenDate: said, isQueued, gateIdentifier, image }, rows) {
    const { scope, actor, now, isRetry } = context;
    const { type } = reference;
    const owner = ownerOf(type, rows);
    const [gate] = rows.gates;
    if (gateIdentifier !== null && !gate) return missing('gateNotFound', gateIdentifier);
    if (!owner) return missingIn(NAMES[type].field, NAMES[type].missing, reference.identifier);
    const name = named(NAMES[type].kind, owner.identifier);
    if (gateIdentifier !== null && rows.there.length === 0) {
      return refusal(
        'notAtGate',
        `${name} is not being loaded at gate ${quoted(gate!.externalIdentifier)}.`,
        { facts: { name: owner.identifier, other: gate!.externalIdentifier } },
      );
    }
    const time =
      said === null ? null : timeOrRefusal({ field: 'takenDate', said, name, uuid: owner.uuid }, now);
    if (time !== null && typeof time !== 'number' && !isQueued) return time;
    const takenDate = typeof time === 'number' ? time : null;
    if (rows.counts[0]!.count >= PHOTOS_MAXIMUM[type]) {
      return refusal(
        'photoLimitReached',
        `${name} has ${PHOTOS_MAXIMUM[type]} photos. Delete a photo first.`,
        { facts: { name: owner.identifier, maximum: PHOTOS_MAXIMUM[type] } },
      );
    }
    const key = photoKey(scope.organization, uuid);
    if (isRetry && rows.free[0]?.objectKey == null) {
      return refusal('temporarilyUnavailable', 'The upload took too long. Upload the photo again.');
    }
    const { author, authorUuid } = authorOf(actor);
    const added: ChangePart = {
      writes: [
        // The uuid is NULL if the object is claimed for deletion. The column refuses NULL, so nothing is committed.
        sql`INSERT INTO photo (organization_uuid, uuid, owner_type, owner_uuid, owner_identifier, kind, public_token,
            content_type, size_bytes, thumbnail_bytes, sha256, width, height, taken_date, author, author_uuid, create_date)
          SELECT ${scope.organization}, iif(${freeOrphan(scope, key)} IS NULL, NULL, ${uuid}), ${type}, ${owner.uuid},
            ${owner.identifier}, ${kind}, ${taggedToken(scope.organization)}, ${image.contentType}, ${image.sizeBytes},
            ${image.thumbnailBytes}, ${image.sha256}, ${image.width}, ${image.height}, ${takenDate}, ${author}, ${authorUuid}, ${now}`,
        removeOrphans(scope, [key]),
        photoCorrection(scope, 'PHOTO_ADDED', {
          uuid,
          ownerUuid: owner.uuid,
          ownerIdentifier: owner.identifier,
        }),
      ],
      audit: [
        audited('PHOTO_ADDED', { uuid, identifier: owner.identifier }, [
          { field: 'kind', oldValue: null, newValue: kind },
          { field: NAMES[type].field, oldValue: null, newValue: owner.identifier },
          { field: 'sizeBytes', oldValue: null, newValue: image.sizeBytes },
          { field: 'sha256', oldValue: null, newValue: image.sha256 },
        ]),
      ],
      events: emit(context, 'PHOTO_ADDED', photoEntity, [{ uuid, externalIdentifier: owner.identifier }]),
    };
    const [track] = rows.tracks;
    const flagged = kind === 'DAMAGE' && track ? [damagedTrackChange(context, track, 'damageOnPhoto')] : [];
    return mergeChanges(photoAnswer(scope, uuid), [added, ...flagged]);
  },
});

/** Delete a photo. Its link ends with the commit. Its object becomes an orphan. */
export const deletePhoto = command('deletePhoto', {
  ask: ({ scope }, { uuid }: { uuid: string }) => ({ photos: photoQuery(scope, uuid) }),
  decide({ scope, now }, { uuid }, { photos: [row] }) {
    if (!row) return missing('photoNotFound', uuid);
    const found = parseJson(row.view);
    const objectKey = photoKey(scope.organization, found.uuid);
    const { kind, sha256, ownerType, ownerIdentifier } = found;
    return {
      writes: [
        scope.remove(photo, { uuids: [found.uuid] }),
        ...addOrphan(scope, objectKey, now),
        photoCorrection(scope, 'PHOTO_DELETED', found),
      ],
      audit: [
        audited('PHOTO_DELETED', { uuid: found.uuid, identifier: ownerIdentifier }, [
          { field: 'kind', oldValue: kind, newValue: null },
          { field: NAMES[ownerType].field, oldValue: ownerIdentifier, newValue: null },
          { field: 'sha256', oldValue: sha256, newValue: null },
        ]),
      ],
      answer: { value: { objectKey } },
    };
  },
});

const audited = auditing<{ uuid: string; identifier: string }>('PHOTO', ({ identifier }) => identifier);
