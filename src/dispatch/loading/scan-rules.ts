import {
  type Decision,
  type Direction,
  datesAfter,
  type GateView,
  type HeldRecord,
  type InvalidRecord,
  type ManifestOfShipment,
  type MarkerView,
  markerAfter,
  type Scan,
  type ScanAlert,
  type ScannedStatus,
  type ScanOutcome,
  type ScanResult,
  type StatusChange,
  UNKNOWN_MARKER,
} from './gate-view-rules.ts';
import { readingKey } from './scan-id-rules.ts';

/**
 * Decide on scans in order. Each scan sees the changes of the scans before it.
 * @returns the results in order, and a decision for each scan that was not processed before
 */
export function decideScans(
  view: GateView,
  scans: readonly Scan[],
  newUuid: () => string,
): { results: ScanResult[]; decisions: Decision[] } {
  const answered = new Map(view.earlier);
  const markers = new Map(view.markers);
  const decisions: Decision[] = [];
  const results = scans.map((scan) => {
    const key = readingKey(scan);
    const earlier = answered.get(key);
    if (earlier) return earlier;
    const marker = markers.get(scan.markerCode) ?? UNKNOWN_MARKER;
    const decision = decideScan({ view, marker, scan }, newUuid);
    answered.set(key, decision.result);
    markers.set(scan.markerCode, markerAfter(view, marker, decision));
    decisions.push(decision);
    return decision.result;
  });
  return { results, decisions };
}

/** A scan, the state of its marker, and the state at the gate. */
interface Reading {
  view: GateView;
  marker: MarkerView;
  scan: Scan;
}

/** The outcome of a scan, and its changes to records and alerts. */
interface Effect {
  outcome: ScanOutcome;
  /** The record in the result. */
  record?: ManifestOfShipment & { recordUuid: string };
  changed?: readonly StatusChange[];
  added?: InvalidRecord;
  removed?: readonly InvalidRecord[];
  alert?: ScanAlert;
}

/** Decide on one scan. A late scan changes nothing. */
function decideScan(reading: Reading, newUuid: () => string): Decision {
  const { scan, marker } = reading;
  const { pallet } = marker;
  const late = isLate(reading);
  const effect = late ? { outcome: 'SUPERSEDED' as const } : effectOf(reading, newUuid);
  const { outcome, record, changed = [], added, removed = [], alert }: Effect = effect;
  const result = {
    scanId: scan.scanId,
    outcome,
    recordUuid: record?.recordUuid ?? null,
    manifestExternalId: record?.manifestExternalId ?? null,
    trackIdentifier: pallet?.wmsId ?? null,
  };
  const damages = scan.damaged && !late && pallet !== undefined && !(pallet.flagged && pallet.damaged);
  const changes = pallet !== undefined && (changed.length > 0 || added !== undefined || removed.length > 0);
  const cameraDates = changes ? datesAfter(marker, scan) : undefined;
  return { scan, result, pallet, changed, added, removed, alert, cameraDates, damages };
}

/** Whether the same camera has already changed the status of the pallet by a scan with a later scanDate. */
const isLate = ({ scan, marker }: Reading): boolean =>
  marker.pallet !== undefined && scan.scanDate < (marker.cameraDates.get(scan.camera) ?? scan.scanDate);

/** The effect of a scan that is not late. The first rule that applies decides it. */
function effectOf(reading: Reading, newUuid: () => string): Effect {
  const moved = moveRecords(reading, MOVES[reading.scan.direction]);
  if (reading.scan.direction === 'LOAD') {
    return moved ?? reportNothingInProgress(reading, newUuid) ?? addInvalidRecord(reading, newUuid);
  }
  const removed = reading.marker.invalid;
  // The pallet or marker leaves every truck at the gate.
  if (moved) return { ...moved, removed };
  const [record] = removed;
  if (record) return { outcome: 'UNLOADED', record, removed };
  return readAgain(reading) ?? { outcome: nothingTakenOff(reading) };
}

/** Records that a scan can mean, and their new status. */
interface Move {
  applies: (record: HeldRecord) => boolean;
  to: ScannedStatus;
}

const isActive = ({ completed }: HeldRecord): boolean => completed === 0;
const isDispatchedAs =
  (status: string) =>
  ({ completed, loadingStatus }: HeldRecord): boolean =>
    completed === 1 && loadingStatus === status;

