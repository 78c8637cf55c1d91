import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { pruneInOrder } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import type { GateReference } from '../gate/rules.ts';
import { gateExternalIdOf, gateQuery } from '../gate/store.ts';
import { isManifestOpen, type ManifestStatus } from '../manifest/rules.ts';
import { linkedTrack } from '../track/store.ts';
import type {
  GateView,
  HeldRecord,
  InvalidRecord,
  ManifestOfShipment,
  MarkerView,
  Pallet,
  ScanOutcome,
  ScanResult,
} from './gate-view-rules.ts';
import { type ReadingKey, readingKey, reusedId } from './scan-id-rules.ts';

/** The columns of `ManifestOfShipment`, for a manifest `m`. */
const manifestColumns = sql`m.uuid AS "manifestUuid", m.external_identifier AS "manifestExternalId",
  (SELECT shipment.external_identifier FROM shipment_manifest s JOIN shipment ON shipment.uuid = s.shipment_uuid
    WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid) AS "shipmentExternalId"`;

/**
 * Read the state at a gate for these scans. It is one round trip, and the number of statements
 * does not grow with the scans.
 */
export function askGate(scope: Scope, gateIdentifier: string, scans: readonly ReadingKey[]) {
  const organization = sql`${scope.organization}`;
  const codes = inList(codesOf(scans));
  const gateUuid = sql`(SELECT uuid FROM (${gateQuery(scope, gateIdentifier)}))`;
  const targetUuid = sql`(SELECT uuid FROM manifest WHERE organization_uuid = ${organization}
    AND gate_uuid = ${gateUuid} AND manifest_status = 'IN_PROGRESS' AND deleted_date IS NULL
    ORDER BY activate_date DESC, uuid DESC LIMIT 1)`;
  return {
    gates: gateQuery(scope, gateIdentifier),
    earlier: earlierQuery(organization, scans),
    targets: sql<ManifestOfShipment>`SELECT ${manifestColumns} FROM manifest m WHERE m.uuid = ${targetUuid}
      AND m.organization_uuid = ${organization}`,
    pallets: sql<
      Pallet & StoredDates
    >`SELECT marker_code AS "markerCode", uuid AS "trackUuid", wms_id AS "wmsId", retirement,
        flagged, damaged, camera_dates AS "cameraDates" FROM track
      WHERE organization_uuid = ${organization} AND marker_code ${codes} AND deleted_date IS NULL`,
    records: heldRecordsQuery(organization, codes, gateUuid),
    invalid: invalidRecordsQuery(organization, gateUuid, targetUuid, scans),
    alerted: sql<Alerted>`SELECT marker_code AS "markerCode" FROM alert
      WHERE organization_uuid = ${organization} AND gate_uuid = ${gateUuid} AND status = 'OPEN'
        AND alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST' AND marker_code ${codes}`,
  };
}

const codesOf = (scans: readonly ReadingKey[]): number[] => [
  ...new Set(scans.map(({ markerCode }) => markerCode)),
];

/** The state at a gate from the rows of `askGate`. */
export function gateViewOf(
  gate: GateReference,
  { earlier, targets: [target], pallets, records, invalid, alerted }: RowsOf<ReturnType<typeof askGate>>,
): GateView {
  const palletOf = new Map(pallets.map(({ cameraDates: _, ...pallet }) => [pallet.markerCode, pallet]));
  const datesOf = new Map(pallets.map(({ markerCode, cameraDates }) => [markerCode, cameraDates]));
  const recordsOf = Map.groupBy(records, ({ trackUuid }) => trackUuid);
  const invalidOf = Map.groupBy(invalid, ({ markerCode }) => markerCode);
  const alertedCodes = new Set(alerted.map(({ markerCode }) => markerCode));
  const codes = new Set([...palletOf.keys(), ...invalidOf.keys(), ...alertedCodes]);
  const markerOf = (code: number): MarkerView => {
    const pallet = palletOf.get(code);
    const dates = datesOf.get(code);
    return {
      pallet,
      records: (pallet && recordsOf.get(pallet.trackUuid)) ?? [],
      invalid: (invalidOf.get(code) ?? []).map((record) => foundInvalid(record, target)),
      alerted: alertedCodes.has(code),
      cameraDates: new Map(dates ? Object.entries(parseJson(dates)) : []),
    };
  };
  return {
    gate,
    target,
    earlier: new Map(
      earlier.flatMap(({ markerCode, direction, scanId, outcome, ...records }) =>
        outcome === null
          ? []
          : [[readingKey({ scanId, markerCode, direction }), { scanId, outcome, ...records }]],
      ),
    ),
    usedIds: new Set(earlier.map(({ scanId }) => scanId)),
    markers: new Map([...codes].map((code) => [code, markerOf(code)])),
  };
}

/** A scan with a used scanId, and its result if it is a repeat. Otherwise `outcome` is null. */
type UsedId = ReadingKey & Omit<ScanResult, 'outcome'> & { outcome: ScanOutcome | null };

