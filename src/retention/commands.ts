import { type SQL, sql } from 'drizzle-orm';
import { type Refusal, refusal } from '../core/lib/problem.ts';
import type { Scope, Write } from '../core/lib/scope.ts';
import { inList } from '../core/lib/sql.ts';
import type { AuditEntry } from '../core/writer/chain.ts';
import { command, mergeChanges } from '../core/writer/command.ts';
import { resolvedAlertsChange } from '../dispatch/alert/changes.ts';
import { removeOrphans } from '../dispatch/calibration/store.ts';
import { customField } from '../dispatch/custom-field/store.ts';
import { manifest } from '../dispatch/load/manifest/table.ts';
import { assetLoading, signature } from '../dispatch/load/shared/table.ts';
import { shipmentUpdateDate } from '../dispatch/load/shipment/store.ts';
import { shipment, shipmentManifest } from '../dispatch/load/shipment/table.ts';
import { track, trackComment } from '../dispatch/track/table.ts';
import { archivedMarker, archiveObject } from '../storage/archive/table.ts';
import { type CopiedLoad, type CopiedTracks, retainedSince, type WrittenObject } from './rules.ts';
import {
  askLoad,
  dueLoadQuery,
  freeQuery,
  type LeavingTrack,
  type LoadPart,
  leavingQuery,
  loadFingerprintOf,
  shortAlertsQuery,
  tracksFingerprint,
} from './store.ts';

const changed = (): Refusal =>
  refusal(
    'preconditionFailed',
    'The shipment or manifest has changed since it was copied, or must not be archived.',
  );

/**
 * Move a copied unit (a shipment with its manifests, or a manifest without a shipment) into the archive. From now
 * on its archive entries are shown, and its manifests and shipment are
 * deleted from the database. The copy must match the current state, and the unit must be due. Alerts that it was completed
 * short are resolved, because nobody can act on them any more. Loading records and tracks are deleted later, in pieces. Nothing shows a record without a manifest.
 */
export const archiveLoad = command('archiveLoad', {
  ask: ({ scope, organization, now }, { load: unit, objects }: CopiedLoad) => ({
    ...askLoad(scope, unit),
    due: dueLoadQuery(scope, unit, retainedSince(organization?.retentionDays, now)),
    free: freeQuery(scope, objects),
    short: shortAlertsQuery(scope, unit),
  }),
  decide(context, { load: unit, fingerprint, entries, objects }, { due, free, short, ...state }) {
    const { scope, now } = context;
    if (due.length === 0 || free.length < objects.length || loadFingerprintOf(state) !== fingerprint) {
      return changed();
    }
    const { shipments, manifests } = state;
    const uuids = manifests.map(({ uuid }) => uuid);
    const named = JSON.stringify(entries);
    const archiving = {
      writes: [
        ...takeObjects(scope, unit.uuid, objects),
        ...(['shipment', 'manifest'] as const).map((table) =>
          addEntries(scope, table, unit.uuid, named, now),
        ),
        scope.remove(shipmentManifest, sql`shipment_uuid = ${unit.uuid}`),
        scope.remove(signature, sql`load_uuid ${inList([unit.uuid, ...uuids])}`),
        scope.remove(manifest, { uuids }),
        scope.remove(shipment, { uuids: [unit.uuid] }),
      ],
      audit: [
        ...shipments.map((part) => archived('SHIPMENT', part)),
        ...manifests.map((part) => archived('MANIFEST', part)),
      ],
    };
    return mergeChanges({ value: {} }, [archiving, resolvedAlertsChange(context, short)]);
  },
  exclusive: true,
});

const archived = (entityType: 'SHIPMENT' | 'MANIFEST', part: LoadPart): AuditEntry => ({
  action: `${entityType}_ARCHIVED`,
  entityType,
  entityUuid: part.uuid,
  entityExternalId: part.externalIdentifier,
  changes: [{ field: 'archived', oldValue: false, newValue: true }],
});

