import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../core/lib/asks.ts';
import type { Database } from '../core/lib/database.ts';
import { sha256Hex } from '../core/lib/hash.ts';
import type { Json } from '../core/lib/json.ts';
import type { Scope, Write } from '../core/lib/scope.ts';
import { inList } from '../core/lib/sql.ts';
import { openAboutShort, openAlertsQuery } from '../dispatch/alert/store.ts';
import { fieldsView } from '../dispatch/custom-field/store.ts';
import { manifestView } from '../dispatch/load/manifest/store.ts';
import { WHOLE_LOOK as WHOLE_MANIFEST } from '../dispatch/load/manifest/validation-store.ts';
import { assetLoading } from '../dispatch/load/shared/table.ts';
import { shipmentView, WHOLE_EXTENT as WHOLE_SHIPMENT } from '../dispatch/load/shipment/store.ts';
import { isOnTimeline, isOnTimelines } from '../dispatch/track/timeline-store.ts';
import type { ArchivedRow } from '../storage/archive/store.ts';
import type { ClosedLoad, Uncleared, WrittenObject } from './rules.ts';

/** The maximum number of loading records deleted in one piece. */
const RECORDS_AT_ONCE = 200;

/** The next archive entry that still has rows in the database; for a batch. */
export const unclearedQuery = ({ organization }: Scope): SQL<Uncleared> => sql`SELECT uuid,
    external_identifier AS "externalIdentifier", unit_uuid AS "unitUuid" FROM archive_entry
  WHERE organization_uuid = ${organization} AND cleared = 0 ORDER BY uuid LIMIT 1`;

/** The remaining loading records of an entry, up to a limit. */
export async function recordsLeft(database: Database, { uuid }: Uncleared): Promise<string[]> {
  const rows = await database.all(sql<{ uuid: string }>`SELECT uuid FROM asset_loading
    WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${uuid}
    ORDER BY create_date, uuid LIMIT ${RECORDS_AT_ONCE}`);
  return rows.map((row) => row.uuid);
}

/** Delete loading records of an archived manifest. Nothing shows them. */
export const removeRecords = (scope: Scope, uuids: readonly string[]): Write =>
  scope.remove(assetLoading, { uuids });

/** Delete the other rows of an entry whose loading records are deleted. */
export const finishClearing = ({ organization }: Scope, { uuid }: Uncleared): Write[] => [
  sql`DELETE FROM custom_field WHERE organization_uuid = ${organization} AND owner_uuid = ${uuid}`,
  sql`DELETE FROM loading_correction WHERE organization_uuid = ${organization} AND load_uuid = ${uuid}`,
  sql`UPDATE archive_entry SET cleared = 1 WHERE uuid = ${uuid} AND organization_uuid = ${organization}`,
];

/** The objects among these that are not about to be deleted. */
export const freeQuery = ({ organization }: Scope, objects: readonly WrittenObject[]): SQL => sql`SELECT 1
  FROM calibration_orphan WHERE organization_uuid = ${organization} AND claimed_date IS NULL
    AND object_key ${inList(objects.map(({ objectKey }) => objectKey))}`;

/** When retention has work to do. */
export const dueQuery = ({
  organization,
}: Scope): SQL<{ dueDate: number }> => sql`SELECT due_date AS "dueDate"
  FROM retention_due WHERE organization_uuid = ${organization}`;

/** Schedule the next check (epoch milliseconds). */
export const putOff = ({ organization }: Scope, dueDate: number): Write =>
  sql`UPDATE retention_due SET due_date = ${dueDate} WHERE organization_uuid = ${organization}`;

/** Nothing is left to do until the schedule plans a check. */
export const rest = ({ organization }: Scope): Write =>
  sql`DELETE FROM retention_due WHERE organization_uuid = ${organization}`;

/** A track to be archived. */
export interface LeavingTrack {
  uuid: string;
  markerCode: number;
  /** Whether its marker is free for another. */
  deleted: 0 | 1;
  /** A fingerprint of it, its timeline, comments and custom fields. */
  state: string;
}

/**
 * The tracks of some loading records (by uuid) that nothing else refers to. They are retired or deleted, no other
 * record refers to them, and no open alert is about their pallet.
 */
