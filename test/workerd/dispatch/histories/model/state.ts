import type { AlertType } from '../../../../../src/dispatch/alert/rules.ts';
import { type ANY, type Containing, type Instant, Known, type Moment, Unknown } from './values.ts';

export type Status = 'PLANNED' | 'TO_DO' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED';
export const STATUSES: Status[] = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'];

interface Made {
  uuid: Unknown;
  created: Instant;
  /** The last step that must have changed its updateDate. */
  touched: Instant;
  deleted: boolean;
}

export interface Gate extends Made {
  id: string;
}

/** An entry of a timeline. */
export interface Entry {
  type: string;
  date: Moment;
  gate: Gate | null | typeof ANY;
  manifest: string | null | typeof ANY;
  shipment: string | null | typeof ANY;
  details: string | null | Containing | typeof ANY;
}

export interface Track extends Made {
  wmsId: string;
  code: number;
  retirement: 'NONE' | 'SCHEDULED' | 'RETIRED';
  flagged: boolean;
  damaged: boolean;
  retired: Moment | null;
  lastSeen: Moment | null;
  lastGate: Gate | null;
  timeline: Entry[];
}

/** A loading record: an asset of its manifest, or an invalid record. */
export interface Loading {
  uuid: Unknown;
  manifest: Manifest;
  wmsId: string | null;
  /** The scanned code of an invalid record. */
  code: number | null;
  status: 'NOT_LOADED' | 'LOADED' | 'UNLOADED' | 'OFFLOADED' | 'WRONGLY_LOADED' | 'UNKNOWN_LOADING';
  /** The scanned track of an invalid record. For an asset, its track when the manifest closed. */
  track: Track | null;
  gate: Gate | null;
  loaded: Moment | null;
  created: Instant;
  touched: Instant;
}

/** A photo of a pallet, manifest or shipment. */
export interface Photo {
  uuid: Unknown;
  kind: 'DAMAGE' | 'LOAD' | 'SEAL' | 'OTHER';
  owner: Track | Manifest | Shipment;
  /** The identifier of the owner under the name of its kind. */
  reference: Record<string, string>;
  author: string;
  created: Instant;
}

/** A signature. The latest one of each role counts. */
export interface Signature {
  role: string;
  name: string;
  signDate: string;
}

export interface Manifest extends Made {
  id: string;
  status: Status;
  gate: Gate | null;
  activated: Instant | null;
  closed: Instant | null;
  fields: Map<string, string>;
  records: Loading[];
  shipment: Shipment | null;
  /** Its back order, and the manifest that it is the back order of. */
  backorder: Manifest | null;
  backorderOf: Manifest | null;
  signatures: Signature[];
}

export interface Shipment extends Made {
  id: string;
  status: Status;
  gate: Gate | null;
  notes: string | null;
  shortReason: string | null;
  arrived: Moment | null;
  driverName: string | null;
  activated: Instant | null;
  closed: Instant | null;
  fields: Map<string, string>;
  /** In the order of attachment. */
  members: Manifest[];
  /** The invalid records that were removed. */
  caught: number;
  signatures: Signature[];
}

export interface Alert {
  uuid: Unknown;
  type: AlertType;
  gate: Gate | null;
  wmsId: string | null;
  code: number | null;
  manifest: string | null;
  shipment: string | null;
  record: Loading | null;
  /** The load that was completed without pallets, or that is not in progress any more. */
  load?: Shipment | Manifest;
  /** The readings that it covers, and their pallets and markers that are not accounted for. */
  count: number;
  covers: { wmsId: string | null; code: number | null }[];
  /** When it counted its last reading. */
  counted?: Instant;
  raised: Instant;
  resolved: Instant | null;
}

/** An audit entry of a loading record. */
export interface Audit {
  action: 'ASSET_LOADING_STATUS_CHANGED' | 'UNAUTHORIZED_LOADING_ADDED' | 'UNAUTHORIZED_LOADING_RESOLVED';
  record: Loading;
  afterClose: boolean | typeof ANY;
}

/** The answer to a scan. */
export interface ScanAnswer {
  scanId: string;
  outcome: string;
  recordUuid: Unknown | null;
  manifestExternalId: string | null;
  trackIdentifier: string | null;
}

