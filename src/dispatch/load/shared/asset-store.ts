import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../../core/http/link.ts';
import type { WholeRow } from '../../../core/http/whole.ts';
import { UUID_START_LENGTH } from '../../../core/lib/id.ts';
import type { Json } from '../../../core/lib/json.ts';
import type { Scope, Write } from '../../../core/lib/scope.ts';
import { inList, jsonChunks, rendered, rowsTable } from '../../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../../core/lib/time.ts';
import { viewOfExtent } from '../../../core/lib/view.ts';
import type { EntityKind } from '../../../log/event/store.ts';
import type { GateReference } from '../../gate/rules.ts';
import { gateReferenceView, presentGateReference } from '../../gate/store.ts';
import {
  type DueRetirement,
  dueRetirementsQuery,
  EMBEDDED,
  LISTED,
  linkedTrack,
  presentTrack,
  type StoredTrack,
  type TrackExtent,
  trackView,
} from '../../track/store.ts';
import { assetLoading, type Tally } from './asset-table.ts';

/** Records that are assets, not invalid loadings. */
export const IS_ASSET = sql`loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')`;

/** The number of records of manifest `m` by status, as JSON text. It reads all records of the manifest. */
export const recordTally = sql<Json<Tally>>`(SELECT json_group_object(loading_status, records) FROM
  (SELECT loading_status, count(*) AS records FROM asset_loading
    WHERE asset_loading.organization_uuid = m.organization_uuid AND manifest_uuid = m.uuid GROUP BY loading_status))`;

/**
 * The track of record `a` of `manifest`. An asset of an open manifest finds its track by WMS id.
 * Any other record stores the uuid of its track.
 */
export const trackOfRecord =
  rendered(sql`CASE WHEN manifest.manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')
    AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  THEN ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)} ELSE a.track_uuid END`);

/** The fields of record `a` of `manifest` without its track, as pairs of a JSON object. */
export const recordPairs = rendered(sql`'recordUuid', a.uuid, 'trackIdentifier', a.wms_id,
  'markerCode', a.marker_code, 'loadingStatus', a.loading_status, 'loadingDate', a.loading_date,
  'createDate', a.create_date, 'updateDate', a.update_date,
  'recordGate', ${gateReferenceView(sql`a.organization_uuid`, sql`a.gate_uuid`)},
  'manifestGate', ${gateReferenceView(sql`manifest.organization_uuid`, sql`manifest.gate_uuid`)},
  'manifestUuid', manifest.uuid, 'manifestExternalId', manifest.external_identifier`);

/** JSON of record `a` of `manifest`. The extent limits the fields of its track. */
export const recordView = viewOfExtent(
  (extent: TrackExtent) => sql<StoredRecord>`json_object(${recordPairs},
  'track', json((SELECT ${trackView(extent)} FROM track WHERE track.organization_uuid = a.organization_uuid
    AND track.uuid = ${trackOfRecord})))`,
);

/** A row of `recordView`. Dates are epoch milliseconds. */
export interface StoredRecord {
  recordUuid: string;
  trackIdentifier: string | null;
  markerCode: number | null;
  loadingStatus: string;
  loadingDate: number | null;
  createDate: number;
  updateDate: number;
  recordGate: GateReference | null;
  manifestGate: GateReference | null;
  manifestUuid: string;
  manifestExternalId: string;
  track: StoredTrack | null;
}

/**
 * The position of a record: position of its manifest in the shipment, creation date, uuid. The
 * first number is 0 for a manifest without shipment.
 */
export const recordPlace = z.tuple([z.int(), z.int(), z.string()]);
export type RecordPlace = z.output<typeof recordPlace>;

/** The records to list. */
export interface WantedRecords {
  /** Whether to list only assets. In a shipment this also leaves out cancelled manifests. */
  onlyAssets: boolean;
  /** Only records after this position. */
  after: RecordPlace | undefined;
}

/** The SQL condition that records `a` come after a position. */
export const behind = (after: WantedRecords['after']): SQL =>
  after === undefined ? sql`TRUE` : sql`(a.create_date, a.uuid) > (${after[1]}, ${after[2]})`;

/** The records of a manifest in the order of creation. */
export const manifestRecordsQuery = (
  database: Scope,
  manifestUuid: SQL,
  { onlyAssets, after }: WantedRecords,
) => sql<
  WholeRow<StoredRecord, RecordPlace>
>`SELECT ${recordView(LISTED)} AS view, json_array(0, a.create_date, a.uuid) AS position
  FROM asset_loading a JOIN manifest ON manifest.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${database.organization} AND a.manifest_uuid = ${manifestUuid}
    AND ${onlyAssets ? sql`${IS_ASSET}` : sql`TRUE`} AND ${behind(after)}
  ORDER BY a.create_date, a.uuid`;

