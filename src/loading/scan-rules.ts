import type { DIRECTIONS, SCAN_OUTCOMES } from './table.ts';

export type Direction = (typeof DIRECTIONS)[number];
export type ScanOutcome = (typeof SCAN_OUTCOMES)[number];

/** One reading of a camera. Dates in epoch milliseconds. */
export interface Scan {
  scanId: string;
  markerCode: number;
  direction: Direction;
  damaged: boolean;
  scanDate: number;
  cameraHardwareId: string | null;
}

/** The result of a scan. */
export interface ScanResult {
  scanId: string;
  outcome: ScanOutcome;
  recordUuid: string | null;
  manifestExternalId: string | null;
  /** WMS id of the pallet; null for an unknown marker. */
  trackIdentifier: string | null;
}

/** The pallet of a marker. */
export interface Pallet {
  markerCode: number;
  trackUuid: string;
  wmsId: string;
  retirement: 'NONE' | 'SCHEDULED' | 'RETIRED';
  flagged: 0 | 1;
  damaged: 0 | 1;
}

/** A manifest with the shipment it belongs to. */
export interface ManifestOfShipment {
  manifestUuid: string;
  manifestExternalId: string;
  shipmentExternalId: string | null;
}

/**
 * An asset record that a scan may change: of a manifest in progress at the gate, or of a completed one that has this
 * very track. In order of preference: the manifest activated (closed) last comes first.
 */
export interface HeldRecord extends ManifestOfShipment {
  recordUuid: string;
  trackUuid: string;
  loadingStatus: string;
  gateUuid: string | null;
  gateExternalId: string | null;
  /** Whether its manifest is completed; else it is in progress at the gate. */
  completed: 0 | 1;
}

/** An existing invalid loading of a scanned code, on the manifest that would get a new one. */
export interface InvalidRecord {
  recordUuid: string;
  trackUuid: string | null;
  markerCode: number;
  loadingStatus: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
}

/** The state at a gate that scans are decided on. */
export interface GateView {
  /** Results of scans that were processed before, by scanId. */
  earlier: ReadonlyMap<string, ScanResult>;
  /** The manifest in progress there that was activated last. */
  target: ManifestOfShipment | undefined;
  pallets: ReadonlyMap<number, Pallet>;
  /** By the uuid of their track. */
  records: ReadonlyMap<string, readonly HeldRecord[]>;
  invalid: readonly InvalidRecord[];
  /** Codes for which an alert of a scan without an active manifest is open there. */
  alerted: readonly number[];
}

/** The decision on a scan. */
export interface Decision {
  scan: Scan;
  result: ScanResult;
  pallet: Pallet | undefined;
  /** Records that change, with their previous status. */
  changed: { record: HeldRecord; from: string; to: 'LOADED' | 'UNLOADED' | 'OFFLOADED' }[];
  /** The record of an invalid loading that is new. */
  added: (InvalidRecord & { manifest: ManifestOfShipment }) | undefined;
  /** Whether to raise the alert that something moves at a gate where nothing is in progress. */
  unattended: boolean;
  /** Whether the pallet is newly found to be damaged. */
  damages: boolean;
}

/**
 * Decide on scans one after the other: each sees what those before it changed. @returns the results in order, and a
 * decision for each scan that was not processed before
 */