/** A model of an organization's dispatch data, in memory and with simple rules. */
export class Model {
  readonly known = new Known();
  /** The instant of the current step. */
  now = this.known.instant();
  readonly gates: Gate[] = [];
  readonly tracks: Track[] = [];
  /** The timelines of WMS ids without a marker. */
  readonly unmarked = new Map<string, Entry[]>();
  readonly manifests: Manifest[] = [];
  readonly shipments: Shipment[] = [];
  readonly alerts: Alert[] = [];
  /** All loading records, including removed ones. */
  readonly records: Loading[] = [];
  readonly audits: Audit[] = [];
  /** Photos that were not deleted. */
  readonly photos: Photo[] = [];
  /** The events about photos, signatures and arrivals in their order: type and uuid of the entity. */
  readonly events: [type: string, uuid: Unknown][] = [];
  /** The first answers to scans, by scanId, marker and direction. */
  readonly scans = new Map<string, ScanAnswer>();
  /** When cameras changed the status of a pallet. */
  readonly changes = new Map<Track, Map<string, Moment>>();
  /** How many commits recorded scans. Each has one audit entry. */
  scanCommits = 0;
  nextCode = 1;

  begin(): void {
    this.now = this.known.instant();
  }

  made(): Made {
    return { uuid: new Unknown(), created: this.now, touched: this.now, deleted: false };
  }

  gate(identifier: string | null | undefined): Gate | null {
    return this.gates.find(({ id, deleted }) => id === identifier && !deleted) ?? null;
  }

  manifest(identifier: string): Manifest | undefined {
    return named(this.manifests, identifier);
  }

  shipment(identifier: string): Shipment | undefined {
    return named(this.shipments, identifier);
  }

  /** Finds a track by uuid, or the live track by WMS id. */
  track(identifier: string): Track | undefined {
    const found = this.tracks.find(({ uuid, deleted }) => uuid.value === identifier && !deleted);
    return found ?? this.linked(identifier);
  }

  live(wmsId: string): Track | undefined {
    return this.tracks.find(
      (track) => track.wmsId === wmsId && !track.deleted && track.retirement !== 'RETIRED',
    );
  }

  /** The track that a WMS id means: the live one, otherwise the latest retired one. */
  linked(wmsId: string | null): Track | undefined {
    if (wmsId === null) return undefined;
    return this.live(wmsId) ?? this.tracks.findLast((track) => track.wmsId === wmsId && !track.deleted);
  }

  /** The track of a marker code that is not deleted. */
  ofCode(code: number): Track | undefined {
    return this.tracks.find((track) => track.code === code && !track.deleted);
  }

  openManifests(): Manifest[] {
    return this.manifests.filter((manifest) => !manifest.deleted && isOpen(manifest));
  }

  /** Changes the updateDate of a manifest and of its shipment. */
  touch(manifest: Manifest): void {
    manifest.touched = this.now;
    if (manifest.shipment) manifest.shipment.touched = this.now;
  }

  /** Counts an invalid record that was removed from a manifest, on its shipment. */
  catch({ status, shipment }: Manifest): void {
    if (shipment && status !== 'CANCELLED') shipment.caught += 1;
  }

  /** Adds an entry to the timelines of the live tracks with these WMS ids. */
  noteLive(wmsIds: string[], type: string, entry: Partial<Entry>): void {
    for (const wmsId of wmsIds) this.note(this.live(wmsId), type, entry);
  }

  /** Adds DETACHED to the timelines of these WMS ids, also without a marker or with a retired track. */
  noteDetached(wmsIds: string[], entry: Partial<Entry>): void {
    for (const wmsId of wmsIds) this.note(this.linked(wmsId) ?? wmsId, 'DETACHED', entry);
  }

  /** Adds an entry to the timeline of a track, or of a WMS id without a marker. */
  note(pallet: Track | string | null | undefined, type: string, entry: Partial<Entry> = {}): void {
    const blank = { date: this.now, gate: null, manifest: null, shipment: null, details: null };
    this.#timelineOf(pallet)?.push({ ...blank, type, ...entry });
  }

  /** The entries of a track, and, while it lives, the entries of its WMS id without a marker. */
  timeline(track: Track): Entry[] {
    return [...track.timeline, ...(track.deleted ? [] : (this.unmarked.get(track.wmsId) ?? []))];
  }

  #timelineOf(pallet: Track | string | null | undefined): Entry[] | undefined {
    if (typeof pallet !== 'string') return pallet?.timeline;
    const entries = this.unmarked.get(pallet) ?? [];
    this.unmarked.set(pallet, entries);
    return entries;
  }
}

/** Finds an item by external id, otherwise by uuid. Deleted items are ignored. */
function named<T extends Made & { id: string }>(items: T[], identifier: string): T | undefined {
  const present = items.filter(({ deleted }) => !deleted);
  return present.find(({ id }) => id === identifier) ?? present.find(({ uuid }) => uuid.value === identifier);
}

export const isOpen = ({ status }: { status: Status }): boolean =>
  status !== 'COMPLETED' && status !== 'CANCELLED';

export const isAsset = ({ status }: Loading): boolean =>
  status !== 'WRONGLY_LOADED' && status !== 'UNKNOWN_LOADING';

export const assetsOf = ({ records }: Manifest): Loading[] => records.filter(isAsset);
