import { DAY_MS } from '../lib/time.ts';

/** What was closed before that is to go (epoch milliseconds); 0, before which nothing was, where all stays. */
export const retainedSince = (retentionDays: number | null | undefined, now: number): number =>
  retentionDays ? now - retentionDays * DAY_MS : 0;

/** What goes to the archive as one: a shipment with its manifests, or a manifest in none. */
export interface Unit {
  kind: 'SHIPMENT' | 'MANIFEST';
  uuid: string;
}

/** An object that was put into the bucket. */
export interface PutObject {
  objectKey: string;
  /** Of its bytes, hexadecimal. */
  sha256: string;
  sizeBytes: number;
}

/** The same with what of a unit's archive it is to be. */
export interface WrittenObject extends PutObject {
  kind: 'DOCUMENT' | 'RECORDS' | 'TRACKS';
  place: number;
}

/** A manifest or shipment that is to be an entry of the archive. */
export interface NewEntry {
  uuid: string;
  place: number;
  firstRecord: number;
}

/** What was copied of a unit into the bucket, and what it was then. */
export interface CopiedUnit {
  unit: Unit;
  fingerprint: string;
  entries: NewEntry[];
  objects: WrittenObject[];
}

/** A manifest or shipment of the archive of which rows are left in the database. */
export interface Uncleared {
  uuid: string;
  externalIdentifier: string;
  unitUuid: string;
}

/** Tracks that were copied, and the loading records of an archived manifest that they were on. */
export interface CopiedTracks {
  of: Uncleared;
  recordUuids: string[];
  /** What the tracks were when they were copied. */
  fingerprint: string;
  object: PutObject;
}
