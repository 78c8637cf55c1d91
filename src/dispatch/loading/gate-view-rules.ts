import type { Actor } from '../../core/writer/chain.ts';
import type { NewAlert } from '../alert/table.ts';
import type { GateReference } from '../gate/rules.ts';
import type { BoardingEffect, PlacedRecord } from '../load/shared/place-rules.ts';
import type { DIRECTIONS, SCAN_OUTCOMES } from './table.ts';

export type Direction = (typeof DIRECTIONS)[number];
export type ScanOutcome = (typeof SCAN_OUTCOMES)[number];

/** One reading of a camera or hand scanner. Dates are epoch milliseconds. */
export interface Scan {
  scanId: string;
  /** The code of a marker. Null if the reading has a text instead. */
  markerCode: number | null;
  /** The text of a label, as it was sent; null for the code of a marker. */
  identifier: string | null;
  /**
   * The WMS id that the text names: of a known pallet without a marker, or the 18 digits of an SSCC. Null if the text means
   * nothing, and for the code of a marker.
   */
  wmsId: string | null;
  direction: Direction;
  damaged: boolean;
  scanDate: number;
  /** Whether `scanDate` is the time of receipt, because the date from the device could not be right. */
  isReplaced?: boolean;
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

/** A known pallet: the pallet of a marker, or an asset of an open manifest. */
export interface Pallet {
  /** Null without a marker. */
  markerCode: number | null;
  /** Null without a track: the pallet never had a marker. */
  trackUuid: string | null;
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
  /** The uuid of the shipment, or of a manifest without a shipment. */
  loadUuid: string;
}

/**
 * An asset record that a scan may change. Its manifest is in progress at the gate, or it was cancelled there while the
 * pallet was aboard. Or its manifest is completed, and the record stores the track of the scanned pallet. Lists of these
 * records are sorted: the record with the manifest that was activated (or closed) last comes first.
 */
export interface HeldRecord extends ManifestOfShipment {
  recordUuid: string;
  wmsId: string;
  trackUuid: string | null;
  loadingStatus: string;
  gateUuid: string | null;
  gateExternalId: string | null;
  manifestStatus: 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED';
}

/** The state of a marker at a gate. */
export interface MarkerView {
  pallet: Pallet | undefined;
  /** Records of its pallet. */
  records: readonly HeldRecord[];
  /**
   * Its invalid records at the gate: they were added there, or their manifests are in progress there. Records of manifests
   * in progress come first, then the newest.
   */
  invalid: readonly PlacedRecord[];
  /** The records of its pallet at all gates that say where the pallet is (`whereQuery`). */
  where: readonly PlacedRecord[];
  /** Whether the open alert about readings at the gate without work (`GateView.idleAlert`) has counted it. */
  alerted: boolean;
  /** By camera, the latest scanDate of a scan that changed the status of the pallet. Empty without a track. */
  cameraDates: ReadonlyMap<string, number>;
}

/** A marker that has no pallet, records or alerts. */
export const UNKNOWN_MARKER: MarkerView = {
  pallet: undefined,
  records: [],
  invalid: [],
  where: [],
  alerted: false,
  cameraDates: new Map(),
};

/** The state at a gate on which the rules decide about scans. */
export interface GateView {
  gate: GateReference;
  /** The manifest in progress at the gate that was activated last. */
  active: ManifestOfShipment | undefined;
  /** The uuid of the open alert about readings at the gate without work, if one is open. */
  idleAlert: string | undefined;
  /** Results of scans that were processed before, by `readingKey`. */
  earlier: ReadonlyMap<string, ScanResult>;
  /** The scanIds of scans that were processed before. */
  usedIds: ReadonlySet<string>;
  /** By the subject of scans. A subject that is missing here is an `UNKNOWN_MARKER`. */
  markers: ReadonlyMap<string, MarkerView>;
}

/** The name of the thing that a scan has read: a marker, or a pallet without one. */
export const subjectOf = ({ markerCode, wmsId }: Pick<Scan, 'markerCode' | 'wmsId'>): string =>
  markerCode === null ? `pallet ${wmsId}` : `marker ${markerCode}`;

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
  added: PlacedRecord | undefined;
  removed: readonly PlacedRecord[];
  /** The effect on records of other loads, if the pallet became LOADED. */
  boarding: BoardingEffect;
  alert: ScanAlert | undefined;
  /** The open alert that counts the scan, because nothing is being loaded at the gate; otherwise undefined. */
  countedIn: string | undefined;
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
  const { changed, added, removed, boarding, damages } = decision;
  const { pallet, records, invalid, where, alerted } = marker;
  const statuses = new Map<string, ScannedStatus>([
    ...boarding.unloaded.map(({ recordUuid }) => [recordUuid, 'UNLOADED'] as const),
    ...changed.map(({ record, to }) => [record.recordUuid, to] as const),
  ]);
  const gone = new Set(
    [...removed, ...boarding.cleared, ...boarding.settled].map(({ recordUuid }) => recordUuid),
  );
  const moved = (record: HeldRecord): HeldRecord => {
    const loadingStatus = statuses.get(record.recordUuid);
    if (!loadingStatus) return record;
    return { ...record, loadingStatus, gateUuid: gate.uuid, gateExternalId: gate.externalIdentifier };
  };
  const left = invalid.filter(({ recordUuid }) => !gone.has(recordUuid));
  const loaded = changed.filter(
    ({ record, to }) => to === 'LOADED' && record.manifestStatus === 'IN_PROGRESS',
  );
  return {
    pallet: damages ? { ...pallet!, flagged: 1, damaged: 1 } : pallet,
    records: records.map(moved),
    invalid: added ? [added, ...left] : left,
    where: [
      ...where.filter(({ recordUuid }) => !gone.has(recordUuid) && !statuses.has(recordUuid)),
      ...loaded.map(({ record }) => placedOfHeld(moved(record), marker, decision)),
      ...(added?.wmsId ? [added] : []),
    ],
    alerted: alerted || idleAlertOf(decision) !== undefined,
    cameraDates: decision.cameraDates ?? marker.cameraDates,
  };
}

/** A record as later scans of the same commit find it. */
const placedOfHeld = (record: HeldRecord, { pallet }: MarkerView, { scan }: Decision): PlacedRecord => ({
  ...record,
  markerCode: scan.markerCode ?? pallet!.markerCode,
  loadingStatus: 'LOADED',
  loadingDate: scan.scanDate,
  manifestGateUuid: record.gateUuid,
  alertUuids: [],
});
/** The alert about readings at the gate without work that a scan raised or that counts it; otherwise undefined. */
export const idleAlertOf = ({ alert, countedIn }: Decision): string | undefined =>
  alert?.alertType === 'SCAN_WITHOUT_ACTIVE_MANIFEST' ? alert.uuid : countedIn;
