import { type SQL, sql } from 'drizzle-orm';
import { numberedIn } from '../../core/lib/date-search.ts';
import type { Json } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { isRecord, rowsByDate } from '../../core/writer/audit-table.ts';
import { entryIsAfter, isOnTimelines, unmarkedPallet } from '../../dispatch/track/timeline-store.ts';

/** The maximum number of pallets in one event. */
export const CHILDREN_MAXIMUM = 50_000;
/**
 * The maximum number of entries that one commit adds to a timeline. A batch has this many scans, and each of them may
 * also flag the pallet.
 */
const CHANGES_MAXIMUM = 200;
/** The maximum number of corrections that are read to find the pallets that were aboard. */
const CORRECTIONS_MAXIMUM = 50_000;

/** A position in the order of commits: the date, and a tie breaker. */
type LogPosition<K> = readonly [recordDate: number, key: K];

/** The range of commit dates, and how many rows to read. */
export interface Committed {
  from: number;
  before: number;
  limit: number;
}

/** An entry on the timeline of a pallet. */
export interface StoredHappening {
  uuid: string;
  number: number;
  wmsId: string;
  activityType: string;
  eventDate: number;
  recordDate: number;
  gateUuid: string | null;
  gln: string | null;
  /** The time zone of the organization (IANA). */
  timeZone: string;
  /** For a correction, the entry that it takes back. */
  original: Json<Pick<StoredHappening, 'uuid' | 'activityType' | 'eventDate' | 'gateUuid' | 'gln'>> | null;
}

const glnOf = (organization: string, gateUuid: SQL): SQL => sql`(SELECT gln FROM gate
  WHERE gate.uuid = ${gateUuid} AND +gate.organization_uuid = ${organization})`;

const timeZoneOf = (organization: string): SQL =>
  sql`(SELECT time_zone FROM organization WHERE organization.uuid = ${organization}) AS "timeZone"`;

const ACTIVITY_TYPES = sql`('LOADED', 'NOT_LOADED', 'UNLOADED', 'OFFLOADED', 'FLAGGED', 'UNFLAGGED')`;

/**
 * SQL: an entry `t` is published. A record that starts again with another load corrects nothing: the pallet was loaded,
 * and is still on the truck.
 */
const IS_PUBLISHED = sql`t.activity_type IN ${ACTIVITY_TYPES}
  AND (t.activity_type <> 'NOT_LOADED' OR t.details IS NULL OR instr(t.details, '{"code":"startsAgain"}') = 0)`;

/** SQL: the WMS id of the pallet of an entry `w`. Null if its track was archived. */
const WMS_ID = sql`iif(json_valid(w.pallet), w.pallet ->> 0, track.wms_id)`;

/**
 * Published timeline entries `t`, in the order of their numbers. This is the order in which they were committed. `few`:
 * few entries meet the condition, so SQLite should find them by it instead of walking along the numbers.
 */
function happenings(scope: Scope, condition: SQL, limit: number, few: boolean): SQL<StoredHappening> {
  const { organization } = scope;
  const there = sql`t.organization_uuid = ${organization}`;
  return sql`SELECT w.uuid, w.number, ${WMS_ID} AS "wmsId", w.activity_type AS "activityType",
      w.create_date AS "eventDate", w.update_date AS "recordDate", w.gate_uuid AS "gateUuid",
      ${glnOf(organization, sql`w.gate_uuid`)} AS gln, ${timeZoneOf(organization)},
      iif(w.activity_type <> 'NOT_LOADED', NULL, (SELECT json_object('uuid', t.uuid, 'activityType', t.activity_type,
          'eventDate', t.create_date, 'gateUuid', t.gate_uuid, 'gln', ${glnOf(organization, sql`t.gate_uuid`)})
        FROM pallet_activity t WHERE ${there} AND ${isOnTimelines(scope, sql`SELECT w.pallet AS pallet UNION ALL SELECT ${unmarkedPallet(WMS_ID)}`)}
          AND t.manifest_external_id IS w.manifest_external_id AND t.number < w.number
          AND t.activity_type IN ('LOADED', 'UNLOADED', 'OFFLOADED') ORDER BY t.number DESC LIMIT 1)) AS original
    FROM (SELECT t.uuid, t.number, t.pallet, t.activity_type, t.create_date, t.update_date,
        t.gate_uuid, t.manifest_external_id
      FROM pallet_activity t WHERE ${there} AND ${IS_PUBLISHED} AND ${condition}
      ORDER BY ${few ? sql`+t.number` : sql`t.log_id, t.number`} LIMIT ${limit}) w
    LEFT JOIN track ON track.uuid = w.pallet AND +track.organization_uuid = ${organization}
    WHERE ${WMS_ID} IS NOT NULL ORDER BY w.number`;
}

