import type { FieldChange } from '../lib/changes.ts';
import { canonicalJson, sha256Hex } from '../lib/hash.ts';
import { uuidStart } from '../lib/id.ts';
import { isoDate } from '../lib/time.ts';
import type { AuditAction } from './audit-actions.ts';
import type { ACTOR_TYPES, ENTITY_TYPES } from './audit-table.ts';

/** The audit entry of a command about its change. The commit adds actor, date and the hash chain. */
export interface AuditEntry {
  action: AuditAction;
  entityType: (typeof ENTITY_TYPES)[number];
  entityUuid: string;
  entityExternalId: string | null;
  changes: FieldChange[];
  /** For a record about a person: the fields that identify that person, besides `entityExternalId`. */
  personal?: readonly string[];
}

/**
 * A commitment, which is hashed instead of data that identifies a person. It is the SHA-256 (hex) of the canonical JSON
 * array of a salt and that data. The salt is deleted when the person is erased. Without it, the data cannot be found by
 * trying names.
 */
export interface Commitment {
  commitment: string;
  /** 128 random bits (hex); null after the person was erased. */
  salt: string | null;
}

/**
 * The commitment of a record about a person, over `[salt, entityExternalId, changes]`. It includes the changes whose
 * field is in `fields`.
 */
export interface PersonCommitment extends Commitment {
  fields: string[];
}

/** The commitments in a record's hash that replace data about persons. */
export interface Identity {
  /** Over `[salt, displayName, ipAddress]`; null if the actor is not a person. */
  actor: Commitment | null;
  /** Null if the record is not about a person. */
  entity: PersonCommitment | null;
}

/** Who makes a request. `displayName` is shown to people. */
export interface Actor {
  actorType: (typeof ACTOR_TYPES)[number];
  uuid: string | null;
  displayName: string;
}

/** The name that the log shows for an erased person. */
export const ERASED_NAME = 'Erased user';

/**
 * A function that derives salts. It returns the same salt for the same purpose as long as the secret exists. The secret
 * is in memory only.
 */
export function salts(secret: string): (purpose: string) => string {
  return (purpose) => sha256Hex(secret + purpose).slice(0, 32);
}

/** `previousHash` of an organization's first audit record. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);
/** A list with more items is recorded by its size and digest. A row must fit 2 MB, and a page holds 100 records. */
const LISTED_ITEMS_MAXIMUM = 500;
/** The same for the length of its JSON in characters. */
const LISTED_LENGTH_MAXIMUM = 50_000;

/** An audit record in the form of the API, without its hash. */
export interface AuditRecord extends Omit<AuditEntry, 'personal'> {
  sequenceNumber: number;
  eventDate: string;
  actor: Actor;
  requestId: string;
  ipAddress: string | null;
  /** Null if nothing in the record identifies a person. */
  identity: Identity | null;
  previousHash: string;
}

/** Whether a field changed. */
const differs = ({ oldValue = null, newValue = null }: FieldChange): boolean =>
  typeof oldValue === 'object' && typeof newValue === 'object'
    ? canonicalJson(oldValue) !== canonicalJson(newValue)
    : oldValue !== newValue;

/**
 * Build the record with number `sequenceNumber` that follows `previousHash`, and its hash. The hash is SHA-256 over the
 * canonical JSON of the record without data that identifies persons. Unchanged fields are omitted. `saltOf` derives the
 * salt for a purpose.
 */
