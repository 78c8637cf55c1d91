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
  action: string;
  actor: { actorType: string; uuid: string | null; displayName: string };
  ipAddress: string | null;
  entityType: string;
  entityUuid: string;
  entityExternalId: string | null;
  changes: ShownChange[];
  identity: {
    actor: ShownCommitment | null;
    entity: (ShownCommitment & { fields: string[] }) | null;
    erasedUserUuid: string | null;
  } | null;
  [field: string]: unknown;
}

interface ShownChange {
  field: string;
  oldValue: unknown;
  newValue: unknown;
}

interface ShownCommitment {
  commitment: string;
  salt: string | null;
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
  const erased = new Erasures(anchor?.sequenceNumber ?? 1);
  for await (const record of records) {
    let expected = head ? head.sequenceNumber + 1 : (anchor?.sequenceNumber ?? 1);
    if ((head || !anchor) && declaresGap(record, expected)) {
      gaps.push({ from: expected, to: record.sequenceNumber - 1 });
      expected = record.sequenceNumber;
    }
    const what =
      faultOf(record, expected, head?.hash ?? (anchor ? undefined : FIRST_PREVIOUS_HASH), anchor) ??
      erased.take(record);
    if (what !== undefined) return { verified, head, fault: { sequenceNumber: expected, what }, gaps };
    head = { sequenceNumber: record.sequenceNumber, hash: record.hash };
    verified += 1;
  }
  if (anchor && !head) {
    const what = 'it is gone, and whatever followed it: the log was cut off';
    return { verified, head, fault: { sequenceNumber: anchor.sequenceNumber, what }, gaps };
  }
  return { verified, head, fault: erased.left(), gaps };
}

/** Whether a record says that the numbers from `place` up to its own were lost when the store was put back. */
function declaresGap(record: ShownRecord, expected: number): boolean {
  if (record.action !== 'STORE_REWOUND' || record.sequenceNumber <= expected) return false;
  return record.changes.some(
    ({ field, oldValue, newValue }) =>
      field === 'lastSequenceNumber' && oldValue === record.sequenceNumber - 1 && newValue === expected - 1,
  );
}

/** Why a record cannot be what was committed at a place, after a record of this hash (undefined: not known). */
function faultOf(
  record: ShownRecord,
  expected: number,
  previousHash: string | undefined,
  anchor: Anchor | undefined,
): string | undefined {
  const { hash, uuid, createDate, updateDate } = record;
  if (record.sequenceNumber !== expected) {
    return `it is not there: the record at its place has the number ${record.sequenceNumber}`;
  }
  // Of one that was erased, what is left stands in a later record.
  const computed = isErased(record) ? hash : hashOf(hashedOf(record));
  if (computed !== hash) return `its content was changed: it has the hash ${computed}, and says ${hash}`;
  const misnamed = misnamedIn(record);
  if (misnamed) return `its content was changed: ${misnamed}`;
  if (uuid !== uuidOf(record)) return `its uuid was changed: it is ${uuid}, and was ${uuidOf(record)}`;
  if (createDate !== record.eventDate || updateDate !== record.eventDate) {
    return `its dates differ: ${record.eventDate}, ${createDate}, ${updateDate}`;
  }
  if (previousHash !== undefined && record.previousHash !== previousHash) {
    return `it followed a record of the hash ${record.previousHash}, and the one before it has ${previousHash}`;
  }
  if (anchor?.sequenceNumber === expected && hash !== anchor.hash) {
    return `it was written anew: it has the hash ${hash}, and had ${anchor.hash}`;
  }
  return undefined;
}

/** What of a record its hash is over. */
function hashedOf({
  uuid: _,
  createDate: __,
  updateDate: ___,
  deepLink: ____,
  hash: _____,
  ...shown
}: ShownRecord) {
  const { identity, actor, ipAddress, entityExternalId, changes, ...rest } = shown;
  if (identity == null) return { ...rest, actor, ipAddress, entityExternalId, changes };
  const { displayName, ...known } = actor;
  return {
    ...rest,
    ...(identity.actor ? { actor: known } : { actor, ipAddress }),
    ...(identity.entity
      ? { changes: changes.filter(({ field }) => !identity.entity!.fields.includes(field)) }
      : { entityExternalId, changes }),
    identity: {
      actor: identity.actor && { commitment: identity.actor.commitment },
      entity: identity.entity && {
        commitment: identity.entity.commitment,
        fields: identity.entity.fields,
      },
    },
  };
}

