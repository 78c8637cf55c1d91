import { canonicalJson, sha256Hex } from '../lib/hash.ts';
import { isoDate } from '../lib/time.ts';

/** What changed in one field. */
export interface FieldChange {
  field: string;
  oldValue: unknown;
  newValue: unknown;
}

/** What a command says about its change; the commit adds who, when and the chain. */
export interface AuditEntry {
  action: string;
  entityType: string;
  entityUuid: string;
  entityExternalId: string | null;
  changes: FieldChange[];
}

/** Who makes a request; `displayName` is what people see. */
export interface Actor {
  actorType: 'API_KEY' | 'ACCESS_TOKEN' | 'USER' | 'OPERATOR' | 'SYSTEM';
  uuid: string | null;
  displayName: string;
}

/** `previousHash` of an organization's first audit record. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);
/** A list longer than this is audited by its size and digest: a record has to fit a 2 MB row. */
const LISTED_ITEMS_MAXIMUM = 500;

/** An audit record as the API shows it, before its hash is known. */
export interface AuditRecord extends AuditEntry {
  sequenceNumber: number;
  eventDate: string;
  actor: Actor;
  requestId: string;
  ipAddress: string | null;
  previousHash: string;
}

/** The record that follows `previousHash` at `sequenceNumber`, with its hash. */
export function chainRecord(
  entry: AuditEntry,
  at: { sequenceNumber: number; previousHash: string; now: number },
  by: { actor: Actor; requestId: string; ipAddress: string | null },
): AuditRecord & { hash: string } {
  const record: AuditRecord = {
    ...entry,
    sequenceNumber: at.sequenceNumber,
    eventDate: isoDate(at.now),
    ...by,
    previousHash: at.previousHash,
  };
  return { ...record, hash: sha256Hex(canonicalJson(record)) };
}

/** How a list of identifiers stands in an audit record: itself, or its size and digest when it is long. */
export function auditedList(items: readonly string[]): unknown {
  if (items.length <= LISTED_ITEMS_MAXIMUM) return items;
  return { count: items.length, sha256: sha256Hex(canonicalJson(items)) };
}
