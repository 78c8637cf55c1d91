import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { pruneWalking } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import type { Place, RecallChange } from '../../core/writer/recall.ts';
import { isSame } from '../alert/rules.ts';
import { readAtGateQuery } from '../alert/store.ts';
import type { GateReference } from '../gate/rules.ts';
import { gateExternalIdOf, gateQuery } from '../gate/store.ts';
import {
  knownQuery,
  type PlacedRow,
  placedColumns,
  placedOf,
  whereQuery,
} from '../load/shared/asset-store.ts';
import type { PlacedRecord } from '../load/shared/place-rules.ts';
import { palletName } from '../track/rules.ts';
import { linkedTrack } from '../track/store.ts';
import {
  type Decision,
  type GateView,
  type HeldRecord,
  type ManifestOfShipment,
  type MarkerView,
  type Pallet,
  type Scan,
  type ScanOutcome,
  type ScanResult,
  subjectOf,
} from './gate-view-rules.ts';
import { type ReadingKey, readingKey, reusedId } from './scan-rules.ts';

/** The columns of `ManifestOfShipment`, for a manifest `m`. */
const manifestColumns = sql`m.uuid AS "manifestUuid", m.external_identifier AS "manifestExternalId",
  (SELECT shipment.external_identifier FROM shipment_manifest s JOIN shipment ON shipment.uuid = s.shipment_uuid
    WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid) AS "shipmentExternalId",
  coalesce((SELECT s.shipment_uuid FROM shipment_manifest s
    WHERE s.organization_uuid = m.organization_uuid AND s.manifest_uuid = m.uuid), m.uuid) AS "loadUuid"`;

/**
 * Read the state at a gate for these scans. It is one round trip, and the number of statements
 * does not grow with the scans.
 */
export function askGate(scope: Scope, gateIdentifier: string, scans: readonly AskedScan[]) {
  const organization = sql`${scope.organization}`;
  const read = readPallets(organization, scans);
  return {
    earlier: earlierQuery(organization, scans),
    ...askPallets(scope, gateIdentifier, {
      read,
      codes: inList(codesOf(scans)),
      // An SSCC that is no known pallet may have records, too.
      wmsIds: sql`IN (SELECT wms_id FROM (${read}) UNION SELECT value FROM json_each(${JSON.stringify(wmsIdsOf(scans))}))`,
    }),
  };
}

/** Pallets to read: a query like `readPallets`, and `IN` conditions on their marker codes and WMS ids. */
interface PalletsToRead {
  read: SQL;
  codes: SQL;
  wmsIds: SQL;
}

/** Read the gate, the load in progress there, and the state of pallets. */
function askPallets(scope: Scope, gateIdentifier: string, { read, codes, wmsIds }: PalletsToRead) {
  const organization = sql`${scope.organization}`;
  const gateUuid = sql`(SELECT uuid FROM (${gateQuery(scope, gateIdentifier)}))`;
  const activeUuid = sql`(SELECT uuid FROM manifest WHERE organization_uuid = ${organization}
    AND gate_uuid = ${gateUuid} AND manifest_status = 'IN_PROGRESS' AND deleted_date IS NULL
    ORDER BY activate_date DESC, uuid DESC LIMIT 1)`;
  return {
    gates: gateQuery(scope, gateIdentifier),
    actives: sql<ManifestOfShipment>`SELECT ${manifestColumns} FROM manifest m WHERE m.uuid = ${activeUuid}
      AND m.organization_uuid = ${organization}`,
    pallets: sql<ReadPallet>`SELECT p.subject, p.marker_code AS "markerCode", p.uuid AS "trackUuid", p.wms_id AS "wmsId",
        coalesce(t.retirement, 'NONE') AS retirement, coalesce(t.flagged, 0) AS flagged, coalesce(t.damaged, 0) AS damaged,
        iif(p.uuid IS NOT NULL, t.camera_dates, ${unmarkedDates(organization)}) AS "cameraDates"
      FROM (${read}) p LEFT JOIN track t ON t.uuid = p.uuid`,
    records: heldRecordsQuery(organization, read, gateUuid),
    invalid: invalidRecordsQuery(organization, gateUuid, codes),
    where: whereQuery(scope, wmsIds),
    alerted: readAtGateQuery(scope, gateUuid, wmsIds, codes),
  };
}

