/** Verifies an audit log with nothing but the answers of the API. */
import { type Anchor, hashedOf, hashOf, misnamedIn, type ShownRecord, uuidOf } from './audit-record.ts';

/** The result of a verification. */
export interface Verdict {
  /** The number of unaltered records, counted from the first record. */
  verified: number;
  /** The last of these records. Keep it, so that a later run can compare the log with it. */
  head: Anchor | undefined;
  /** The number of the first altered or missing record, and the finding. */
  fault: { sequenceNumber: number; what: string } | undefined;
  /**
   * Numbers without a record, because the database was restored to an earlier state. The record after each gap says so.
   */
  gaps: { from: number; to: number }[];
}

const FIRST_PREVIOUS_HASH = '0'.repeat(64);

/**
 * Walk a log upwards, and stop at the first altered or missing record. Without an anchor, the walk begins at the first
 * record. With an anchor, it begins at the anchored record, which must be unchanged. Only an anchor shows that the end
 * of a log was cut off, because the remaining records are intact.
 */
export async function verifyLog(records: AsyncIterable<ShownRecord>, anchor?: Anchor): Promise<Verdict> {
  let head: Anchor | undefined;
  let verified = 0;
  const gaps: Verdict['gaps'] = [];
  for await (const record of records) {
    let expected = head ? head.sequenceNumber + 1 : (anchor?.sequenceNumber ?? 1);
    if ((head || !anchor) && declaresGap(record, expected)) {
      gaps.push({ from: expected, to: record.sequenceNumber - 1 });
      expected = record.sequenceNumber;
    }
    const previousHash = head?.hash ?? (anchor ? undefined : FIRST_PREVIOUS_HASH);
    const what = faultOf(record, expected, previousHash, anchor);
    if (what !== undefined) return { verified, head, fault: { sequenceNumber: expected, what }, gaps };
    head = { sequenceNumber: record.sequenceNumber, hash: record.hash };
    verified += 1;
  }
  if (anchor && !head) {
    const what = 'it and all later records are gone: the log was cut off';
    return { verified, head, fault: { sequenceNumber: anchor.sequenceNumber, what }, gaps };
  }
  return { verified, head, fault: undefined, gaps };
}

/**
 * Whether a record declares that the numbers from `expected` up to its own were lost when the database was restored.
 */
function declaresGap(record: ShownRecord, expected: number): boolean {
  if (record.action !== 'STORE_REWOUND' || record.sequenceNumber <= expected) return false;
  return record.changes.some(
    ({ field, oldValue, newValue }) =>
      field === 'lastSequenceNumber' && oldValue === record.sequenceNumber - 1 && newValue === expected - 1,
  );
}

/**
 * Why a record is not the committed one at this number; undefined if it is. `previousHash`: the hash of the record
 * before it; undefined if not known.
 */
function faultOf(
  record: ShownRecord,
  expected: number,
  previousHash: string | undefined,
  anchor: Anchor | undefined,
): string | undefined {
  const { hash, uuid, createDate, updateDate } = record;
  if (record.sequenceNumber !== expected) {
    return `it is missing: the record in its place has the number ${record.sequenceNumber}`;
  }
  const computed = hashOf(hashedOf(record));
  if (computed !== hash) return `its content was changed: its hash is ${computed}, and it says ${hash}`;
  const misnamed = misnamedIn(record);
  if (misnamed) return `its content was changed: ${misnamed}`;
  if (uuid !== uuidOf(record)) return `its uuid was changed: it is ${uuid}, and was ${uuidOf(record)}`;
  if (createDate !== record.eventDate || updateDate !== record.eventDate) {
    return `its dates differ: ${record.eventDate}, ${createDate}, ${updateDate}`;
  }
  if (previousHash !== undefined && record.previousHash !== previousHash) {
    return `it follows a record with the hash ${record.previousHash}, but the record before it has ${previousHash}`;
  }
  if (anchor?.sequenceNumber === expected && hash !== anchor.hash) {
    return `it was rewritten: its hash is ${hash}, and was ${anchor.hash}`;
  }
  return undefined;
}

/** The text form of an anchor: `17:8e1f…`. */
export const formatAnchor = ({ sequenceNumber, hash }: Anchor): string => `${sequenceNumber}:${hash}`;

/** Parse the text form of an anchor; undefined for any other text. */
export function parseAnchor(text: string): Anchor | undefined {
  const [, sequenceNumber, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  return hash === undefined ? undefined : { sequenceNumber: Number(sequenceNumber), hash };
}