/** The scans with a used scanId. The scan that was stored first has the plain id, others have their `reusedId`. */
function earlierQuery(organization: SQL, scans: readonly ReadingKey[]): SQL<UsedId> {
  const given = scans.map((scan) => [scan.scanId, scan.markerCode, scan.direction, reusedId(scan)]);
  const isSame = sql`first.marker_code = g.value ->> 1 AND first.direction = g.value ->> 2`;
  const of = (column: SQL): SQL => sql`iif(${isSame}, first.${column}, other.${column})`;
  return sql`SELECT g.value ->> 0 AS "scanId", g.value ->> 1 AS "markerCode", g.value ->> 2 AS direction,
      coalesce(${of(sql`result`)}, ${of(sql`outcome`)}) AS outcome, ${of(sql`record_uuid`)} AS "recordUuid",
      ${of(sql`manifest_external_id`)} AS "manifestExternalId", ${of(sql`track_identifier`)} AS "trackIdentifier"
    FROM json_each(${JSON.stringify(given)}) g
    CROSS JOIN scan first ON first.organization_uuid = ${organization} AND first.scan_id = g.value ->> 0
    LEFT JOIN scan other ON NOT (${isSame}) AND other.organization_uuid = ${organization}
      AND other.scan_id = g.value ->> 3`;
}

interface StoredDates {
  cameraDates: Json<Record<string, number>> | null;
}

interface Alerted {
  markerCode: number;
}

/**
 * Asset records of the pallets with these codes. Either the manifest is in progress at the gate, and
 * the WMS id of the record belongs to this track. Or the manifest is completed, and the record
 * stores this track.
 */
const heldRecordsQuery = (organization: SQL, codes: SQL, gateUuid: SQL): SQL<HeldRecord> => sql`SELECT
    a.uuid AS "recordUuid", t.uuid AS "trackUuid", a.loading_status AS "loadingStatus",
    a.gate_uuid AS "gateUuid", ${gateExternalIdOf(organization, sql`a.gate_uuid`)} AS "gateExternalId",
    m.manifest_status = 'COMPLETED' AS completed, ${manifestColumns}
  FROM track t
  CROSS JOIN asset_loading a ON a.organization_uuid = t.organization_uuid AND a.wms_id = t.wms_id
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE t.organization_uuid = ${organization} AND t.marker_code ${codes} AND t.deleted_date IS NULL
    AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') AND m.deleted_date IS NULL
    AND ((m.manifest_status = 'IN_PROGRESS' AND m.gate_uuid = ${gateUuid}
        AND ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)} = t.uuid)
      OR (m.manifest_status = 'COMPLETED' AND a.track_uuid = t.uuid
        AND a.loading_status IN ('LOADED', 'OFFLOADED')))
  ORDER BY coalesce(m.close_date, m.activate_date) DESC, m.uuid DESC`;

/** An invalid record. If its manifest is the target, the columns about manifest and alerts are null. */
type StoredInvalid = Omit<InvalidRecord, 'afterClose' | 'alertUuids' | keyof ManifestOfShipment> &
  Partial<ManifestOfShipment> & { manifestStatus: ManifestStatus | null; alertUuids: Json<string[]> | null };

const foundInvalid = (
  { manifestStatus, alertUuids, ...record }: StoredInvalid,
  target: ManifestOfShipment | undefined,
): InvalidRecord => ({
  ...(record as InvalidRecord),
  ...(manifestStatus === null ? target : {}),
  afterClose: manifestStatus !== null && !isManifestOpen(manifestStatus),
  alertUuids: alertUuids === null ? [] : parseJson(alertUuids),
});

/** The maximum number of invalid records that the scans of one commit remove. */
const REMOVED_MAXIMUM = 1_000;

/**
 * Invalid records of markers. A LOAD scan looks only for a record on the target manifest. Other scans remove all records
 * of the marker at the gate, even if the manifest is closed.
 */
function invalidRecordsQuery(
  organization: SQL,
  gateUuid: SQL,
  targetUuid: SQL,
  scans: readonly ReadingKey[],
): SQL<StoredInvalid> {
  const removing = codesOf(scans.filter(({ direction }) => direction !== 'LOAD'));
  const loading = codesOf(scans).filter((code) => !removing.includes(code));
  const columns = sql`a.uuid AS "recordUuid", a.track_uuid AS "trackUuid", a.wms_id AS "wmsId",
    a.marker_code AS "markerCode", a.loading_status AS "loadingStatus"`;
  const isInvalid = sql`a.organization_uuid = ${organization} AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')`;
  return sql`SELECT ${columns}, NULL AS "gateExternalId", NULL AS "manifestStatus", NULL AS "manifestUuid",
      NULL AS "manifestExternalId", NULL AS "shipmentExternalId", NULL AS "alertUuids"
    FROM asset_loading a WHERE ${isInvalid} AND a.marker_code ${inList(loading)} AND a.manifest_uuid = ${targetUuid}
    UNION ALL SELECT * FROM (SELECT ${columns},
      ${gateExternalIdOf(organization, sql`a.gate_uuid`)}, m.manifest_status, ${manifestColumns},
      (SELECT json_group_array(alert.uuid) FROM alert WHERE alert.organization_uuid = ${organization}
        AND alert.record_uuid = a.uuid AND +alert.status = 'OPEN')
    FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
    WHERE ${isInvalid} AND a.marker_code ${inList(removing)} AND m.deleted_date IS NULL
      AND (a.gate_uuid = ${gateUuid} OR (m.manifest_status = 'IN_PROGRESS' AND m.gate_uuid = ${gateUuid}))
    ORDER BY m.manifest_status = 'IN_PROGRESS' DESC, a.uuid DESC LIMIT ${REMOVED_MAXIMUM})`;
}

/** How long a scanId is remembered. */
const SCAN_KEPT_MS = 30 * DAY_MS;

/** Delete the expired scans of all organizations. The scheduled handler calls it. */
export const pruneScans = (db: D1Database, now: number): Promise<number> =>
  pruneInOrder(db, 'scan', { column: 'create_date', before: now - SCAN_KEPT_MS });