/** The most pallets of the open loads at a gate that are remembered. Of more, none is. */
const EXPECTED_MAXIMUM = 1_000;

/** Read the state of all pallets that the loads in progress at a gate expect. */
export function askExpected(scope: Scope, gateIdentifier: string) {
  const organization = sql`${scope.organization}`;
  const ids = sql`SELECT DISTINCT a.wms_id FROM manifest m
    CROSS JOIN asset_loading a INDEXED BY asset_loading_manifest ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
    WHERE m.organization_uuid = ${organization} AND m.gate_uuid = (SELECT uuid FROM (${gateQuery(scope, gateIdentifier)}))
      AND m.manifest_status = 'IN_PROGRESS' AND m.deleted_date IS NULL AND a.wms_id IS NOT NULL LIMIT ${EXPECTED_MAXIMUM + 1}`;
  const read = sql`SELECT coalesce('marker ' || t.marker_code, 'pallet ' || e.wms_id) AS subject, t.marker_code, t.uuid, e.wms_id
    FROM (${ids}) e LEFT JOIN track t ON t.uuid = ${linkedTrack(organization, sql`e.wms_id`)}
    WHERE (SELECT count(*) FROM (${ids})) <= ${EXPECTED_MAXIMUM}`;
  return askPallets(scope, gateIdentifier, {
    read,
    codes: sql`IN (SELECT marker_code FROM (${read}))`,
    wmsIds: sql`IN (SELECT wms_id FROM (${read}))`,
  });
}

/** SQL: the dates by camera of a pallet `p` without a track. Its open records have the same. */
const unmarkedDates = (organization: SQL): SQL => sql`(SELECT a.camera_dates FROM asset_loading a
  WHERE a.organization_uuid = ${organization} AND a.wms_id = p.wms_id AND a.closed = 0
    AND a.camera_dates IS NOT NULL ORDER BY a.update_date DESC LIMIT 1)`;

/** The subjects of scans, and the fields by which repeats are found. */
type AskedScan = ReadingKey & Pick<Scan, 'wmsId'>;

const codesOf = (scans: readonly AskedScan[]): number[] => [
  ...new Set(scans.flatMap(({ markerCode }) => markerCode ?? [])),
];
const wmsIdsOf = (scans: readonly AskedScan[]): string[] => [
  ...new Set(scans.flatMap(({ markerCode, wmsId }) => (markerCode === null ? (wmsId ?? []) : []))),
];

/** A known pallet that a scan has read, by the subject of the scan. */
type ReadPallet = Pallet & { subject: string; cameraDates: Json<Record<string, number>> | null };

/** The thing that a scan has read: a marker, or a pallet without one. */
type GateSubject = Pick<Scan, 'markerCode' | 'wmsId'>;

/** The state at a gate from the rows of `askGate`. */
export function gateViewOf(
  gate: GateReference,
  scans: readonly GateSubject[],
  {
    earlier,
    actives: [active],
    pallets,
    records,
    invalid,
    where,
    alerted,
  }: RowsOf<ReturnType<typeof askGate>>,
): GateView {
  const palletOf = new Map(
    pallets.map(({ subject, cameraDates, ...pallet }) => [subject, { pallet, cameraDates }]),
  );
  const recordsOf = Map.groupBy(records, ({ wmsId }) => wmsId);
  const invalidOf = Map.groupBy(placedOf(invalid), ({ markerCode }) => markerCode!);
  const whereOf = Map.groupBy(placedOf(where), ({ wmsId }) => wmsId!);
  const counted = alerted.filter(
    ({ alertType, gateUuid }) => alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST' && gateUuid === gate.uuid,
  );
  const markerOf = (scan: GateSubject): MarkerView => {
    const { pallet, cameraDates } = palletOf.get(subjectOf(scan)) ?? {};
    const placed = whereOf.get(pallet?.wmsId ?? scan.wmsId ?? '') ?? [];
    const own = (scan.markerCode !== null && invalidOf.get(scan.markerCode)) || [];
    const known = new Set(own.map(({ recordUuid }) => recordUuid));
    const held = (pallet && recordsOf.get(pallet.wmsId)) ?? [];
    return {
      pallet,
      records: held.filter(({ trackUuid }) => trackUuid === pallet!.trackUuid),
      // The pallet may have been read by another marker, or without one.
      invalid: [
        ...own,
        ...placed.filter((record) => isInvalidAt(gate, record) && !known.has(record.recordUuid)),
      ],
      where: placed,
      alerted: counted.some((row) =>
        isSame(row, { markerCode: scan.markerCode, wmsId: pallet?.wmsId ?? scan.wmsId }),
      ),
      cameraDates: new Map(cameraDates ? Object.entries(parseJson(cameraDates)) : []),
    };
  };
  return {
    gate,
    active,
    idleAlert: counted[0]?.alertUuid,
    earlier: new Map(
      earlier.flatMap(({ markerCode, identifier, direction, scanId, outcome, ...records }) =>
        outcome === null
          ? []
          : [[readingKey({ scanId, markerCode, identifier, direction }), { scanId, outcome, ...records }]],
      ),
    ),
    usedIds: new Set(earlier.map(({ scanId }) => scanId)),
    markers: new Map(scans.map((scan) => [subjectOf(scan), markerOf(scan)])),
  };
}

