import type { NewAlert } from '../alert/table.ts';
import type { GateReference } from '../gate/rules.ts';
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

/** An existing invalid loading of a marker, on the manifest that would get a new one. */
export interface InvalidRecord {
  recordUuid: string;
  trackUuid: string | null;
  markerCode: number;
  loadingStatus: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
}

/** What is known of a marker at a gate. */
export interface MarkerView {
  pallet: Pallet | undefined;
  /** Records of its pallet. */
  records: readonly HeldRecord[];
  invalid: readonly InvalidRecord[];
  /** Whether an alert of a scan of it without an active manifest is open there. */
  alerted: boolean;
}

/** A marker without a pallet, of which nothing is known. */
export const UNKNOWN_MARKER: MarkerView = { pallet: undefined, records: [], invalid: [], alerted: false };

/** The state at a gate that scans are decided on. */
export interface GateView {
  gate: GateReference;
  /** The manifest in progress there that was activated last. */
  target: ManifestOfShipment | undefined;
  /** Results of scans that were processed before, by scanId. */
  earlier: ReadonlyMap<string, ScanResult>;
  /** By code. Markers that are not in it are `UNKNOWN_MARKER`. */
  markers: ReadonlyMap<number, MarkerView>;
}

/** The status that a scan gives a record. */
export type ScannedStatus = 'LOADED' | 'UNLOADED' | 'OFFLOADED';

/** A change of a record's status. `record` is the state before it. */
export interface StatusChange {
  record: HeldRecord;
  to: ScannedStatus;
}

/** A new invalid record, on the manifest that it is added to. */
export type NewInvalidRecord = InvalidRecord & { manifest: ManifestOfShipment };

/** The decision on a scan. */
export interface Decision {
  scan: Scan;
  result: ScanResult;
  /** The pallet of the marker as it was before the scan; undefined for an unknown marker. */
  pallet: Pallet | undefined;
  changed: readonly StatusChange[];
  added: NewInvalidRecord | undefined;
  alert: NewAlert | undefined;
  /** Whether the scan flags a pallet as damaged that was not flagged so before. */
  damages: boolean;
}

/** The state of a marker after a decision on a scan of it. */
export function markerAfter(
  { gate }: GateView,
  { pallet, records, invalid, alerted }: MarkerView,
  { changed, added, alert, damages }: Decision,
): MarkerView {
  const statuses = new Map(changed.map(({ record, to }) => [record.recordUuid, to]));
  const moved = (record: HeldRecord): HeldRecord => {
    const loadingStatus = statuses.get(record.recordUuid);
    if (!loadingStatus) return record;
    return { ...record, loadingStatus, gateUuid: gate.uuid, gateExternalId: gate.externalIdentifier };
  };
  return {
    pallet: damages ? { ...pallet!, flagged: 1, damaged: 1 } : pallet,
    records: records.map(moved),
    invalid: added ? [...invalid, added] : invalid,
    alerted: alerted || alert?.alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST',
  };
}
