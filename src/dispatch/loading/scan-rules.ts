import type { NewAlert } from '../alert/table.ts';
import {
  type Decision,
  type Direction,
  type GateView,
  type HeldRecord,
  type ManifestOfShipment,
  type MarkerView,
  markerAfter,
  type NewInvalidRecord,
  type Scan,
  type ScannedStatus,
  type ScanOutcome,
  type ScanResult,
  type StatusChange,
  UNKNOWN_MARKER,
} from './gate-view-rules.ts';

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
    const earlier = answered.get(scan.scanId);
    if (earlier) return earlier;
    const marker = markers.get(scan.markerCode) ?? UNKNOWN_MARKER;
    const decision = decideScan({ view, marker, scan }, newUuid);
    answered.set(scan.scanId, decision.result);
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
  /** The record in the result, and its manifest. */
  record?: { recordUuid: string; manifest: ManifestOfShipment };
  changed?: readonly StatusChange[];
  added?: NewInvalidRecord;
  alert?: NewAlert;
}

/** Decide on one scan. The first rule that applies decides its effect. */
function decideScan(reading: Reading, newUuid: () => string): Decision {
  const { scan, marker } = reading;
  const { pallet } = marker;
  const effect =
    moveRecords(reading) ?? reportNothingInProgress(reading) ?? addInvalidRecord(reading, newUuid);
  const { outcome, record, changed = [], added, alert } = effect;
  const result = {
    scanId: scan.scanId,
    outcome,
    recordUuid: record?.recordUuid ?? null,
    manifestExternalId: record?.manifest.manifestExternalId ?? null,
    trackIdentifier: pallet?.wmsId ?? null,
  };
  const damages = scan.damaged && pallet !== undefined && !(pallet.flagged && pallet.damaged);
  return { scan, result, pallet, changed, added, alert, damages };
}

/**
 * Change the status of a pallet, if a manifest at the gate expects it or a completed manifest has it
 * on the truck. Otherwise undefined.
 */
function moveRecords({ marker, scan }: Reading): Effect | undefined {
  const move = choicesOf(marker.records, scan.direction).find(({ records }) => records.length > 0);
  if (!move) return undefined;
  const { records, to } = move;
  const [first] = records;
  return {
    outcome: to,
    record: { recordUuid: first!.recordUuid, manifest: first! },
    changed: records.filter(({ loadingStatus }) => loadingStatus !== to).map((record) => ({ record, to })),
  };
}

/** The records that a direction can mean, and their new status. The first choice with records applies. */
function choicesOf(
  held: readonly HeldRecord[],
  direction: Direction,
): readonly { records: readonly HeldRecord[]; to: ScannedStatus }[] {
  const active = held.filter(({ completed }) => completed === 0);
  if (direction !== 'OFFLOAD') return [{ records: active, to: direction === 'LOAD' ? 'LOADED' : 'UNLOADED' }];
  const dispatched = (status: string) =>
    held.filter(({ completed, loadingStatus }) => completed === 1 && loadingStatus === status);
  return [
    { records: dispatched('LOADED'), to: 'OFFLOADED' },
    // The pallet never left. It comes off the truck that is still being loaded.
    { records: active, to: 'UNLOADED' },
    // A camera reads a pallet more than once.
    { records: dispatched('OFFLOADED'), to: 'OFFLOADED' },
  ];
}

/**
 * If no manifest is in progress at the gate, raise an alert, unless one is open for the marker.
 * Otherwise undefined.
 */
function reportNothingInProgress(reading: Reading): Effect | undefined {
  const { view, marker } = reading;
  if (view.target) return undefined;
  const outcome = 'NO_ACTIVE_MANIFEST';
  if (marker.alerted) return { outcome };
  const alert = alertOf(reading, {
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
  const manifest = view.target!;
  const outcome = pallet ? 'WRONGLY_LOADED' : 'UNKNOWN_LOADING';
  const trackUuid = pallet?.trackUuid ?? null;
  const same = invalid.find(
    (record) => record.loadingStatus === outcome && (!pallet || record.trackUuid === trackUuid),
  );
  if (same) return { outcome, record: { recordUuid: same.recordUuid, manifest } };
  const added = {
    recordUuid: newUuid(),
    trackUuid,
    markerCode: scan.markerCode,
    loadingStatus: outcome,
    manifest,
  } as const;
  const message = `${nameOf(reading)} was read at ${view.gate.name} but belongs to no load there.`;
  const alert = alertOf(reading, { alertType: outcome, severity: 'CRITICAL', message }, added);
  return { outcome, record: added, added, alert };
}

/** An alert about a scan. If the scan adds a record, the alert names it. */
const alertOf = (
  { view: { gate }, marker: { pallet }, scan }: Reading,
  { alertType, severity, message }: Pick<NewAlert, 'alertType' | 'severity' | 'message'>,
  added?: NewInvalidRecord,
): NewAlert => ({
  gate,
  trackIdentifier: pallet?.wmsId ?? null,
  markerCode: scan.markerCode,
  alertType,
  severity,
  message,
  manifestExternalId: added?.manifest.manifestExternalId ?? null,
  shipmentExternalId: added?.manifest.shipmentExternalId ?? null,
  recordUuid: added?.recordUuid ?? null,
  deviceUuid: null,
});

const nameOf = ({ scan, marker: { pallet } }: Reading): string =>
  pallet ? `Pallet ${pallet.wmsId}` : `Unknown marker ${scan.markerCode}`;
