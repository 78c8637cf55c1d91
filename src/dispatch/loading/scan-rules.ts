import { boardingEffect, type PlacedRecord } from '../load/shared/place-rules.ts';
import {
  type Decision,
  type Direction,
  datesAfter,
  type GateView,
  type HeldRecord,
  idleAlertOf,
  type ManifestOfShipment,
  type MarkerView,
  markerAfter,
  type Scan,
  type ScanAlert,
  type ScannedStatus,
  type ScanOutcome,
  type ScanResult,
  type StatusChange,
  subjectOf,
  UNKNOWN_MARKER,
} from './gate-view-rules.ts';
import { DIRECTIONS } from './table.ts';

/** The fields that make a scan a repeat of another one. */
export type ReadingKey = Pick<Scan, 'scanId' | 'markerCode' | 'identifier' | 'direction'>;

/** A scanId has at most 100 characters, so no caller can send a text with this beginning. */
const REUSED = ' '.repeat(101);
const REUSED_FORM = new RegExp(`^${REUSED}(${DIRECTIONS.join('|')}) [1-9]\\d{0,15} .{1,200}$`, 's');

/** The key of a scan. Two scans with the same key are one reading. */
export const readingKey = ({ scanId, markerCode, identifier, direction }: ReadingKey): string =>
  `${direction} ${markerCode ?? JSON.stringify(identifier)} ${scanId}`;

/**
 * The id under which a scan is stored if another scan has its scanId. Devices count from 1 again after a restart. The
 * primary key of scans allows each scanId once.
 */
export const reusedId = (scan: ReadingKey): string => REUSED + readingKey(scan);

/** Whether a text is such an id. */
export const isReusedId = (text: string): boolean => REUSED_FORM.test(text);

/**
 * Decide on scans in order. Each scan sees the changes of the scans before it.
 * @returns the results in order, a decision for each scan that was not processed before, and the states after them
 */
export function decideScans(
  view: GateView,
  scans: readonly Scan[],
  newUuid: () => string,
): { results: ScanResult[]; decisions: Decision[]; markers: GateView['markers'] } {
  const answered = new Map(view.earlier);
  const markers = new Map(view.markers);
  const decisions: Decision[] = [];
  let { idleAlert } = view;
  const results = scans.map((scan) => {
    const key = readingKey(scan);
    const earlier = answered.get(key);
    if (earlier) return earlier;
    const subject = subjectOf(scan);
    const marker = markers.get(subject) ?? UNKNOWN_MARKER;
    const decision = decideScan({ view: { ...view, idleAlert }, marker, scan }, newUuid);
    const after = markerAfter(view, marker, decision);
    idleAlert = idleAlertOf(decision) ?? idleAlert;
    answered.set(key, decision.result);
    markers.set(subject, after);
    // Another marker of the same request may belong to the pallet: the marker of its retired track.
    for (const [name, other] of markers)
      if (name !== subject && after.pallet && other.pallet?.wmsId === after.pallet.wmsId)
        markers.set(name, { ...after, pallet: { ...after.pallet, markerCode: other.pallet.markerCode } });
    decisions.push(decision);
    return decision.result;
  });
  return { results, decisions, markers };
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
  added?: PlacedRecord;
  removed?: readonly PlacedRecord[];
  boarding?: Decision['boarding'];
  alert?: ScanAlert;
  countedIn?: string;
}

const LATE: Effect = { outcome: 'SUPERSEDED' };
const NO_BOARDING: Decision['boarding'] = { unloaded: [], cleared: [], settled: [] };

/** Decide on one scan. A late scan changes nothing. */
function decideScan(reading: Reading, newUuid: () => string): Decision {
  const { scan, marker } = reading;
  const { pallet } = marker;
  const late = isLate(reading);
  const {
    outcome,
    record,
    changed = [],
    added,
    removed = [],
    boarding = NO_BOARDING,
    alert,
    countedIn,
  } = late ? LATE : effectOf(reading, newUuid);
  const result = {
    scanId: scan.scanId,
    outcome,
    recordUuid: record?.recordUuid ?? null,
    manifestExternalId: record?.manifestExternalId ?? null,
    trackIdentifier: pallet?.wmsId ?? scan.wmsId,
  };
  const damages =
    scan.damaged &&
    !late &&
    pallet !== undefined &&
    pallet.trackUuid !== null &&
    !(pallet.flagged && pallet.damaged);
  const changes =
    pallet !== undefined &&
    changed.length +
      removed.length +
      boarding.unloaded.length +
      boarding.cleared.length +
      boarding.settled.length +
      (added ? 1 : 0) >
      0;
  const cameraDates = changes ? datesAfter(marker, scan) : undefined;
  return { scan, result, pallet, changed, added, removed, boarding, alert, countedIn, cameraDates, damages };
}

/** Whether the same camera has already changed the status of the pallet by a scan with a later scanDate. */
const isLate = ({ scan, marker }: Reading): boolean =>
  marker.pallet !== undefined && scan.scanDate < (marker.cameraDates.get(scan.camera) ?? scan.scanDate);

