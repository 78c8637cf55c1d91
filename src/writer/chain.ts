import type { FieldChange } from '../lib/changes.ts';
import { canonicalJson, sha256Hex } from '../lib/hash.ts';
import { isoDate } from '../lib/time.ts';
import type { ACTOR_TYPES, ENTITY_TYPES } from './audit-table.ts';

/** What a command says about its change; the commit adds who, when and the chain. */
export interface AuditEntry {
  /** What happened, as `{entityType}_{what}`, or what was recorded. */
  action: string;
  entityType: (typeof ENTITY_TYPES)[number];
  entityUuid: string;
  entityExternalId: string | null;
  changes: FieldChange[];
}

/** Who makes a request; `displayName` is what people see. */
export interface Actor {
  actorType: (typeof ACTOR_TYPES)[number];
  uuid: string | null;
  displayName: string;
}

/** `previousHash` of an organization's first audit record. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);
/** A list longer than this is audited by its size and digest: records have to fit 2 MB rows and pages of 100. */
const LISTED_ITEMS_MAXIMUM = 500;
/** The same for the length of its JSON, in characters. */
const LISTED_LENGTH_MAXIMUM = 50_000;

/** An audit record as the API shows it, before its hash is known: exactly what the hash is over. */
export interface AuditRecord extends AuditEntry {
  sequenceNumber: number;
  eventDate: string;
  actor: Actor;
  requestId: string;
  ipAddress: string | null;
  previousHash: string;
}

/** Whether a field became something else. */
const differs = ({ oldValue = null, newValue = null }: FieldChange): boolean =>
  typeof oldValue === 'object' && typeof newValue === 'object'
    ? canonicalJson(oldValue) !== canonicalJson(newValue)
    : oldValue !== newValue;

/** The record that follows `previousHash` at `sequenceNumber`, with its hash. Fields that did not change stay out. */
export function chainRecord(
  entry: AuditEntry,
  at: { sequenceNumber: number; previousHash: string; now: number },
  by: { actor: Actor; requestId: string; ipAddress: string | null },
): AuditRecord & { hash: string } {
  const record: AuditRecord = {
    ...entry,
    changes: entry.changes.filter(differs),
    sequenceNumber: at.sequenceNumber,
    eventDate: isoDate(at.now),
    ...by,
    previousHash: at.previousHash,
  };
  return { ...record, hash: sha256Hex(canonicalJson(record)) };
}

/** A change as it is kept: without the names of its parts, unless one is left out. */
export type ShortChange = readonly [field: string, oldValue: unknown, newValue: unknown] | FieldChange;

/** Changes as they are kept. */
export const shortChanges = (changes: readonly FieldChange[]): ShortChange[] =>
  changes.every(({ oldValue, newValue }) => oldValue !== undefined && newValue !== undefined)
    ? changes.map(({ field, oldValue, newValue }) => [field, oldValue, newValue])
    : [...changes];

/** What changes were that are kept so. */
export const longChanges = (kept: readonly ShortChange[]): FieldChange[] =>
  kept.map((change) =>
    'field' in change ? change : { field: change[0], oldValue: change[1], newValue: change[2] },
  );

/**
 * The uuid of a record: version 7 (RFC 9562 section 5.7) at its date, with bits of its hash for random ones. So
 * there is nothing in a row that its hash does not vouch for.
 */
export function recordUuid(eventDate: number, hash: string): string {
  const time = eventDate.toString(16).padStart(12, '0');
  const variant = '89ab'[Number.parseInt(hash.slice(3, 4), 16) % 4];
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hash.slice(0, 3)}`,
    `${variant}${hash.slice(4, 7)}`,
    hash.slice(7, 19),
  ].join('-');
}

/** How what left a list and what came to it stands in an audit record, which does not repeat what stayed. */
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

/** A list of identifiers: itself, or its size and digest when it is long. */
function auditedList(items: readonly string[]): unknown {
  const text = canonicalJson(items);
  if (items.length <= LISTED_ITEMS_MAXIMUM && text.length <= LISTED_LENGTH_MAXIMUM) return items;
  return { count: items.length, sha256: sha256Hex(text) };
}
