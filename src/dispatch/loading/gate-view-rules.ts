import type { Actor } from '../../core/writer/chain.ts';
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
  /** Identifies the camera: its hardware id, else the caller (`cameraOf`). */
  camera: string;
}

/** The identity of a camera. The prefix keeps a hardware id from being read as a caller. */
export const cameraOf = (
  cameraHardwareId: string | null,
  actor: Pick<Actor, 'actorType' | 'uuid'>,
): string => (cameraHardwareId === null ? `${actor.actorType} ${actor.uuid}` : `CAMERA ${cameraHardwareId}`);

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
 * An invalid loading record of a marker at a gate: it was added there, or its manifest is in progress there. Lists of
 * these records are sorted: records of manifests in progress come first, then the newest.
 */
export interface InvalidRecord extends ManifestOfShipment {
  recordUuid: string;
  trackUuid: string | null;
  wmsId: string | null;
  markerCode: number;
  loadingStatus: 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
  gateExternalId: string | null;
  /** Whether its manifest is closed. */
  afterClose: boolean;
  /** The open alerts about it. */
  alertUuids: readonly string[];
}

/** The state of a marker at a gate. */
export interface MarkerView {
  pallet: Pallet | undefined;
  /** Records of its pallet. */
  records: readonly HeldRecord[];
  invalid: readonly InvalidRecord[];
  /** Whether a SCAN_WITHOUT_ACTIVE_MANIFEST alert for this marker is open at the gate. */
  alerted: boolean;
  /** By camera, the latest scanDate of a scan that changed the status of the pallet. */
  cameraDates: ReadonlyMap<string, number>;
}

/** A marker that has no pallet, records or alerts. */
export const UNKNOWN_MARKER: MarkerView = {
  pallet: undefined,
  records: [],
  invalid: [],
  alerted: false,
  cameraDates: new Map(),
};

/** The state at a gate on which the rules decide about scans. */
export interface GateView {
  gate: GateReference;
  /** The manifest in progress at the gate that was activated last. */
  target: ManifestOfShipment | undefined;
  /** Results of scans that were processed before, by `readingKey`. */
  earlier: ReadonlyMap<string, ScanResult>;
  /** The scanIds of scans that were processed before. */
  usedIds: ReadonlySet<string>;
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

/** The alert of a scan. If it is about an invalid record, the record names it. */
export type ScanAlert = NewAlert & { uuid: string };

export interface Decision {
  scan: Scan;
  result: ScanResult;
  /** The pallet of the marker before the scan; undefined for an unknown marker. */
  pallet: Pallet | undefined;
  changed: readonly StatusChange[];
  added: InvalidRecord | undefined;
  removed: readonly InvalidRecord[];
  alert: ScanAlert | undefined;
  /** The dates of cameras after the scan, if it changes the status of its pallet; otherwise undefined. */
  cameraDates: ReadonlyMap<string, number> | undefined;
  /** Whether the scan newly flags the pallet as damaged. */
  damages: boolean;
}

/** A pallet has dates of at most this many cameras. */
const CAMERAS_MAXIMUM = 20;

/** The dates of cameras after a scan that changes the status of its pallet. The latest dates are kept. */
export const datesAfter = (
  { cameraDates }: MarkerView,
  { camera, scanDate }: Scan,
): ReadonlyMap<string, number> =>
  new Map(
    [...new Map([...cameraDates, [camera, scanDate]])]
      .sort(([, one], [, other]) => other - one)
      .slice(0, CAMERAS_MAXIMUM),
  );

/** The state of a marker after the decision on a scan of it. */
export function markerAfter({ gate }: GateView, marker: MarkerView, decision: Decision): MarkerView {
  const { changed, added, removed, alert, damages } = decision;
  const { pallet, records, invalid, alerted } = marker;
  const statuses = new Map(changed.map(({ record, to }) => [record.recordUuid, to]));
  const moved = (record: HeldRecord): HeldRecord => {
    const loadingStatus = statuses.get(record.recordUuid);
    if (!loadingStatus) return record;
    return { ...record, loadingStatus, gateUuid: gate.uuid, gateExternalId: gate.externalIdentifier };
  };
  const left = invalid.filter((record) => !removed.includes(record));
  return {
    pallet: damages ? { ...pallet!, flagged: 1, damaged: 1 } : pallet,
    records: records.map(moved),
    invalid: added ? [added, ...left] : left,
    alerted: alerted || alert?.alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST',
    cameraDates: decision.cameraDates ?? marker.cameraDates,
  };
}
