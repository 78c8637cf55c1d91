/** What makes an audit log trustworthy, checked from nothing but what the API answers. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A place in a log that somebody knows the record of. */
export interface Anchor {
  sequenceNumber: number;
  hash: string;
}

/** A record as the API shows it. */
export interface ShownRecord extends Anchor {
  uuid: string;
  eventDate: string;
  createDate: string;
  updateDate: string;
  deepLink: string;
  previousHash: string;
  [field: string]: unknown;
}

/** What came of a walk. */
export interface Verdict {
  /** Records that are as they were committed, in a row from the first one. */
  verified: number;
  /** The last of those; keep it, to hold the log against it later. */
  head: Anchor | undefined;
  /** The first place at which the log is not what was committed, and why. */
  fault: { sequenceNumber: number; what: string } | undefined;
  /** Numbers that no record has because the store was put back: the record behind each says so. */
  gaps: { from: number; to: number }[];
}

const FIRST_PREVIOUS_HASH = '0'.repeat(64);

/**
 * Walk a log upwards and stop at the first record that is not what was committed. Without an anchor from its first
 * record on; with one from the anchored record on, which has to be the same still. A log that was cut off at its end is
 * found with an anchor only: what is left of it is as it was.
 */
export async function verifyLog(records: AsyncIterable<ShownRecord>, anchor?: Anchor): Promise<Verdict> {
  let head: Anchor | undefined;
  let verified = 0;
  const gaps: Verdict['gaps'] = [];
  for await (const record of records) {
    let place = head ? head.sequenceNumber + 1 : (anchor?.sequenceNumber ?? 1);
    if ((head || !anchor) && declaresGap(record, place)) {
      gaps.push({ from: place, to: record.sequenceNumber - 1 });
      place = record.sequenceNumber;
    }
    const what = faultOf(record, place, head?.hash ?? (anchor ? undefined : FIRST_PREVIOUS_HASH), anchor);
    if (what !== undefined) return { verified, head, fault: { sequenceNumber: place, what }, gaps };
    head = { sequenceNumber: record.sequenceNumber, hash: record.hash };
    verified += 1;
  }
  if (anchor && !head) {
    const what = 'it is gone, and whatever followed it: the log was cut off';
    return { verified, head, fault: { sequenceNumber: anchor.sequenceNumber, what }, gaps };
  }
  return { verified, head, fault: undefined, gaps };
}

/** Whether a record says that the numbers from `place` up to its own were lost when the store was put back. */
function declaresGap(record: ShownRecord, place: number): boolean {
  if (record['action'] !== 'STORE_REWOUND' || record.sequenceNumber <= place) return false;
  const changes = record['changes'] as { field: string; oldValue: unknown; newValue: unknown }[];
  return changes.some(
    ({ field, oldValue, newValue }) =>
      field === 'lastSequenceNumber' && oldValue === record.sequenceNumber - 1 && newValue === place - 1,
  );
}

/** Why a record cannot be what was committed at a place, after a record of this hash (undefined: not known). */
function faultOf(
  record: ShownRecord,
  place: number,
  previousHash: string | undefined,
  anchor: Anchor | undefined,
): string | undefined {
  const { hash, uuid, createDate, updateDate, deepLink: _, ...hashed } = record;
  if (record.sequenceNumber !== place) {
    return `it is not there: the record at its place has the number ${record.sequenceNumber}`;
  }
  const computed = hashOf(hashed);
  if (computed !== hash) return `its content was changed: it has the hash ${computed}, and says ${hash}`;
  if (uuid !== uuidOf(record)) return `its uuid was changed: it is ${uuid}, and was ${uuidOf(record)}`;
  if (createDate !== record.eventDate || updateDate !== record.eventDate) {
    return `its dates differ: ${record.eventDate}, ${createDate}, ${updateDate}`;
  }
  if (previousHash !== undefined && record.previousHash !== previousHash) {
    return `it followed a record of the hash ${record.previousHash}, and the one before it has ${previousHash}`;
  }
  if (anchor?.sequenceNumber === place && hash !== anchor.hash) {
    return `it was written anew: it has the hash ${hash}, and had ${anchor.hash}`;
  }
  return undefined;
}

/** SHA-256 over canonical JSON (RFC 8785); a word instead for what has no such form. */
function hashOf(value: unknown): string {
  try {
    return createHash('sha256').update(canonicalize(value)!).digest('hex');
  } catch (error) {
    return `none (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The uuid that a record has by its date and hash. */
function uuidOf({ eventDate, hash }: ShownRecord): string {
  const time = Date.parse(eventDate).toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16);
  const random = `7${hash.slice(0, 3)}${variant}${hash.slice(4, 19)}`;
  return `${time}${random}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An anchor as it is written: `17:8e1f…`. */
export const formatAnchor = ({ sequenceNumber, hash }: Anchor): string => `${sequenceNumber}:${hash}`;

/** The anchor that a text means; undefined for none. */
export function parseAnchor(text: string): Anchor | undefined {
  const [, sequenceNumber, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  return hash === undefined ? undefined : { sequenceNumber: Number(sequenceNumber), hash };
}