/** A scan with a used scanId, and its result if it is a repeat. Otherwise `outcome` is null. */
type UsedId = ReadingKey & Omit<ScanResult, 'outcome'> & { outcome: ScanOutcome | null };

/** The scans with a used scanId. The scan that was stored first has the plain id, others have their `reusedId`. */
function earlierQuery(organization: SQL, scans: readonly ReadingKey[]): SQL<UsedId> {
  const given = scans.map((scan) => [
    scan.scanId,
    scan.markerCode,
    scan.direction,
    reusedId(scan),
    scan.identifier,
  ]);
  const isSame = sql`(first.marker_code IS g.value ->> 1 AND first.identifier IS g.value ->> 4
    AND first.direction = g.value ->> 2)`;
  const of = (column: SQL): SQL => sql`iif(${isSame}, first.${column}, other.${column})`;
  return sql`SELECT g.value ->> 0 AS "scanId", g.value ->> 1 AS "markerCode", g.value ->> 4 AS identifier,
      g.value ->> 2 AS direction, ${of(sql`outcome`)} AS outcome, ${of(sql`record_uuid`)} AS "recordUuid",
      ${of(sql`manifest_external_id`)} AS "manifestExternalId", ${of(sql`track_identifier`)} AS "trackIdentifier"
    FROM json_each(${JSON.stringify(given)}) g
    CROSS JOIN scan first ON first.organization_uuid = ${organization} AND first.scan_id = g.value ->> 0
    LEFT JOIN scan other ON NOT ${isSame} AND other.organization_uuid = ${organization}
      AND other.scan_id = g.value ->> 3`;
}

/** Whether an invalid record is at a gate: it was added there, or its manifest is in progress there. */
const isInvalidAt = (
  { uuid }: GateReference,
  { loadingStatus, gateUuid, manifestStatus, manifestGateUuid }: PlacedRecord,
): boolean =>
  (loadingStatus === 'WRONGLY_LOADED' || loadingStatus === 'UNKNOWN_LOADING') &&
  (gateUuid === uuid || (manifestStatus === 'IN_PROGRESS' && manifestGateUuid === uuid));

/**
 * The known pallets that scans have read: subject, marker code, uuid of the track, WMS id. A retired track may have a WMS id
 * that now has another, live track. Its old label is still on the pallet, so its marker means the live track. A WMS id is
 * known if it has a live track, or if `knownQuery` finds it.
 */