/** What a record shows of persons and was not committed to; undefined where all is as it was, or erased. */
function misnamedIn({
  identity,
  actor,
  ipAddress,
  entityExternalId,
  changes,
}: ShownRecord): string | undefined {
  const holds = ({ commitment, salt }: ShownCommitment, personal: unknown[], erased: boolean): boolean =>
    salt === null ? erased : hashOf([salt, ...personal]) === commitment;
  const erasedActor = actor.displayName === ERASED_NAME && ipAddress === null;
  if (identity?.actor && !holds(identity.actor, [actor.displayName, ipAddress], erasedActor)) {
    return 'another name or address stands in it than was committed to';
  }
  const own = changes.filter(({ field }) => identity?.entity?.fields.includes(field));
  const erasedEntity = entityExternalId === null && own.length === 0;
  if (identity?.entity && !holds(identity.entity, [entityExternalId, own], erasedEntity)) {
    return 'it says something else of a person than was committed to';
  }
  return undefined;
}

const isErased = ({ identity }: ShownRecord): boolean => identity != null && identity.erasedUserUuid !== null;

/** How the log calls a person who was erased. */
const ERASED_NAME = 'Erased user';
/** What of the changes of a user identifies it. */
const PERSONAL_FIELDS = ['firstName', 'lastName', 'email', 'phoneNumber', 'passkey'];

/** Records of before there were commitments from which persons were erased, and the later ones that vouch for the rest. */
class Erasures {
  readonly #start: number;
  readonly #open = new Map<string, { sequenceNumber: number; sha256: string }[]>();

  /** Records before `start` are not seen. */
  constructor(start: number) {
    this.#start = start;
  }

  /** Take a record; why it cannot be what was committed. */
  take(record: ShownRecord): string | undefined {
    if (isErased(record)) {
      const person = String(record.identity!.erasedUserUuid);
      const entry = { sequenceNumber: record.sequenceNumber, sha256: hashOf(restOf(record)) };
      this.#open.set(person, [...(this.#open.get(person) ?? []), entry]);
    }
    if (record.action !== 'USER_RECORDS_ERASED') return undefined;
    const value = record.changes.find(({ field }) => field === 'records')?.newValue as
      | { from: number; to: number; count: number; sha256: string }
      | undefined;
    if (!value) return 'it does not say which records were erased';
    const open = this.#open.get(record.entityUuid) ?? [];
    const isIn = ({ sequenceNumber }: { sequenceNumber: number }) =>
      sequenceNumber >= value.from && sequenceNumber <= value.to;
    this.#open.set(
      record.entityUuid,
      open.filter((entry) => !isIn(entry)),
    );
    const vouched = open.filter(isIn).map(({ sha256 }) => sha256);
    if (value.from < this.#start) return undefined;
    return vouched.length === value.count && hashOf(vouched) === value.sha256
      ? undefined
      : `what is left of the records that it names, from ${value.from} to ${value.to}, is not what it vouches for`;
  }

  /** The first record for which nobody vouches. */
  left(): Verdict['fault'] {
    const [first] = [...this.#open.values()].flat().sort((a, b) => a.sequenceNumber - b.sequenceNumber);
    if (!first) return undefined;
    const what = 'its content was changed: it says that a person was erased, and no later record does';
    return { sequenceNumber: first.sequenceNumber, what };
  }
}

/** What is left of a record of before there were commitments when all that identifies persons is gone. */
function restOf(record: ShownRecord): object {
  const { uuid: _, createDate: __, updateDate: ___, deepLink: ____, identity: _____, ...shown } = record;
  const { actor, ipAddress, entityExternalId, changes, ...rest } = shown;
  const { displayName, ...known } = actor;
  return {
    ...rest,
    ...(actor.actorType === 'USER' ? { actor: known } : { actor, ipAddress }),
    ...(record.entityType === 'USER'
      ? { changes: changes.filter(({ field }) => !PERSONAL_FIELDS.includes(field)) }
      : { entityExternalId, changes }),
  };
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