export function leavingQuery(scope: Scope, recordUuids: readonly string[]): SQL<LeavingTrack> {
  const { organization } = scope;
  const records = inList(recordUuids);
  return sql`SELECT t.uuid, t.marker_code AS "markerCode", t.deleted_date IS NOT NULL AS deleted,
      json_array(t.update_date, t.last_seen_date, t.flagged, t.damaged, t.client_uuid,
        (SELECT count(*) FROM pallet_activity v WHERE v.organization_uuid = t.organization_uuid
          AND ${isOnTimeline(scope, sql`t.uuid`, sql`v`)}),
        (SELECT count(*) FROM track_comment v WHERE v.organization_uuid = t.organization_uuid AND v.track_uuid = t.uuid),
        ${fieldsView(sql`t.organization_uuid`, sql`t.uuid`)}) AS state
    FROM (SELECT DISTINCT a.track_uuid AS uuid FROM asset_loading a
      WHERE a.uuid ${records} AND +a.organization_uuid = ${organization}) named
    CROSS JOIN track t ON t.uuid = named.uuid
    WHERE t.organization_uuid = ${organization} AND (t.retirement = 'RETIRED' OR t.deleted_date IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM asset_loading b WHERE b.organization_uuid = t.organization_uuid
        AND b.wms_id = t.wms_id AND (b.track_uuid = t.uuid OR (b.closed = 0 AND t.deleted_date IS NULL))
        AND b.uuid NOT ${records})
      AND NOT EXISTS (SELECT 1 FROM asset_loading b WHERE b.organization_uuid = t.organization_uuid
        AND b.marker_code = t.marker_code AND b.track_uuid = t.uuid AND b.uuid NOT ${records})
      AND t.wms_id NOT IN (SELECT l.track_identifier FROM alert l WHERE l.organization_uuid = ${organization}
        AND l.status = 'OPEN' AND l.track_identifier IS NOT NULL)
    ORDER BY t.uuid`;
}

/** A fingerprint of these tracks. It covers everything that is copied of them. */
export const tracksFingerprint = (tracks: readonly LeavingTrack[]): string =>
  sha256Hex(JSON.stringify(tracks));

/** All rows of tracks. Users who made entries are stored by uuid only, so that they can be erased. */
export function rowsOfTracks(
  database: Database,
  tracks: readonly LeavingTrack[],
): Promise<Record<string, ArchivedRow[]>> {
  const uuids = inList(tracks.map(({ uuid }) => uuid));
  const of = (column: string) =>
    sql`organization_uuid = ${database.organization} AND ${sql.raw(column)} ${uuids}`;
  return database.ask({
    track: sql<ArchivedRow>`SELECT * FROM track WHERE uuid ${uuids} AND +organization_uuid = ${database.organization}`,
    pallet_activity: sql<ArchivedRow>`SELECT uuid, organization_uuid, pallet AS track_uuid, activity_type, gate_uuid,
        manifest_external_id, shipment_external_id, iif(author_uuid IS NULL, author, '') AS author, author_uuid, details,
        create_date, update_date
      FROM pallet_activity t WHERE organization_uuid = ${database.organization}
        AND ${isOnTimelines(database, sql`SELECT value AS pallet FROM json_each(${JSON.stringify(tracks.map(({ uuid }) => uuid))})`)}`,
    track_comment: sql<ArchivedRow>`SELECT * FROM track_comment WHERE ${of('track_uuid')}`,
    custom_field: sql<ArchivedRow>`SELECT * FROM custom_field WHERE ${of('owner_uuid')}`,
  });
}

/** Open alerts that keep a load in the database. An alert that a load was completed short does not; see `shortAlertsQuery`. */
const openAlerts = ({ organization }: Scope): SQL =>
  sql`l.organization_uuid = ${organization} AND l.status = 'OPEN' AND +l.alert_type <> 'COMPLETED_SHORT'`;

/** The manifests that an open alert is about: by record, pallet or name. */
const alertedManifests = (scope: Scope): SQL => sql`SELECT a.manifest_uuid AS uuid
    FROM alert l CROSS JOIN asset_loading a ON a.uuid = l.record_uuid WHERE ${openAlerts(scope)}
  UNION SELECT a.manifest_uuid FROM alert l CROSS JOIN asset_loading a
    ON a.organization_uuid = l.organization_uuid AND a.wms_id = l.track_identifier WHERE ${openAlerts(scope)}
  UNION SELECT m.uuid FROM alert l CROSS JOIN manifest m ON m.organization_uuid = l.organization_uuid
    AND m.external_identifier = l.manifest_external_id AND m.deleted_date IS NULL WHERE ${openAlerts(scope)}`;

/** The shipments that an open alert is about, or that an unfinished operation names. */
const heldShipments = (
  scope: Scope,
): SQL => sql`SELECT s.shipment_uuid FROM (${alertedManifests(scope)}) alerted
    CROSS JOIN shipment_manifest s ON s.organization_uuid = ${scope.organization} AND s.manifest_uuid = alerted.uuid
  UNION SELECT p.uuid FROM alert l CROSS JOIN shipment p ON p.organization_uuid = l.organization_uuid
    AND p.external_identifier = l.shipment_external_id AND p.deleted_date IS NULL WHERE ${openAlerts(scope)}
  UNION SELECT p.uuid FROM operation o
    CROSS JOIN operation_part t ON t.organization_uuid = o.organization_uuid AND t.operation_uuid = o.uuid
    CROSS JOIN json_each(t.items) i
    CROSS JOIN shipment p ON p.organization_uuid = o.organization_uuid
      AND p.external_identifier = i.value ->> 'identifier'
      AND p.deleted_date IS NULL
    WHERE o.organization_uuid = ${scope.organization} AND o.due_date > 0`;

