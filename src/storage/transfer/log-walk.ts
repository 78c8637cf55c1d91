import { isoDate } from '../../core/lib/time.ts';
import type { ACTOR_TYPES } from '../../core/writer/audit-table.ts';
import { type AuditRecord, FIRST_PREVIOUS_HASH, longChanges, recordHash } from '../../core/writer/chain.ts';
import type { StoredRecord } from '../../core/writer/log.ts';
import { HASH_LENGTH, type Values } from './kinds.ts';
import type { Fault } from './rows.ts';

/** The number of a record, and its hash. */
export interface LogEnd {
  hash: string;
  last: number;
}

/** Walks the log of an export, row by row, and finds the first record that was not committed like this. */
export class LogWalk {
  #hash: string;
  /** The number of the last record. */
  last: number;

  /** `after`: where an earlier walk ended. */
  constructor(after: LogEnd = { hash: FIRST_PREVIOUS_HASH, last: 0 }) {
    this.#hash = after.hash;
    this.last = after.last;
  }

  /** Where the walk has ended. */
  get end(): LogEnd {
    return { hash: this.#hash, last: this.last };
  }

  /** Take the next row. Its values have been validated. */
  take(values: Values): Fault | undefined {
    const records: StoredRecord[] = JSON.parse(String(values['records']));
    const hashes = String(values['hashes']);
    if (hashes.length !== records.length * HASH_LENGTH)
      return { column: 'hashes', why: 'does not have a hash for each record' };
    const first = Number(values['sequence_number']);
    // Numbers are skipped only where a record says that the store was restored to an earlier state.
    const isNext = first === this.last + 1 || (first > this.last && records[0]![0] === 'STORE_REWOUND');
    if (!isNext) return { column: 'sequence_number', why: `does not follow ${this.last}` };
    for (const [at, record] of records.entries()) {
      const hash = hashOf(values, record, { sequenceNumber: first + at, previousHash: this.#hash });
      if (hash !== hashes.slice(at * HASH_LENGTH, (at + 1) * HASH_LENGTH))
        return { column: 'hashes', why: `does not have the hash of record ${first + at}` };
      this.#hash = hash;
    }
    this.last = first + records.length - 1;
    return undefined;
  }
}

/** The hash that a record has by its content; undefined for content that has no canonical form. */
function hashOf(
  values: Values,
  [action, entityType, entityUuid, entityExternalId, changes, person]: StoredRecord,
  place: Pick<AuditRecord, 'sequenceNumber' | 'previousHash'>,
): string | undefined {
  const commitment = values['actor_commitment'] ?? null;
  try {
    return recordHash({
      ...place,
      eventDate: isoDate(Number(values['event_date'])),
      action: action as AuditRecord['action'],
      actor: {
        actorType: String(values['actor_type']) as (typeof ACTOR_TYPES)[number],
        uuid: values['actor_uuid'] as string | null,
        displayName: String(values['actor_display_name']),
      },
      entityType: entityType as AuditRecord['entityType'],
      entityUuid,
      entityExternalId,
      changes: longChanges(changes),
      requestId: String(values['request_id']),
      ipAddress: (values['ip_address'] ?? null) as string | null,
      identity:
        commitment === null && !person
          ? null
          : {
              actor: commitment === null ? null : { commitment: String(commitment), salt: null },
              entity: person ?? null,
            },
    });
  } catch {
    return undefined;
  }
}