/**
 * Events of pallets after a position. If `wmsIds` are given, only theirs, even if their tracks were retired or deleted, or if they have none.
 */
export function happeningsQuery(
  scope: Scope,
  after: LogPosition<number>,
  { from, before, limit }: Committed,
  wmsIds: readonly string[] | undefined,
): SQL<StoredHappening> {
  const tracks = (deleted: SQL): SQL => sql`SELECT uuid AS pallet FROM track
    WHERE track.organization_uuid = ${scope.organization} AND wms_id ${inList(wmsIds ?? [])} AND deleted_date ${deleted}`;
  const range = {
    after: from > 0 ? from : undefined,
    before: before === Number.MAX_SAFE_INTEGER ? undefined : before,
  };
  const numbered = numberedIn(rowsByDate(scope), range, sql`t.log_id`);
  const behind = sql`${entryIsAfter(scope, after[1])} AND t.update_date >= ${from} AND t.update_date < ${before}
    AND ${numbered ?? sql`TRUE`}`;
  const pallets = sql`${tracks(sql`IS NULL`)} UNION ALL ${tracks(sql`IS NOT NULL`)}
    UNION ALL SELECT ${unmarkedPallet(sql`value`)} FROM json_each(${JSON.stringify(wmsIds ?? [])})`;
  return wmsIds === undefined
    ? happenings(scope, behind, limit, false)
    : happenings(scope, sql`${behind} AND ${isOnTimelines(scope, pallets)}`, limit, true);
}

/** The parts of an event's data that identify a loading record's pallet and manifest. */
export interface RecordData {
  manifestExternalId: string;
  trackIdentifier: string | null;
  track: { uuid: string } | null;
}

/** The entries of one commit for a pallet: its changes on one manifest, and the observations recorded with them. */
export const changesQuery = (
  scope: Scope,
  { track, trackIdentifier, manifestExternalId, date }: RecordData & { date: number },
): SQL<StoredHappening> =>
  happenings(
    scope,
    sql`${isOnTimelines(scope, sql`SELECT ${track?.uuid ?? null} AS pallet UNION ALL SELECT ${unmarkedPallet(trackIdentifier)}`)}
      AND t.update_date = ${date}
      AND coalesce(t.manifest_external_id, ${manifestExternalId}) = ${manifestExternalId}`,
    CHANGES_MAXIMUM,
    true,
  );

/** A completed shipment, or a manifest that was completed. */
export interface StoredClosing {
  uuid: string;
  recordDate: number;
  gateUuid: string | null;
  gln: string | null;
  /** The time zone of the organization (IANA). */
  timeZone: string;
  /** Whether it is a manifest that left with its shipment. The event of the shipment covers it. */
  member: 0 | 1;
  /** The number of pallets on its manifests. */
  size: number;
}

export type LoadKind = 'SHIPMENT' | 'MANIFEST';

/** Completed shipments or manifests: which kind, and how they are selected as `h`, in their order. */
export interface Loads {
  kind: LoadKind;
  selected: SQL;
}

/** Whether a manifest `h` left with its shipment. */
const memberOf = ({ organization }: Scope, kind: LoadKind): SQL =>
  kind === 'SHIPMENT'
    ? sql`0`
    : sql`EXISTS (SELECT 1 FROM shipment_manifest s
        WHERE s.organization_uuid = ${organization} AND s.manifest_uuid = h.uuid)`;

/** The loads of a kind that meet a condition. */
const loads = ({ organization }: Scope, kind: LoadKind, condition: SQL): Loads => ({
  kind,
  selected: sql`FROM ${kind === 'SHIPMENT' ? sql`shipment` : sql`manifest`} h
    WHERE h.organization_uuid = ${organization} AND h.${kind === 'SHIPMENT' ? sql`status` : sql`manifest_status`} = 'COMPLETED'
      AND h.deleted_date IS NULL AND ${condition}`,
});