/** The fields that a record has in common with other resources. Its link opens its manifest. */
const commonOf = (links: string, { recordUuid, createDate, updateDate, manifestUuid }: StoredRecord) => ({
  uuid: recordUuid,
  createDate: isoDate(createDate),
  updateDate: isoDate(updateDate),
  deepLink: deepLink(links, 'manifest', manifestUuid),
});

const gateOf = (links: string, stored: StoredRecord) =>
  presentGateReference(links, stored.recordGate ?? stored.manifestGate);

/** An asset as the API shows it. */
export function presentAsset(links: string, stored: StoredRecord) {
  return {
    ...commonOf(links, stored),
    trackIdentifier: stored.trackIdentifier,
    track: stored.track && presentTrack(links, stored.track),
    loadingStatus: stored.loadingStatus,
    gate: gateOf(links, stored),
  };
}

export function presentManifestReference({
  manifestExternalId,
  manifestUuid,
}: {
  manifestExternalId: string;
  manifestUuid: string;
}) {
  return { manifestExternalId, manifestUuid };
}

/** A loading record as the API shows it. */
export function presentRecord(links: string, stored: StoredRecord) {
  return {
    ...commonOf(links, stored),
    recordUuid: stored.recordUuid,
    trackIdentifier: stored.trackIdentifier,
    markerCode: stored.markerCode ?? stored.track?.markerCode ?? null,
    loadingStatus: stored.loadingStatus,
    track: stored.track && presentTrack(links, stored.track),
    gate: gateOf(links, stored),
    manifest: presentManifestReference(stored),
    loadingDate: isoDateOrNull(stored.loadingDate),
  };
}

/**
 * Add assets to a manifest, with status NOT_LOADED. The uuid of a record gets the ending of its pallet's track, unless it is
 * `fixed`. A scan of the pallet then needs one entry in the log for both.
 */
export function insertAssets(
  database: Scope,
  assets: readonly { uuid: string; fixed?: boolean; manifestUuid: string; wmsId: string }[],
  now: number,
): Write[] {
  const start = sql.raw(String(UUID_START_LENGTH));
  const ending = sql`substr(${linkedTrack(sql`${database.organization}`, sql`each.value ->> 3`)}, 1 + ${start})`;
  return jsonChunks(
    assets.map(({ uuid, fixed = false, manifestUuid, wmsId }) => [uuid, fixed, manifestUuid, wmsId, now]),
  ).map(
    (json) => sql`INSERT INTO asset_loading (organization_uuid, uuid, manifest_uuid, wms_id, loading_status,
        create_date, update_date)
      SELECT ${database.organization},
        coalesce(iif(each.value ->> 1, NULL, substr(each.value ->> 0, 1, ${start}) || ${ending}), each.value ->> 0),
        each.value ->> 2, each.value ->> 3, 'NOT_LOADED', each.value ->> 4, each.value ->> 4
      FROM ${rowsTable(json)} each`,
  );
}

/**
 * Store the tracks of assets when their manifests close. Later couplings then no longer change
 * them.
 */
export function freezeTracks(database: Scope, manifestUuids: readonly string[]): Write {
  const linked = linkedTrack(sql`asset_loading.organization_uuid`, sql`asset_loading.wms_id`);
  const trackUuid = sql`coalesce(track_uuid, ${linked})`;
  return database.update(assetLoading, { closed: 1, trackUuid }, waiting(manifestUuids));
}

/** Mark the assets of deleted manifests as closed. Searches for open assets then skip them. */
export const closeRecords = (database: Scope, manifestUuids: readonly string[]): Write =>
  database.update(assetLoading, { closed: 1 }, waiting(manifestUuids));

/**
 * The condition on `update_date` reads a column that is not in the index by WMS id. This keeps
 * SQLite from walking that index for the whole organization.
 */
const waiting = (manifestUuids: readonly string[]): SQL =>
  sql`manifest_uuid ${inList(manifestUuids)} AND +wms_id IS NOT NULL AND +closed = 0 AND update_date >= 0`;

/**
 * Tracks that may have to be retired when these manifests close, because they are on no other open
 * manifest. `manifests` is an `IN` condition on manifest uuids.
 */
export const dueWithManifests = (scope: Scope, manifests: SQL): SQL<DueRetirement> =>
  dueRetirementsQuery(
    scope,
    sql`IN (SELECT wms_id FROM asset_loading
      WHERE organization_uuid = ${scope.organization} AND manifest_uuid ${manifests} AND ${IS_ASSET})`,
    sql`m.uuid ${manifests}`,
  );

/** `IN (…)` over the invalid loading records of a manifest. */
export const invalidRecordsOf = (database: Scope, manifestUuid: SQL): SQL => sql`IN (SELECT uuid
  FROM asset_loading WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${manifestUuid}
    AND loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))`;

/** How events describe loading records. */
export const loadingEntity: EntityKind = {
  type: 'ASSET_LOADING',
  data: (uuid) => sql`(SELECT ${recordView(EMBEDDED)} FROM asset_loading a
    JOIN manifest ON manifest.uuid = a.manifest_uuid WHERE a.uuid = ${uuid})`,
};
