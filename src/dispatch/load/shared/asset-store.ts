import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../../core/http/link.ts';
import type { WholeRow } from '../../../core/http/whole.ts';
import { UUID_START_LENGTH } from '../../../core/lib/id.ts';
import { type Json, parseJson } from '../../../core/lib/json.ts';
import type { Scope, Write } from '../../../core/lib/scope.ts';
import { inList, jsonChunks, rendered, rowsTable } from '../../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../../core/lib/time.ts';
import { viewOfExtent } from '../../../core/lib/view.ts';
import type { Context } from '../../../core/writer/command.ts';
import type { EntityKind } from '../../../log/event/store.ts';
import type { GateReference } from '../../gate/rules.ts';
import { gateExternalIdOf, gateReferenceView, presentGateReference } from '../../gate/store.ts';
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
import type { PlacedRecord } from './place-rules.ts';
import { assetLoading, type Tally } from './table.ts';

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

/** A row of a query for placed records. */
export type PlacedRow = Omit<PlacedRecord, 'alertUuids'> & { alertUuids: Json<string[]> };

/** The records of rows. */
export const placedOf = (rows: readonly PlacedRow[]): PlacedRecord[] =>
  rows.map(({ alertUuids, ...record }) => ({ ...record, alertUuids: parseJson(alertUuids) }));

const trackOf = sql`coalesce(a.track_uuid, ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)})`;
const shipmentOf = (column: SQL): SQL => sql`(SELECT ${column} FROM shipment_manifest s
  CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
  WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid)`;

/** The columns of `PlacedRow` for a record `a` of a manifest `m`. */
export const placedColumns = rendered(sql`a.uuid AS "recordUuid", a.wms_id AS "wmsId",
  coalesce(a.marker_code, (SELECT t.marker_code FROM track t WHERE t.uuid = ${trackOf})) AS "markerCode",
  ${trackOf} AS "trackUuid", a.loading_status AS "loadingStatus", a.loading_date AS "loadingDate",
  a.gate_uuid AS "gateUuid", ${gateExternalIdOf(sql`a.organization_uuid`, sql`a.gate_uuid`)} AS "gateExternalId",
  m.uuid AS "manifestUuid", m.external_identifier AS "manifestExternalId", m.manifest_status AS "manifestStatus",
  m.gate_uuid AS "manifestGateUuid",
  ${shipmentOf(sql`shipment.external_identifier`)} AS "shipmentExternalId",
  coalesce(${shipmentOf(sql`shipment.uuid`)}, m.uuid) AS "loadUuid",
  (SELECT json_group_array(alert.uuid) FROM alert WHERE alert.organization_uuid = a.organization_uuid
    AND alert.record_uuid = a.uuid AND +alert.status = 'OPEN') AS "alertUuids"`);

/**
 * The records of these manifests that are not NOT_LOADED. `manifests` is an `IN` condition on manifest uuids, and `which` a
 * condition on records `a` and manifests `m`.
 */
export const placedQuery = (
  { organization }: Scope,
  manifests: SQL,
  which: SQL = sql`TRUE`,
): SQL<PlacedRow> => sql`SELECT ${placedColumns} FROM manifest m
  CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
  WHERE m.uuid ${manifests} AND +m.organization_uuid = ${organization} AND +a.loading_status <> 'NOT_LOADED' AND ${which}
  ORDER BY a.create_date, a.uuid`;

/** `IN (…)` over the manifests of the load that a manifest belongs to: itself, and the members of its shipment. */
export const loadOf = ({ organization }: Scope, manifestUuid: SQL): SQL => sql`IN (SELECT ${manifestUuid}
  UNION SELECT other.manifest_uuid FROM shipment_manifest own
    CROSS JOIN shipment_manifest other INDEXED BY shipment_manifest_shipment ON other.organization_uuid = own.organization_uuid
      AND other.shipment_uuid = own.shipment_uuid
    WHERE own.organization_uuid = ${organization} AND own.manifest_uuid = ${manifestUuid})`;

/**
 * The records that say where pallets are: LOADED records of loads in progress, and invalid records of all loads.
 * `wmsIds` is an `IN` condition.
 */
export const whereQuery = (
  { organization }: Scope,
  wmsIds: SQL,
): SQL<PlacedRow> => sql`SELECT ${placedColumns}
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${organization} AND a.wms_id ${wmsIds} AND a.closed IN (0, 1)
    AND m.deleted_date IS NULL
    AND (a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') OR (a.loading_status = 'LOADED' AND m.manifest_status = 'IN_PROGRESS'))
  ORDER BY a.create_date, a.uuid`;

/**
 * SQL: the WMS ids that are known without a track, among these. An open manifest expects the pallet. Or it is on a load
 * whose paper has changed, so that its label takes it off: WRONGLY_LOADED, or on a load that was cancelled or deleted. If
 * `arriving` has the WMS id, the pallet is also known after it has left with a completed load. Both are `IN` conditions.
 */
