import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { PlacedRecord } from '../load/shared/place-rules.ts';

/** A loading record with all of its columns. */
export interface KeptRecord extends PlacedRecord {
  /** The stored columns. A placed record has the values of its pallet instead. */
  ownMarkerCode: number | null;
  ownTrackUuid: string | null;
  createDate: number;
  closed: 0 | 1;
}

/** A manifest as a member of a shipment. */
export interface KeptMember {
  manifestUuid: string;
  shipmentUuid: string;
  /** Its place among the members. */
  place: number;
}

/** Rows before and after a command. The stored answer of the command has them, for its undo. */
export interface Kept {
  /** Whether the command marks or removes records, or takes pallets or a manifest from a load. */
  kind: 'load' | 'remove' | 'detach';
  /** When the command was committed, in epoch milliseconds. */
  date: number;
  /** The records that the command may change. */
  records: KeptRecord[];
  /** The open alerts about them and their loads. */
  alerts: string[];
  /** The pallets that alerts cover. */
  covered: { alertUuid: string; wmsId: string | null; markerCode: number | null }[];
  /** The tracks that the command retires. */
  retired: { uuid: string; wmsId: string }[];
  /** The shipment that a manifest leaves. */
  member: KeptMember | null;
  after: Present;
}

/** The rows that a command changes, as they are at some time. */
export interface Present {
  /** When each record of these pallets was changed last, by uuid. */
  records: Readonly<Record<string, number>>;
  /** The status, the shipment and the gate of each manifest as one text, by uuid. */
  manifests: Readonly<Record<string, string>>;
}

/** A command that may change more records than this has no undo. */
export const KEPT_MAXIMUM = 200;

const isSame = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);

/** Whether nothing was changed since the command. */
export const isUntouched = ({ after }: Kept, now: Present): boolean =>
  isSame(after.records, now.records) && isSame(after.manifests, now.manifests);

/** The refusal of an undo that comes too late. */
export const refuseChangedSince = (): Refusal =>
  refusal('preconditionFailed', 'This has changed since, so it cannot be undone.');