/** The effect of a scan that is not late. The first rule that applies decides it. */
function effectOf(reading: Reading, newUuid: () => string): Effect {
  const { markerCode, wmsId } = reading.scan;
  // The text is no pallet, no SSCC and no marker: the number of an article, or a place.
  if (markerCode === null && wmsId === null) return { outcome: 'NOT_RECOGNIZED' };
  const moved = moveRecords(reading, MOVES[reading.scan.direction]);
  if (reading.scan.direction === 'LOAD') {
    if (moved) return { ...moved, boarding: boardingEffect(reading.marker.where, moved.record!.loadUuid) };
    return reportNothingInProgress(reading, newUuid) ?? addInvalidRecord(reading, newUuid);
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

const isActive = ({ manifestStatus }: HeldRecord): boolean => manifestStatus === 'IN_PROGRESS';
const isActiveAs =
  (status: string) =>
  (record: HeldRecord): boolean =>
    isActive(record) && record.loadingStatus === status;
/** The load was cancelled at this gate while the pallet was aboard. */
const isLeftAboard = ({ manifestStatus, loadingStatus }: HeldRecord): boolean =>
  manifestStatus === 'CANCELLED' && loadingStatus === 'LOADED';
const isDispatchedAs =
  (status: string) =>
  ({ manifestStatus, loadingStatus }: HeldRecord): boolean =>
    manifestStatus === 'COMPLETED' && loadingStatus === status;

/** The possible moves of each direction. The first move with records applies. */
const MOVES: Record<Direction, readonly Move[]> = {
  LOAD: [{ applies: isActive, to: 'LOADED' }],
  UNLOAD: [
    { applies: isActiveAs('LOADED'), to: 'UNLOADED' },
    { applies: isLeftAboard, to: 'UNLOADED' },
    { applies: isActive, to: 'UNLOADED' },
  ],
  OFFLOAD: [
    { applies: isDispatchedAs('LOADED'), to: 'OFFLOADED' },
    // The pallet never left. It comes off the truck that is still being loaded.
    { applies: isActiveAs('LOADED'), to: 'UNLOADED' },
    { applies: isLeftAboard, to: 'UNLOADED' },
    { applies: isActive, to: 'UNLOADED' },
  ],
};

/**
 * Change the status of a pallet, if a manifest at the gate expects it or a completed manifest has it
 * on the truck. Otherwise undefined. If several loads at the gate expect it, the last activated load counts. Within
 * it, all records of the pallet change.
 */
function moveRecords({ marker }: Reading, moves: readonly Move[]): Effect | undefined {
  for (const { applies, to } of moves) {
    const [record] = marker.records.filter(applies);
    if (!record) continue;
    const records = marker.records.filter(
      isActive(record) ? (other) => isActive(other) && other.loadUuid === record.loadUuid : applies,
    );
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
  scan.direction === 'UNLOAD' && !view.active ? 'NO_ACTIVE_MANIFEST' : 'NOT_LOADED';

/**
 * If no manifest is in progress at the gate, raise an alert, or count the pallet or marker in the open one. It counts once.
 * Otherwise undefined.
 */
function reportNothingInProgress(reading: Reading, newUuid: () => string): Effect | undefined {
  const { view, marker } = reading;
  if (view.active) return undefined;
  const outcome = 'NO_ACTIVE_MANIFEST';
  if (marker.alerted) return { outcome };
  if (view.idleAlert !== undefined) return { outcome, countedIn: view.idleAlert };
  const params = { isUnknown: !marker.pallet };
  const about = { uuid: newUuid(), alertType: 'SCAN_WITHOUT_ACTIVE_MANIFEST', params } as const;
  return { outcome, alert: { ...about, ...readFacts(reading) } };
}

/**
 * No manifest at the gate expects the pallet or marker. The scan adds an invalid record and raises
 * an alert about it. A repeated scan finds this record and changes nothing. If the pallet is LOADED on another load, that
 * record stays until the next reading decides, and the alert names both gates.
 */
function addInvalidRecord(reading: Reading, newUuid: () => string): Effect {
  const { view, marker, scan } = reading;
  const { pallet, invalid, where } = marker;
  const active = view.active!;
  const loadingStatus = pallet ? 'WRONGLY_LOADED' : 'UNKNOWN_LOADING';
  const same = (pallet || scan.wmsId !== null ? where : invalid).find(
    (record) => record.loadUuid === active.loadUuid && record.loadingStatus === loadingStatus,
  );
  if (same) return { outcome: loadingStatus, record: same };
  const alertUuid = newUuid();
  const { uuid: gateUuid, externalIdentifier: gateExternalId } = view.gate;
  const added: PlacedRecord = {
    ...active,
    recordUuid: newUuid(),
    trackUuid: pallet?.trackUuid ?? null,
    wmsId: pallet?.wmsId ?? scan.wmsId,
    markerCode: scan.markerCode ?? pallet?.markerCode ?? null,
    loadingStatus,
    loadingDate: scan.scanDate,
    gateUuid,
    gateExternalId,
    manifestStatus: 'IN_PROGRESS',
    manifestGateUuid: gateUuid,
    alertUuids: [alertUuid],
  };
  const elsewhere = where.find((record) => record.loadingStatus === 'LOADED');
  const alert: ScanAlert = {
    uuid: alertUuid,
    alertType: loadingStatus,
    params: elsewhere
      ? {
          elsewhere: {
            load: elsewhere.shipmentExternalId ?? elsewhere.manifestExternalId,
            gate: elsewhere.gateExternalId,
          },
        }
      : {},
    ...readFacts(reading),
    manifestExternalId: added.manifestExternalId,
    shipmentExternalId: added.shipmentExternalId,
    recordUuid: added.recordUuid,
  };
  return { outcome: loadingStatus, record: added, added, alert };
}

/** The gate, and the pallet or marker, in an alert about a scan. */
const readFacts = ({ view: { gate }, marker: { pallet }, scan }: Reading) => ({
  gate,
  trackIdentifier: pallet?.wmsId ?? scan.wmsId,
  markerCode: scan.markerCode ?? pallet?.markerCode ?? null,
});