function readPallets(organization: SQL, scans: readonly AskedScan[]): SQL {
  const wmsIds = wmsIdsOf(scans);
  const arriving = wmsIdsOf(scans.filter(({ direction }) => direction === 'OFFLOAD'));
  const marked = sql`SELECT 'marker ' || read.marker_code AS subject, read.marker_code, t.uuid, t.wms_id
    FROM track read CROSS JOIN track t
      ON t.uuid = iif(read.retirement = 'RETIRED', coalesce((SELECT live.uuid FROM track live
        WHERE live.organization_uuid = ${organization} AND live.wms_id = read.wms_id AND live.deleted_date IS NULL
          AND live.retirement <> 'RETIRED'), read.uuid), read.uuid)
    WHERE read.organization_uuid = ${organization} AND read.marker_code ${inList(codesOf(scans))}
      AND read.deleted_date IS NULL`;
  if (wmsIds.length === 0) return marked;
  return sql`${marked} UNION ALL
    SELECT 'pallet ' || g.value, t.marker_code, t.uuid, g.value FROM json_each(${JSON.stringify(wmsIds)}) g
    LEFT JOIN track t ON t.uuid = ${linkedTrack(organization, sql`g.value`)}
    WHERE t.retirement <> 'RETIRED' OR g.value IN (${knownQuery(organization, inList(wmsIds), inList(arriving))})`;
}

/**
 * Asset records of these pallets. Either the manifest is in progress at the gate, and
 * the WMS id of the record belongs to this track. Or the manifest is completed, and the record
 * stores this track. Or it was cancelled at the gate, and the pallet is still aboard.
 */
const heldRecordsQuery = (organization: SQL, pallets: SQL, gateUuid: SQL): SQL<HeldRecord> => sql`SELECT
    a.uuid AS "recordUuid", a.wms_id AS "wmsId", p.uuid AS "trackUuid", a.loading_status AS "loadingStatus",
    a.gate_uuid AS "gateUuid", ${gateExternalIdOf(organization, sql`a.gate_uuid`)} AS "gateExternalId",
    m.manifest_status AS "manifestStatus", ${manifestColumns}
  FROM (SELECT DISTINCT uuid, wms_id FROM (${pallets})) p
  CROSS JOIN asset_loading a ON a.organization_uuid = ${organization} AND a.wms_id = p.wms_id
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') AND m.deleted_date IS NULL
    AND ((m.manifest_status = 'IN_PROGRESS' AND m.gate_uuid = ${gateUuid}
        AND ${linkedTrack(sql`a.organization_uuid`, sql`a.wms_id`)} IS p.uuid)
      OR (m.manifest_status = 'COMPLETED' AND a.track_uuid IS p.uuid
        AND a.loading_status IN ('LOADED', 'OFFLOADED'))
      OR (m.manifest_status = 'CANCELLED' AND a.track_uuid IS p.uuid AND a.loading_status = 'LOADED'
        AND a.gate_uuid = ${gateUuid}))
  ORDER BY coalesce(m.close_date, m.activate_date) DESC, m.uuid DESC`;

/** The maximum number of invalid records that the scans of one commit remove. */
const REMOVED_MAXIMUM = 1_000;

/** Invalid records of markers at the gate, even if their manifests are closed. */
const invalidRecordsQuery = (
  organization: SQL,
  gateUuid: SQL,
  codes: SQL,
): SQL<PlacedRow> => sql`SELECT ${placedColumns}
  FROM asset_loading a CROSS JOIN manifest m ON m.uuid = a.manifest_uuid
  WHERE a.organization_uuid = ${organization} AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    AND a.marker_code ${codes} AND m.deleted_date IS NULL
    AND (a.gate_uuid = ${gateUuid} OR (m.manifest_status = 'IN_PROGRESS' AND m.gate_uuid = ${gateUuid}))
  ORDER BY m.manifest_status = 'IN_PROGRESS' DESC, a.uuid DESC LIMIT ${REMOVED_MAXIMUM}`;

/** How long a scanId is remembered. */
const SCAN_KEPT_MS = 30 * DAY_MS;

/** Delete the expired scans of all organizations. The scheduled handler calls it. */
export const pruneScans = (db: D1Database, now: number): Promise<number> =>
  pruneWalking(db, 'scan', { column: 'create_date', before: now - SCAN_KEPT_MS });

/**
 * The memory of a gate with its open loads. The things are the state of each pallet that the loads expect, by
 * `palletName`, and the ids of recent scans. A pallet with an alert, an invalid record, or a record of another gate is not
 * remembered: its scans are rare, and read everything.
 */