export const knownQuery = (
  organization: SQL,
  wmsIds: SQL,
  arriving: SQL,
): SQL<{ wmsId: string }> => sql`SELECT a.wms_id AS "wmsId"
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${organization} AND a.wms_id ${wmsIds} AND a.closed IN (0, 1) AND m.deleted_date IS NULL
    AND (a.loading_status = 'WRONGLY_LOADED'
      OR (a.closed = 0 AND a.loading_status <> 'UNKNOWN_LOADING')
      OR (a.loading_status = 'LOADED' AND m.manifest_status = 'CANCELLED')
      OR (a.loading_status IN ('LOADED', 'OFFLOADED') AND a.wms_id ${arriving}))
  UNION SELECT p.wms_id FROM alert_pallet p CROSS JOIN alert l ON l.uuid = p.alert_uuid
    WHERE p.organization_uuid = ${organization} AND p.wms_id <> '' AND p.wms_id ${wmsIds} AND l.alert_type = 'PALLETS_ABOARD'`;

/**
 * The records of assets that come to a load in progress with these manifests, if they matter. Either they are LOADED, or a
 * record of another manifest says where their pallets are. `comes` is a condition that is false if the load is not in
 * progress, so that nothing is read.
 */
export const comingQuery = ({ organization }: Scope, manifests: SQL, comes: SQL): SQL<PlacedRow> => sql`SELECT
    ${placedColumns} FROM manifest m
  CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
  WHERE ${comes} AND m.uuid ${manifests} AND +m.organization_uuid = ${organization}
    AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND (+a.loading_status = 'LOADED' OR EXISTS (SELECT 1 FROM asset_loading w CROSS JOIN manifest o ON o.uuid = w.manifest_uuid
      WHERE w.organization_uuid = ${organization} AND w.wms_id = a.wms_id AND w.closed IN (0, 1) AND o.deleted_date IS NULL
        AND o.manifest_status = 'IN_PROGRESS' AND w.loading_status IN ('LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING')))
  ORDER BY a.create_date, a.uuid`;

/** `IN (…)` over the WMS ids of the records of `comingQuery`. */
export const comingIds = (scope: Scope, manifests: SQL, comes: SQL): SQL =>
  sql`IN (SELECT "wmsId" FROM (${comingQuery(scope, manifests, comes)}))`;

/** Read the records of a load that starts with these manifests, and where their pallets are. */
export const askStarting = (scope: Scope, manifests: SQL) => ({
  coming: comingQuery(scope, manifests, sql`TRUE`),
  where: whereQuery(scope, comingIds(scope, manifests, sql`TRUE`)),
});

/**
 * The uuids of manifests or shipments that were changed since a date, as a subquery. The update date of an open load is
 * in no index, because every scan changes it. So all open loads are read. Of the closed ones, only those are read that
 * were closed since, or changed after they had closed. A shipment changes with its manifests.
 */
export function changedSince(organization: string, table: 'manifest' | 'shipment', since: number): SQL {
  const name = sql.raw(table);
  const status = sql.raw(table === 'manifest' ? 'manifest_status' : 'status');
  const part = (condition: SQL): SQL => sql`SELECT uuid FROM ${name}
    WHERE organization_uuid = ${organization} AND ${condition} AND deleted_date IS NULL AND update_date >= ${since}`;
  const ofManifests =
    table === 'shipment'
      ? sql` UNION SELECT s.shipment_uuid FROM ${changedSince(organization, 'manifest', since)} c
        CROSS JOIN shipment_manifest s ON s.organization_uuid = ${organization} AND s.manifest_uuid = c.uuid`
      : sql``;
  return sql`(${part(sql`${status} IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')`)}
    UNION ${part(sql`close_date >= ${since}`)} UNION ${part(sql`update_date > close_date`)}${ofManifests})`;
}

/**
 * Count wrong pallets and unknown markers that were taken off: on the shipment of each of these manifests, one for each
 * time that the manifest is named. The figures of
 * completed shipments get the number. Cancelled manifests are not part of their shipment. `by` is -1
 * if they are back on the truck.
 */
export function countCaught({ scope }: Context, manifestUuids: readonly string[], by: 1 | -1 = 1): Write[] {
  if (manifestUuids.length === 0) return [];
  const named = JSON.stringify(manifestUuids);
  return [
    sql`UPDATE shipment SET caught_count = caught_count + caught.pallets
      FROM (SELECT s.shipment_uuid, ${by} * count(*) AS pallets FROM json_each(${named}) named
        CROSS JOIN manifest m ON m.uuid = named.value AND m.manifest_status <> 'CANCELLED'
        CROSS JOIN shipment_manifest s ON s.organization_uuid = ${scope.organization} AND s.manifest_uuid = m.uuid
        GROUP BY s.shipment_uuid) caught
      WHERE shipment.uuid = caught.shipment_uuid AND +shipment.organization_uuid = ${scope.organization}`,
    sql`UPDATE shipment_figures SET pallets_caught = (SELECT caught_count FROM shipment s WHERE s.uuid = shipment_uuid)
      WHERE (organization_uuid, close_date, shipment_uuid) IN (SELECT s.organization_uuid, s.close_date, s.uuid
        FROM json_each(${named}) named
        CROSS JOIN shipment_manifest m ON m.organization_uuid = ${scope.organization} AND m.manifest_uuid = named.value
        CROSS JOIN shipment s ON s.uuid = m.shipment_uuid AND s.status = 'COMPLETED')`,
  ];
}
