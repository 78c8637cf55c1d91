import type { NewAlert } from '../alert/table.ts';
import type { GateReference } from '../gate/rules.ts';
import type { DIRECTIONS, SCAN_OUTCOMES } from './table.ts';

export type Direction = (typeof DIRECTIONS)[number];
export type ScanOutcome = (typeof SCAN_OUTCOMES)[number];

/** One reading of a camera. Dates are epoch milliseconds. */
export interface Scan {
  scanId: string;
  markerCode: number;
  direction: Direction;
  damaged: boolean;
  scanDate: number;
  cameraHardwareId: string | null;
}

export interface ScanResult {
  scanId: string;
  outcome: ScanOutcome;
  recordUuid: string | null;
  manifestExternalId: string | null;
  /** WMS id of the pallet; null for an unknown marker. */
  trackIdentifier: string | null;
}

/** The pallet that is coupled to a marker. */
export interface Pallet {
  markerCode: number;
  trackUuid: string;
  wmsId: string;
  retirement: 'NONE' | 'SCHEDULED' | 'RETIRED';
  flagged: 0 | 1;
  damaged: 0 | 1;
}

/** A manifest and the shipment it belongs to. */
export interface ManifestOfShipment {
  manifestUuid: string;
  manifestExternalId: string;
  shipmentExternalId: string | null;
}

/**
 * An asset record that a scan may change. Its manifest is in progress at the gate. Or its manifest is
 * completed, and the record stores the track of the scanned pallet. Lists of these records are
 * sorted: the record with the manifest that was activated (or closed) last comes first.
 */
export interface HeldRecord extends ManifestOfShipment {
  recordUuid: string;
  trackUuid: string;
  loadingStatus: string;
  gateUuid: string | null;
  gateExternalId: string | null;
  /** 1 if its manifest is completed, 0 if it is in progress at the gate. */
  completed: 0 | 1;
}

/**
 * An invalid loading record that a marker already has. It is on the manifest that would also get a
 * new invalid record.
 */
export interface InvalidRecord {
  recordUuid: string;
  trackUuid: string | null;
  markerCode: number;
  loadingStatus: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
}

/** The state of a marker at a gate. */
export interface MarkerView {
  pallet: Pallet | undefined;
  /** Records of its pallet. */
  records: readonly HeldRecord[];
  invalid: readonly InvalidRecord[];
  /** Whether a SCAN_WITHOUT_ACTIVE_MANIFEST alert for this marker is open at the gate. */
  alerted: boolean;
}

/** A marker that has no pallet, records or alerts. */
export const UNKNOWN_MARKER: MarkerView = { pallet: undefined, records: [], invalid: [], alerted: false };

/** The state at a gate on which the rules decide about scans. */
export interface GateView {
  gate: GateReference;
  /** The manifest in progress at the gate that was activated last. */
  target: ManifestOfShipment | undefined;
  /** Results of scans that were processed before, by scanId. */
  earlier: ReadonlyMap<string, ScanResult>;
  /** By code. A marker that is missing here is an `UNKNOWN_MARKER`. */
  markers: ReadonlyMap<number, MarkerView>;
}

/** The status that a scan gives a record. */
export type ScannedStatus = 'LOADED' | 'UNLOADED' | 'OFFLOADED';

/** A change of a record's status. `record` is the state before the change. */
export interface StatusChange {
  record: HeldRecord;
  to: ScannedStatus;
}

/** A new invalid record and its manifest. */
export type NewInvalidRecord = InvalidRecord & { manifest: ManifestOfShipment };

export interface Decision {
  scan: Scan;
  result: ScanResult;
  /** The pallet of the marker before the scan; undefined for an unknown marker. */
  pallet: Pallet | undefined;
  changed: readonly StatusChange[];
  added: NewInvalidRecord | undefined;
  alert: NewAlert | undefined;
  /** Whether the scan newly flags the pallet as damaged. */
  damages: boolean;
}

/** The state of a marker after the decision on a scan of it. */
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