/** The rows of loads. */
export function closingsQuery(scope: Scope, { kind, selected }: Loads): SQL<StoredClosing> {
  const { organization } = scope;
  const size =
    kind === 'SHIPMENT'
      ? sql`(SELECT coalesce(sum(m.assets_count), 0) FROM shipment_manifest s CROSS JOIN manifest m
          ON m.uuid = s.manifest_uuid WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = h.uuid)`
      : sql`h.assets_count`;
  return sql`SELECT h.uuid, h.close_date AS "recordDate", h.gate_uuid AS "gateUuid",
      ${glnOf(organization, sql`h.gate_uuid`)} AS gln, ${timeZoneOf(organization)},
      ${memberOf(scope, kind)} AS member, ${size} AS size ${selected}`;
}

/**
 * Shipments or manifests completed after a position, in that order. If `wmsIds` are given, only those with one of these
 * pallets.
 */
export function loadsAfter(
  scope: Scope,
  kind: LoadKind,
  after: LogPosition<string>,
  { from, before, limit }: Committed,
  wmsIds: readonly string[] | undefined,
): Loads {
  const { organization } = scope;
  const manifests = sql`SELECT a.manifest_uuid FROM asset_loading a
    WHERE a.organization_uuid = ${organization} AND a.wms_id ${inList(wmsIds ?? [])}`;
  const held =
    kind === 'MANIFEST'
      ? manifests
      : sql`SELECT s.shipment_uuid FROM shipment_manifest s
          WHERE s.organization_uuid = ${organization} AND s.manifest_uuid IN (${manifests})`;
  return loads(
    scope,
    kind,
    sql`(h.close_date, h.uuid) > (${after[0]}, ${after[1]}) AND h.close_date >= ${from} AND h.close_date < ${before}
      ${wmsIds === undefined ? sql`` : sql`AND h.uuid IN (${held})`} ORDER BY h.close_date, h.uuid LIMIT ${limit}`,
  );
}

/** One shipment or manifest by its uuid, if it is completed. */
export const loadNamed = (scope: Scope, kind: LoadKind, uuid: string): Loads =>
  loads(scope, kind, sql`h.uuid = ${uuid}`);

/** A pallet of a completed shipment or manifest. */
interface StoredChild {
  load: string;
  recordUuid: string;
  wmsId: string;
  loadingStatus: string;
}

/** The manifests `m` of loads, in the order of the loads. A manifest that left with its shipment has no event of its own. */
const manifestsOf = (scope: Scope, { kind, selected }: Loads): SQL =>
  kind === 'MANIFEST'
    ? sql`(SELECT l.uuid AS load, l.uuid FROM (SELECT h.uuid, ${memberOf(scope, kind)} AS member ${selected}) l
        WHERE NOT l.member)`
    : sql`(SELECT l.uuid AS load, m.uuid FROM (SELECT h.uuid ${selected}) l CROSS JOIN shipment_manifest s
          ON s.organization_uuid = ${scope.organization} AND s.shipment_uuid = l.uuid
        CROSS JOIN manifest m ON m.uuid = s.manifest_uuid WHERE m.manifest_status = 'COMPLETED')`;

/** The current assets of loads. If they are too many, only the assets of the first loads. */
export const childrenQuery = (scope: Scope, of: Loads): SQL<StoredChild> =>
  sql`SELECT m.load, a.uuid AS "recordUuid", a.wms_id AS "wmsId", a.loading_status AS "loadingStatus"
    FROM ${manifestsOf(scope, of)} m CROSS JOIN asset_loading a
      ON a.organization_uuid = ${scope.organization} AND a.manifest_uuid = m.uuid
    WHERE a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') LIMIT ${CHILDREN_MAXIMUM}`;

/** A change of an asset after its manifest was completed. */
interface StoredReversal {
  recordUuid: string;
  oldStatus: string | null;
}

/** Later changes, in order. The first change of an asset shows its status when it left. */
export const reversalsQuery = (scope: Scope, of: Loads): SQL<StoredReversal> =>
  sql`SELECT l.entity_uuid AS "recordUuid", (SELECT json_extract(each.value, '$.oldValue') FROM json_each(l.changes) each
      WHERE json_extract(each.value, '$.field') = 'loadingStatus') AS "oldStatus"
    FROM ${manifestsOf(scope, of)} m CROSS JOIN loading_correction c
      ON c.organization_uuid = ${scope.organization} AND c.load_uuid = m.uuid
    CROSS JOIN audit_log l ON ${isRecord(scope, sql`c.sequence_number`, sql`l`)} AND l.entity_type = 'ASSET_LOADING'
    ORDER BY c.sequence_number LIMIT ${CORRECTIONS_MAXIMUM}`;
