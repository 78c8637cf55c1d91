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
import { type ReadingKey, readingKey, reusedId, storedKey } from './scan-id-rules.ts';

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
    earlier: sql<StoredReading>`SELECT scan_id AS "scanId", marker_code AS "markerCode", direction,
        coalesce(result, outcome) AS outcome, record_uuid AS "recordUuid",
        manifest_external_id AS "manifestExternalId", track_identifier AS "trackIdentifier" FROM scan
      WHERE organization_uuid = ${organization}
        AND scan_id ${inList(scans.flatMap((scan) => [scan.scanId, reusedId(scan)]))}`,
    targets: sql<ManifestOfShipment>`SELECT ${manifestColumns} FROM manifest m WHERE m.uuid = ${targetUuid}
      AND m.organization_uuid = ${organization}`,
    pallets: sql<
      Pallet & StoredDates
    >`SELECT marker_code AS "markerCode", uuid AS "trackUuid", wms_id AS "wmsId", retirement,
        flagged, damaged, camera_dates AS "cameraDates" FROM track
      WHERE organization_uuid = ${organization} AND marker_code ${codes} AND deleted_date IS NULL`,
    records: heldRecordsQuery(organization, codes, gateUuid),
    invalid: invalidRecordsQuery(organization, {
      gateUuid,
      targetUuid,
      codes,
      removing: inList(codesOf(scans.filter(({ direction }) => direction !== 'LOAD'))),
    }),
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
      invalid: (invalidOf.get(code) ?? []).map(foundInvalid),
      alerted: alertedCodes.has(code),
      cameraDates: new Map(dates ? Object.entries(parseJson(dates)) : []),
    };
  };
  return {
    gate,
    target,
    earlier: new Map(earlier.map(earlierResult)),
    usedIds: new Set(earlier.map(({ scanId }) => scanId)),
    markers: new Map([...codes].map((code) => [code, markerOf(code)])),
  };
}

/** A stored scan. `scanId` is its stored id. */
type StoredReading = ReadingKey & ScanResult & { outcome: ScanOutcome };

/** The key of a stored scan, and its result. */
function earlierResult({ markerCode, direction, ...result }: StoredReading): [string, ScanResult] {
  const { scanId } = result;
  const key = storedKey({ scanId, markerCode, direction });
  return [key, { ...result, scanId: key.slice(readingKey({ scanId: '', markerCode, direction }).length) }];
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

type StoredInvalid = Omit<InvalidRecord, 'afterClose' | 'alertUuids'> & {
  manifestStatus: ManifestStatus;
  alertUuids: Json<string[]>;
};

const foundInvalid = ({ manifestStatus, alertUuids, ...record }: StoredInvalid): InvalidRecord => ({
  ...record,
  afterClose: !isManifestOpen(manifestStatus),
  alertUuids: parseJson(alertUuids),
});

/** The maximum number of invalid records that the scans of one commit remove. */
const REMOVED_MAXIMUM = 1_000;

/**
 * Invalid records of markers. A LOAD scan needs the records of its marker on the target manifest. The scans of
 * `removing` remove all records at the gate, so they need the records of closed manifests, too.
 */
const invalidRecordsQuery = (
  organization: SQL,
  { gateUuid, targetUuid, codes, removing }: Record<'gateUuid' | 'targetUuid' | 'codes' | 'removing', SQL>,
): SQL<StoredInvalid> => sql`SELECT a.uuid AS "recordUuid", a.track_uuid AS "trackUuid", a.wms_id AS "wmsId",
    a.marker_code AS "markerCode", a.loading_status AS "loadingStatus",
    ${gateExternalIdOf(organization, sql`a.gate_uuid`)} AS "gateExternalId",
    m.manifest_status AS "manifestStatus", ${manifestColumns},
    (SELECT json_group_array(alert.uuid) FROM alert
      WHERE alert.organization_uuid = ${organization} AND alert.record_uuid = a.uuid AND +alert.status = 'OPEN') AS "alertUuids"
  FROM (
    SELECT uuid FROM asset_loading WHERE organization_uuid = ${organization} AND marker_code ${codes}
      AND manifest_uuid = ${targetUuid}
    UNION SELECT uuid FROM (SELECT own.uuid FROM asset_loading own CROSS JOIN manifest ON manifest.uuid = own.manifest_uuid
      WHERE own.organization_uuid = ${organization} AND own.marker_code ${removing} AND manifest.deleted_date IS NULL
        AND (own.gate_uuid = ${gateUuid}
          OR (manifest.manifest_status = 'IN_PROGRESS' AND manifest.gate_uuid = ${gateUuid}))
      ORDER BY own.uuid DESC LIMIT ${REMOVED_MAXIMUM})) meant
  CROSS JOIN asset_loading a ON a.uuid = meant.uuid
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
  ORDER BY m.manifest_status = 'IN_PROGRESS' DESC, a.uuid DESC`;

/** How long a scanId is remembered. */
const SCAN_KEPT_MS = 30 * DAY_MS;

/** Delete the expired scans of all organizations. The scheduled handler calls it. */
export const pruneScans = (db: D1Database, now: number): Promise<number> =>
  pruneInOrder(db, 'scan', { column: 'create_date', before: now - SCAN_KEPT_MS });