/** SQL conditions: nothing refers to a shipment, or to a manifest without a shipment. */
const shipmentIsFree = (scope: Scope): SQL => sql`shipment.uuid NOT IN (${heldShipments(scope)})`;
const manifestIsFree = (scope: Scope): SQL => sql`NOT EXISTS (SELECT 1 FROM shipment_manifest s
    WHERE s.organization_uuid = ${scope.organization} AND s.manifest_uuid = manifest.uuid)
  AND manifest.uuid NOT IN (${alertedManifests(scope)})`;

/** The first due units: closed before a date (epoch milliseconds), and nothing current refers to them. */
export function dueLoadsQuery(scope: Scope, before: number, maximum: number): SQL<ClosedLoad> {
  const first = sql`organization_uuid = ${scope.organization} AND close_date < ${before}`;
  return sql`SELECT * FROM (SELECT 'SHIPMENT' AS kind, uuid FROM shipment
      WHERE ${first} AND ${shipmentIsFree(scope)} ORDER BY close_date LIMIT ${maximum})
    UNION ALL SELECT * FROM (SELECT 'MANIFEST', uuid FROM manifest
      WHERE ${first} AND ${manifestIsFree(scope)} ORDER BY close_date LIMIT ${maximum})`;
}

/** A row if a unit is due. */
export function dueLoadQuery(scope: Scope, { kind, uuid }: ClosedLoad, before: number): SQL {
  const own = sql`uuid = ${uuid} AND +organization_uuid = ${scope.organization} AND +close_date < ${before}`;
  return kind === 'SHIPMENT'
    ? sql`SELECT 1 FROM shipment WHERE ${own} AND ${shipmentIsFree(scope)}`
    : sql`SELECT 1 FROM manifest WHERE ${own} AND ${manifestIsFree(scope)}`;
}

/** The open alerts that a unit or one of its manifests was completed short. They are resolved when it is archived. */
export const shortAlertsQuery = (scope: Scope, { uuid }: ClosedLoad): SQL<{ uuid: string }> =>
  openAlertsQuery(
    scope,
    openAboutShort(sql`IN (SELECT ${uuid} UNION ALL SELECT s.manifest_uuid FROM shipment_manifest s
      WHERE s.organization_uuid = ${scope.organization} AND s.shipment_uuid = ${uuid})`),
  );

/** A manifest or shipment of a unit. */
export interface LoadPart {
  uuid: string;
  externalIdentifier: string;
  publicToken: string | null;
  /** The JSON that its GET shows. */
  view: Json<object>;
  /** The number of its loading records. */
  recordsCount: number;
  /** A fingerprint of its records and their tracks. */
  records: string;
  /** The number of corrections since it was closed, which only grows. */
  correctionsCount: number;
}

const correctionsCount = (table: 'manifest' | 'shipment'): SQL => {
  const load = sql.raw(table);
  return sql`(SELECT count(*) FROM loading_correction c WHERE c.organization_uuid = ${load}.organization_uuid
    AND c.load_uuid = ${load}.uuid) AS "correctionsCount"`;
};

/** The reads that show the state of a unit, and so later changes: its shipment, and its manifests in order. */
export function askLoad(scope: Scope, { kind, uuid }: ClosedLoad) {
  const { organization } = scope;
  const manifests = sql<LoadPart>`SELECT manifest.uuid, manifest.external_identifier AS "externalIdentifier",
    manifest.public_token AS "publicToken", ${manifestView(WHOLE_MANIFEST)} AS view,
    (SELECT count(*) FROM asset_loading a
      WHERE a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid) AS "recordsCount",
    (SELECT json_array(sum(a.update_date), count(t.uuid), sum(t.update_date), sum(t.damaged))
      FROM asset_loading a LEFT JOIN track t ON t.uuid = a.track_uuid
      WHERE a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid) AS records,
    ${correctionsCount('manifest')}`;
  return {
    shipments:
      kind === 'SHIPMENT'
        ? sql<LoadPart>`SELECT shipment.uuid, shipment.external_identifier AS "externalIdentifier",
            shipment.public_token AS "publicToken", ${shipmentView(WHOLE_SHIPMENT)} AS view, 0 AS "recordsCount",
            '' AS records, ${correctionsCount('shipment')}
          FROM shipment WHERE shipment.uuid = ${uuid} AND shipment.organization_uuid = ${organization}`
        : undefined,
    manifests:
      kind === 'SHIPMENT'
        ? sql<LoadPart>`${manifests} FROM shipment_manifest s CROSS JOIN manifest ON manifest.uuid = s.manifest_uuid
            WHERE s.organization_uuid = ${organization} AND s.shipment_uuid = ${uuid} ORDER BY s.rowid`
        : sql<LoadPart>`${manifests} FROM manifest
            WHERE manifest.uuid = ${uuid} AND manifest.organization_uuid = ${organization}`,
  };
}

/** The state of a unit. */
export type LoadState = RowsOf<ReturnType<typeof askLoad>>;

/** A fingerprint of a unit. It covers everything that is copied of the unit. */
export const loadFingerprintOf = ({ shipments, manifests }: LoadState): string =>
  sha256Hex(JSON.stringify([shipments, manifests]));