export interface GateMemory extends Place<MarkerView | typeof USED> {
  gate: GateView['gate'];
  active: ManifestOfShipment;
  /** The WMS ids of pallets by the marker codes that they had when the gate was read. */
  wmsIds: ReadonlyMap<number, string>;
}

/** The thing of a used scanId. */
const USED = 'used';
const scanName = (scanId: string): string => `scan ${scanId}`;

/** Whether nothing is unusual about a pallet: all records that say where it is are on the loads at the gate. */
function isPlain({ pallet, records, invalid, where, alerted }: MarkerView): boolean {
  const held = new Set(records.map(({ recordUuid }) => recordUuid));
  const isExpected = records.some(({ manifestStatus }) => manifestStatus === 'IN_PROGRESS');
  return (
    pallet !== undefined &&
    isExpected &&
    invalid.length === 0 &&
    !alerted &&
    where.every(({ recordUuid }) => held.has(recordUuid))
  );
}

/** The memory of a gate. Undefined if no load is in progress there. */
export function gateMemoryOf(rows: RowsOf<ReturnType<typeof askExpected>>): GateMemory | undefined {
  const {
    gates: [gate],
    actives: [active],
    pallets,
    alerted,
  } = rows;
  if (!gate || !active) return undefined;
  const { markers } = gateViewOf(gate, pallets, { ...rows, earlier: [] });
  const plain = [...markers.values()].filter(
    (marker) => isPlain(marker) && !alerted.some((row) => isSame(row, marker.pallet!)),
  );
  return {
    gate,
    active,
    things: new Map(plain.map((marker) => [palletName(marker.pallet!.wmsId), marker])),
    wmsIds: new Map(
      plain.flatMap(({ pallet }) =>
        pallet!.markerCode === null ? [] : [[pallet!.markerCode, pallet!.wmsId]],
      ),
    ),
  };
}

/** The state for scans at a remembered gate. Undefined if a pallet is not remembered, or a scanId was used. */
export function recalledView(
  { gate, active, wmsIds, things }: GateMemory,
  scans: readonly Pick<Scan, 'scanId' | 'markerCode' | 'wmsId'>[],
): GateView | undefined {
  const markers = new Map<string, MarkerView>();
  for (const scan of scans) {
    const wmsId = scan.markerCode === null ? scan.wmsId : wmsIds.get(scan.markerCode);
    const marker = wmsId ? things.get(palletName(wmsId)) : undefined;
    const isCurrent =
      scan.markerCode === null || (marker as MarkerView)?.pallet?.markerCode === scan.markerCode;
    if (!marker || marker === USED || !isCurrent || things.has(scanName(scan.scanId))) return undefined;
    markers.set(subjectOf(scan), marker);
  }
  return { gate, active, idleAlert: undefined, earlier: new Map(), usedIds: new Set(), markers };
}

/** Whether a decision changes nothing but the status of records of its pallet at the gate. */
const isPlainDecision = ({ added, removed, boarding, alert, damages, countedIn }: Decision): boolean =>
  !(added || alert || damages || countedIn) &&
  removed.length + boarding.unloaded.length + boarding.cleared.length + boarding.settled.length === 0;

/**
 * The effect of scans on the memory of gates. All gates forget their pallets. If the scans were decided on the memory of
 * `place`, it then has the plain pallets and the scanIds again. `markers` are the states after the scans.
 */
export function recalledAfter(
  decisions: readonly Decision[],
  markers: GateView['markers'],
  place: string | undefined,
): RecallChange {
  const wmsIdOf = ({ pallet, scan }: Decision) => pallet?.wmsId ?? scan.wmsId;
  const forgets = decisions.flatMap((decision) => palletName(wmsIdOf(decision) ?? ''));
  if (place === undefined) return { forgets };
  const unusual = new Set(decisions.filter((one) => !isPlainDecision(one)).map(wmsIdOf));
  const things = new Map<string, MarkerView | typeof USED>(
    decisions.map(({ scan }) => [scanName(scan.scanId), USED]),
  );
  for (const marker of markers.values()) {
    const wmsId = marker.pallet!.wmsId;
    if (!unusual.has(wmsId) && isPlain(marker)) things.set(palletName(wmsId), marker);
  }
  return { forgets, learns: { place, things } };
}