/** The possible moves of each direction. The first move with records applies. */
const MOVES: Record<Direction, readonly Move[]> = {
  LOAD: [{ applies: isActive, to: 'LOADED' }],
  UNLOAD: [{ applies: isActive, to: 'UNLOADED' }],
  OFFLOAD: [
    { applies: isDispatchedAs('LOADED'), to: 'OFFLOADED' },
    // The pallet never left. It comes off the truck that is still being loaded.
    { applies: isActive, to: 'UNLOADED' },
  ],
};

/**
 * Change the status of a pallet, if a manifest at the gate expects it or a completed manifest has it
 * on the truck. Otherwise undefined.
 */
function moveRecords({ marker }: Reading, moves: readonly Move[]): Effect | undefined {
  for (const { applies, to } of moves) {
    const records = marker.records.filter(applies);
    const [record] = records;
    if (!record) continue;
    const changed = records
      .filter(({ loadingStatus }) => loadingStatus !== to)
      .map((one) => ({ record: one, to }));
    return { outcome: to, record, changed };
  }
  return undefined;
}

/** A camera reads a pallet more than once: the pallet is OFFLOADED already. */
const readAgain = (reading: Reading): Effect | undefined =>
  reading.scan.direction === 'OFFLOAD'
    ? moveRecords(reading, [{ applies: isDispatchedAs('OFFLOADED'), to: 'OFFLOADED' }])
    : undefined;

/** The outcome of a scan that takes nothing off. An OFFLOAD needs no manifest in progress. */
const nothingTakenOff = ({ view, scan }: Reading): ScanOutcome =>
  scan.direction === 'UNLOAD' && !view.target ? 'NO_ACTIVE_MANIFEST' : 'NOT_LOADED';

/**
 * If no manifest is in progress at the gate, raise an alert, unless one is open for the marker.
 * Otherwise undefined.
 */
function reportNothingInProgress(reading: Reading, newUuid: () => string): Effect | undefined {
  const { view, marker } = reading;
  if (view.target) return undefined;
  const outcome = 'NO_ACTIVE_MANIFEST';
  if (marker.alerted) return { outcome };
  const alert = alertOf(reading, {
    uuid: newUuid(),
    alertType: 'SCAN_WITHOUT_ACTIVE_MANIFEST',
    severity: 'WARNING',
    message: `${nameOf(reading)} was read at ${view.gate.name}, where nothing is being loaded.`,
  });
  return { outcome, alert };
}

/**
 * No manifest at the gate expects the pallet or marker. The scan adds an invalid record and raises
 * an alert about it. A repeated scan finds this record and changes nothing.
 */
function addInvalidRecord(reading: Reading, newUuid: () => string): Effect {
  const { view, marker, scan } = reading;
  const { pallet, invalid } = marker;
  const target = view.target!;
  const outcome = pallet ? 'WRONGLY_LOADED' : 'UNKNOWN_LOADING';
  const trackUuid = pallet?.trackUuid ?? null;
  const same = invalid.find(
    (record) =>
      record.manifestUuid === target.manifestUuid &&
      record.loadingStatus === outcome &&
      (!pallet || record.trackUuid === trackUuid),
  );
  if (same) return { outcome, record: same };
  const alertUuid = newUuid();
  const added: InvalidRecord = {
    ...target,
    recordUuid: newUuid(),
    trackUuid,
    wmsId: pallet?.wmsId ?? null,
    markerCode: scan.markerCode,
    loadingStatus: outcome,
    gateExternalId: view.gate.externalIdentifier,
    afterClose: false,
    alertUuids: [alertUuid],
  };
  const message = `${nameOf(reading)} was read at ${view.gate.name} but belongs to no load there.`;
  const about = { uuid: alertUuid, alertType: outcome, severity: 'CRITICAL', message } as const;
  return { outcome, record: added, added, alert: alertOf(reading, about, added) };
}

/** An alert about a scan. If the scan adds a record, the alert names it. */
const alertOf = (
  { view: { gate }, marker: { pallet }, scan }: Reading,
  about: Pick<ScanAlert, 'uuid' | 'alertType' | 'severity' | 'message'>,
  added?: InvalidRecord,
): ScanAlert => ({
  ...about,
  gate,
  trackIdentifier: pallet?.wmsId ?? null,
  markerCode: scan.markerCode,
  manifestExternalId: added?.manifestExternalId ?? null,
  shipmentExternalId: added?.shipmentExternalId ?? null,
  recordUuid: added?.recordUuid ?? null,
  deviceUuid: null,
});

const nameOf = ({ scan, marker: { pallet } }: Reading): string =>
  pallet ? `Pallet ${pallet.wmsId}` : `Unknown marker ${scan.markerCode}`;