export function chainRecord(
  { personal, ...entry }: AuditEntry,
  at: { sequenceNumber: number; previousHash: string; now: number },
  by: { actor: Actor; requestId: string; ipAddress: string | null },
  saltOf: (purpose: string) => string,
): AuditRecord & { hash: string } {
  const { actor, ipAddress } = by;
  const { entityExternalId } = entry;
  const changes = entry.changes.filter(differs);
  const fields = changes.map(({ field }) => field).filter((field) => personal?.includes(field));
  const identity: Identity = {
    actor:
      actor.actorType === 'USER'
        ? commit(saltOf(canonicalJson([actor, ipAddress])), [actor.displayName, ipAddress])
        : null,
    entity:
      personal && (entityExternalId !== null || fields.length > 0)
        ? {
            ...commit(saltOf(`${at.sequenceNumber}`), [
              entityExternalId,
              changes.filter(({ field }) => fields.includes(field)),
            ]),
            fields,
          }
        : null,
  };
  const record: AuditRecord = {
    ...entry,
    changes,
    sequenceNumber: at.sequenceNumber,
    eventDate: isoDate(at.now),
    ...by,
    identity: identity.actor || identity.entity ? identity : null,
    previousHash: at.previousHash,
  };
  return { ...record, hash: recordHash(record) };
}

/** The hash of a record: SHA-256 (hex) over the canonical JSON of its data that does not identify persons. */
export const recordHash = (record: AuditRecord): string => sha256Hex(canonicalJson(withoutPersons(record)));

const commit = (salt: string, personal: readonly unknown[]): Commitment => ({
  commitment: sha256Hex(canonicalJson([salt, ...personal])),
  salt,
});

/** The part of a record that is hashed. */
function withoutPersons({ identity, ...record }: AuditRecord): object {
  if (!identity) return record;
  const { actor, ipAddress, entityExternalId, changes, ...rest } = record;
  const { displayName, ...known } = actor;
  const { salt: _, ...entity } = identity.entity ?? { salt: null };
  return {
    ...rest,
    ...(identity.actor ? { actor: known } : { actor, ipAddress }),
    ...(identity.entity
      ? { changes: changes.filter(({ field }) => !identity.entity!.fields.includes(field)) }
      : { entityExternalId, changes }),
    identity: {
      actor: identity.actor && { commitment: identity.actor.commitment },
      entity: identity.entity && entity,
    },
  };
}

/** The stored form of a change: an array instead of an object, unless a value is missing. */
export type ShortChange = readonly [field: string, oldValue: unknown, newValue: unknown] | FieldChange;

export const shortChanges = (changes: readonly FieldChange[]): ShortChange[] =>
  changes.every(({ oldValue, newValue }) => oldValue !== undefined && newValue !== undefined)
    ? changes.map(({ field, oldValue, newValue }) => [field, oldValue, newValue])
    : [...changes];

/** Changes from their stored form. */
export const longChanges = (kept: readonly ShortChange[]): FieldChange[] =>
  kept.map((change) =>
    'field' in change ? change : { field: change[0], oldValue: change[1], newValue: change[2] },
  );

/**
 * The uuid of a record: version 7 (RFC 9562 section 5.7) of its date, with bits of its hash instead of random bits. So
 * the uuid follows from data that the hash protects.
 */
export function recordUuid(eventDate: number, hash: string): string {
  const variant = '89ab'[Number.parseInt(hash.slice(3, 4), 16) % 4];
  return `${uuidStart(eventDate)}-7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}

/** The audited change of a list: only the removed and the added items. */
export function listChanges(
  field: string,
  removed: readonly string[],
  added: readonly string[],
): FieldChange[] {
  return [
    ...(removed.length === 0
      ? []
      : [{ field: `${field}.removed`, oldValue: auditedList(removed), newValue: null }]),
    ...(added.length === 0
      ? []
      : [{ field: `${field}.added`, oldValue: null, newValue: auditedList(added) }]),
  ];
}

/** The recorded form of a list of identifiers: the list itself, or its size and digest if it is long. */
function auditedList(items: readonly string[]): unknown {
  const text = canonicalJson(items);
  if (items.length <= LISTED_ITEMS_MAXIMUM && text.length <= LISTED_LENGTH_MAXIMUM) return items;
  return { count: items.length, sha256: sha256Hex(text) };
}