/** Create archive entries for the rows of a table with these uuids. */
const addEntries = (
  { organization }: Scope,
  table: 'shipment' | 'manifest',
  unitUuid: string,
  entries: string,
  now: number,
): Write => sql`INSERT INTO archive_entry (uuid, organization_uuid, entity_type, external_identifier, folded_identifier,
    public_token, unit_uuid, place, first_record, cleared, close_date, archive_date, create_date, update_date, deleted_date)
  SELECT h.uuid, h.organization_uuid, ${table.toUpperCase()}, h.external_identifier, h.folded_identifier,
    h.public_token, ${unitUuid}, each.value ->> 'place', each.value ->> 'firstRecord', 0, h.close_date, ${now},
    h.create_date, ${table === 'shipment' ? sql`(SELECT ${shipmentUpdateDate} FROM shipment WHERE shipment.uuid = h.uuid)` : sql`h.update_date`}, h.deleted_date
  FROM json_each(${entries}) each CROSS JOIN ${sql.raw(table)} h ON h.uuid = each.value ->> 'uuid'
  WHERE h.organization_uuid = ${organization}`;

/** Exports under way. They read timelines in place, so timelines must not be deleted during an export. */
const exportsQuery = ({ organization }: Scope): SQL =>
  sql`SELECT 1 FROM export WHERE organization_uuid = ${organization}`;

/**
 * Add objects to the archive. If an object is about to be deleted, the UPDATE sets its key to NULL, which the
 * column refuses. Then nothing is committed.
 */
const takeObjects = (scope: Scope, unitUuid: string, objects: readonly WrittenObject[]): Write[] => [
  ...scope.insert(
    archiveObject,
    objects.map((object) => ({ ...object, unitUuid })),
  ),
  sql`UPDATE archive_object SET object_key = (SELECT o.object_key FROM calibration_orphan o
      WHERE o.organization_uuid = archive_object.organization_uuid AND o.object_key = archive_object.object_key
        AND o.claimed_date IS NULL)
    WHERE organization_uuid = ${scope.organization} AND unit_uuid = ${unitUuid}
      AND object_key ${inList(objects.map(({ objectKey }) => objectKey))}`,
  removeOrphans(
    scope,
    objects.map(({ objectKey }) => objectKey),
  ),
];

/**
 * Move tracks into the archive, and delete loading records of an archived manifest. Only tracks that nothing else
 * refers to are moved. The copy must match the current state.
 */
export const archiveTracks = command('archiveTracks', {
  ask: ({ scope }, { of: { uuid, unitUuid }, recordUuids, object }: CopiedTracks) => ({
    leaving: leavingQuery(scope, recordUuids),
    records: sql`SELECT 1 FROM asset_loading WHERE uuid ${inList(recordUuids)} AND manifest_uuid = ${uuid}
      AND +organization_uuid = ${scope.organization}`,
    free: freeQuery(scope, [{ ...object, kind: 'TRACKS', place: 0 }]),
    exports: exportsQuery(scope),
    places: sql<{ place: number }>`SELECT coalesce(max(place) + 1, 0) AS place FROM archive_object
      WHERE organization_uuid = ${scope.organization} AND unit_uuid = ${unitUuid} AND kind = 'TRACKS'`,
  }),
  decide({ scope }, { of, recordUuids, fingerprint, object }, { leaving, records, free, places, exports }) {
    const isSame = records.length === recordUuids.length && tracksFingerprint(leaving) === fingerprint;
    if (!isSame || free.length === 0 || exports.length > 0) return changed();
    const { place } = places[0]!;
    return {
      writes: [
        ...takeObjects(scope, of.unitUuid, [{ ...object, kind: 'TRACKS', place }]),
        ...removeTracks(scope, leaving),
        scope.remove(assetLoading, { uuids: recordUuids }),
      ],
      audit: [
        {
          action: 'TRACKS_ARCHIVED',
          entityType: 'MANIFEST',
          entityUuid: of.uuid,
          entityExternalId: of.externalIdentifier,
          changes: [{ field: 'tracksCount', oldValue: leaving.length, newValue: 0 }],
        },
      ],
      answer: { value: {} },
    };
  },
  exclusive: true,
});

function removeTracks(scope: Scope, tracks: readonly LeavingTrack[]): Write[] {
  const uuids = tracks.map(({ uuid }) => uuid);
  const coupled = tracks.filter(({ deleted }) => deleted === 0);
  return [
    ...scope.insert(
      archivedMarker,
      coupled.map(({ markerCode }) => ({ markerCode })),
    ),
    scope.remove(trackComment, sql`track_uuid ${inList(uuids)}`),
    scope.remove(customField, sql`owner_uuid ${inList(uuids)}`),
    scope.remove(track, { uuids }),
  ];
}