export function decideScans(
  view: GateView,
  scans: readonly Scan[],
  newUuid: () => string,
): { results: ScanResult[]; decisions: Decision[] } {
  const answered = new Map(view.earlier);
  const statuses = new Map(
    [...view.records.values()].flat().map((record) => [record.recordUuid, record.loadingStatus]),
  );
  const invalid = [...view.invalid];
  const alerted = new Set(view.alerted);
  const damaged = new Set(
    [...view.pallets.values()]
      .filter((pallet) => pallet.flagged && pallet.damaged)
      .map(({ trackUuid }) => trackUuid),
  );
  const decisions: Decision[] = [];
  const results = scans.map((scan) => {
    const before = answered.get(scan.scanId);
    if (before) return before;
    const decision = decide(view, scan, statuses, invalid, alerted, newUuid);
    for (const { record, to } of decision.changed) statuses.set(record.recordUuid, to);
    if (decision.added) invalid.push(decision.added);
    if (decision.unattended) alerted.add(scan.markerCode);
    if (scan.damaged && decision.pallet && !damaged.has(decision.pallet.trackUuid)) {
      decision.damages = true;
      damaged.add(decision.pallet.trackUuid);
    }
    answered.set(scan.scanId, decision.result);
    decisions.push(decision);
    return decision.result;
  });
  return { results, decisions };
}

function decide(
  view: GateView,
  scan: Scan,
  statuses: ReadonlyMap<string, string>,
  invalid: readonly InvalidRecord[],
  alerted: ReadonlySet<number>,
  newUuid: () => string,
): Decision {
  const pallet = view.pallets.get(scan.markerCode);
  const nothing = { scan, pallet, changed: [], added: undefined, unattended: false, damages: false };
  const answer = (
    outcome: ScanOutcome,
    recordUuid: string | null,
    manifest: ManifestOfShipment | undefined,
  ): ScanResult => ({
    scanId: scan.scanId,
    outcome,
    recordUuid,
    manifestExternalId: manifest?.manifestExternalId ?? null,
    trackIdentifier: pallet?.wmsId ?? null,
  });
  const held = pallet && view.records.get(pallet.trackUuid);
  const meant = held && meaning(held, scan.direction, statuses);
  if (meant) {
    const [first] = meant.records;
    const changed = meant.records
      .map((record) => ({ record, from: statuses.get(record.recordUuid)!, to: meant.to }))
      .filter(({ from, to }) => from !== to);
    return { ...nothing, changed, result: answer(meant.to, first!.recordUuid, first) };
  }
  const { target } = view;
  if (!target) {
    const unattended = !alerted.has(scan.markerCode);
    return { ...nothing, unattended, result: answer('NO_ACTIVE_MANIFEST', null, undefined) };
  }
  const loadingStatus = pallet ? 'WRONGLY_LOADED' : 'UNKNOWN_LOADING';
  const trackUuid = pallet?.trackUuid ?? null;
  const same = invalid.find(
    (record) =>
      record.loadingStatus === loadingStatus &&
      (pallet ? record.trackUuid === trackUuid : record.markerCode === scan.markerCode),
  );
  if (same) return { ...nothing, result: answer(loadingStatus, same.recordUuid, target) };
  const recordUuid = newUuid();
  const added = {
    recordUuid,
    trackUuid,
    markerCode: scan.markerCode,
    loadingStatus,
    manifest: target,
  } as const;
  return { ...nothing, added, result: answer(loadingStatus, recordUuid, target) };
}

/** The records of a pallet that a scan changes, and their new status; undefined where there are none. */
function meaning(
  held: readonly HeldRecord[],
  direction: Direction,
  statuses: ReadonlyMap<string, string>,
): { records: HeldRecord[]; to: 'LOADED' | 'UNLOADED' | 'OFFLOADED' } | undefined {
  const active = held.filter(({ completed }) => completed === 0);
  const dispatched = (status: string) =>
    held.filter(({ completed, recordUuid }) => completed === 1 && statuses.get(recordUuid) === status);
  const choices =
    direction === 'OFFLOAD'
      ? ([
          [dispatched('LOADED'), 'OFFLOADED'],
          // It never left: it comes off the truck that is still being loaded.
          [active, 'UNLOADED'],
          // A camera reads a pallet more than once.
          [dispatched('OFFLOADED'), 'OFFLOADED'],
        ] as const)
      : ([[active, direction === 'LOAD' ? 'LOADED' : 'UNLOADED']] as const);
  const choice = choices.find(([found]) => found.length > 0);
  return choice && { records: choice[0], to: choice[1] };
}
