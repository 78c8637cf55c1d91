import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { pruneInOrder } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import type { GateReference } from '../gate/rules.ts';
import { gateExternalIdOf, gateQuery } from '../gate/store.ts';
import { linkedTrack } from '../track/store.ts';
import type {
  GateView,
  HeldRecord,
  InvalidRecord,
  ManifestOfShipment,
  MarkerView,
  Pallet,
  Scan,
  ScanResult,
} from './gate-view-rules.ts';

/** The columns of `ManifestOfShipment`, for a manifest `m`. */
const manifestColumns = sql`m.uuid AS "manifestUuid", m.external_identifier AS "manifestExternalId",
  (SELECT shipment.external_identifier FROM shipment_manifest s JOIN shipment ON shipment.uuid = s.shipment_uuid
    WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid) AS "shipmentExternalId"`;

/**
 * Read the state at a gate for these scans. It is one round trip, and the number of statements
 * does not grow with the scans.
 */
export function askGate(scope: Scope, gateIdentifier: string, scans: readonly ScanOf[]) {
  const organization = sql`${scope.organization}`;
  const codes = inList([...new Set(scans.map(({ markerCode }) => markerCode))]);
  const gateUuid = sql`(SELECT uuid FROM (${gateQuery(scope, gateIdentifier)}))`;
  const targetUuid = sql`(SELECT uuid FROM manifest WHERE organization_uuid = ${organization}
    AND gate_uuid = ${gateUuid} AND manifest_status = 'IN_PROGRESS' AND deleted_date IS NULL
    ORDER BY activate_date DESC, uuid DESC LIMIT 1)`;
  return {
    gates: gateQuery(scope, gateIdentifier),
    earlier: sql<ScanResult>`SELECT scan_id AS "scanId", outcome, record_uuid AS "recordUuid",
        manifest_external_id AS "manifestExternalId", track_identifier AS "trackIdentifier" FROM scan
      WHERE organization_uuid = ${organization} AND scan_id ${inList(scans.map(({ scanId }) => scanId))}`,
    targets: sql<ManifestOfShipment>`SELECT ${manifestColumns} FROM manifest m WHERE m.uuid = ${targetUuid}
      AND m.organization_uuid = ${organization}`,
    pallets: sql<Pallet>`SELECT marker_code AS "markerCode", uuid AS "trackUuid", wms_id AS "wmsId", retirement,
        flagged, damaged FROM track
      WHERE organization_uuid = ${organization} AND marker_code ${codes} AND deleted_date IS NULL`,
    records: heldRecordsQuery(organization, codes, gateUuid),
    invalid: sql<InvalidRecord>`SELECT uuid AS "recordUuid", track_uuid AS "trackUuid",
        marker_code AS "markerCode", loading_status AS "loadingStatus" FROM asset_loading
      WHERE organization_uuid = ${organization} AND marker_code ${codes} AND manifest_uuid = ${targetUuid}
        AND loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')`,
    alerted: sql<Alerted>`SELECT marker_code AS "markerCode" FROM alert
      WHERE organization_uuid = ${organization} AND gate_uuid = ${gateUuid} AND status = 'OPEN'
        AND alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST' AND marker_code ${codes}`,
  };
}

/** The state at a gate from the rows of `askGate`. */
export function gateViewOf(
  gate: GateReference,
  { earlier, targets: [target], pallets, records, invalid, alerted }: RowsOf<ReturnType<typeof askGate>>,
): GateView {
  const palletOf = new Map(pallets.map((pallet) => [pallet.markerCode, pallet]));
  const recordsOf = Map.groupBy(records, ({ trackUuid }) => trackUuid);
  const invalidOf = Map.groupBy(invalid, ({ markerCode }) => markerCode);
  const alertedCodes = new Set(alerted.map(({ markerCode }) => markerCode));
  const codes = new Set([...palletOf.keys(), ...invalidOf.keys(), ...alertedCodes]);
  const markerOf = (code: number): MarkerView => {
    const pallet = palletOf.get(code);
    return {
      pallet,
      records: (pallet && recordsOf.get(pallet.trackUuid)) ?? [],
      invalid: invalidOf.get(code) ?? [],
      alerted: alertedCodes.has(code),
    };
  };
  return {
    gate,
    target,
    earlier: new Map(earlier.map((result) => [result.scanId, result])),
    markers: new Map([...codes].map((code) => [code, markerOf(code)])),
  };
}

/** The fields of a scan that the reads depend on. */
type ScanOf = Pick<Scan, 'scanId' | 'markerCode'>;

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

/** How long a scanId is remembered. */
const SCAN_KEPT_MS = 30 * DAY_MS;

/** Delete the expired scans of all organizations. The scheduled handler calls it. */
export const pruneScans = (db: D1Database, now: number): Promise<number> =>
  pruneInOrder(db, 'scan', { column: 'create_date', before: now - SCAN_KEPT_MS });
