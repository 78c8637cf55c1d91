import { DAY_MS } from '../core/lib/time.ts';

/**
 * The date (epoch milliseconds) before which closed work is archived. It is 0, which precedes everything, if nothing
 * is.
 */
export const retainedSince = (retentionDays: number | null | undefined, now: number): number =>
  retentionDays ? now - retentionDays * DAY_MS : 0;

/** A unit of archiving: a shipment with its manifests, or a manifest without a shipment. */
export interface ClosedLoad {
  kind: 'SHIPMENT' | 'MANIFEST';
  uuid: string;
}

/** An object in the bucket. */
export interface PutObject {
  objectKey: string;
  /** SHA-256 of its bytes, hexadecimal. */
  sha256: string;
  sizeBytes: number;
}

/** The same with its role in the archive of a unit. */
export interface WrittenObject extends PutObject {
  kind: 'DOCUMENT' | 'RECORDS' | 'TRACKS';
  place: number;
}

/** A manifest or shipment to become an archive entry. */
export interface NewEntry {
  uuid: string;
  place: number;
  firstRecord: number;
}

/** How far the copy of a unit is. Its objects are in the order in which they are made. */
export interface CopyProgress {
  fingerprint: string;
  objects: WrittenObject[];
}

/** The copy of a unit in the bucket, and the state that was copied. */
export interface CopiedLoad {
  load: ClosedLoad;
  fingerprint: string;
  entries: NewEntry[];
  objects: WrittenObject[];
}

/** An archive entry that still has rows in the database. */
export interface Uncleared {
  uuid: string;
  externalIdentifier: string;
  unitUuid: string;
}

/** Copied tracks, and the loading records of an archived manifest that they were on. */
export interface CopiedTracks {
  of: Uncleared;
  recordUuids: string[];
  /** The state of the tracks when they were copied. */
  fingerprint: string;
  object: PutObject;
}
