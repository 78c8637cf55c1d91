/** A record of an audit log as the API shows it, with its hash and its uuid. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A number in a log, and the known hash of its record. */
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

/** The part of a record that its hash covers. */
export function hashedOf({
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

/** How a record contradicts its commitments about persons; undefined if it does not. Erased values are allowed. */
export function misnamedIn({
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
    return 'a name or address differs from its commitment';
  }
  const own = changes.filter(({ field }) => identity?.entity?.fields.includes(field));
  const erasedEntity = entityExternalId === null && own.length === 0;
  if (identity?.entity && !holds(identity.entity, [entityExternalId, own], erasedEntity)) {
    return 'its data about a person differs from its commitment';
  }
  return undefined;
}

/** The name that the log shows for an erased person. */
const ERASED_NAME = 'Erased user';
/** SHA-256 over canonical JSON (RFC 8785). For a value without a canonical form, a text that says so. */
export function hashOf(value: unknown): string {
  try {
    return createHash('sha256').update(canonicalize(value)!).digest('hex');
  } catch (error) {
    return `none (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The uuid that follows from a record's date and hash. */
export function uuidOf({ eventDate, hash }: ShownRecord): string {
  const time = Date.parse(eventDate).toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16);
  const random = `7${hash.slice(0, 3)}${variant}${hash.slice(4, 19)}`;
  return `${time}${random}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
