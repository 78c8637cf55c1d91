import { isoDate } from '../../core/lib/time.ts';
import { type AuditRecord, FIRST_PREVIOUS_HASH, longChanges, recordHash } from '../../core/writer/chain.ts';
import type { Values } from './kinds.ts';
import type { Fault } from './rows.ts';

/** Walks the audit log of an export, record by record, and finds the first record that was not committed like this. */
export class LogWalk {
  #hash = FIRST_PREVIOUS_HASH;
  /** The number of the last record. */
  last = 0;

  /** Take the next record. Its values have been validated. */
  take(values: Values): Fault | undefined {
    const number = Number(values['sequence_number']);
    // Numbers are skipped only where a record says that the store was restored to an earlier state.
    const isNext = number === this.last + 1 || (number > this.last && values['action'] === 'STORE_REWOUND');
    if (!isNext) return { column: 'sequence_number', why: `does not follow ${this.last}` };
    if (values['previous_hash'] !== this.#hash) {
      return { column: 'previous_hash', why: 'is not the hash of the previous record' };
    }
    if (hashOf(values) !== values['hash']) {
      return { column: 'hash', why: 'is not the hash of this record' };
    }
    this.#hash = String(values['hash']);
    this.last = number;
    return undefined;
  }
}

/** The hash that a record has by its content; undefined for content that has no canonical form. */
function hashOf(values: Values): string | undefined {
  try {
    return recordHash(recordOf(values));
  } catch {
    return undefined;
  }
}

function recordOf(values: Values): AuditRecord {
  const [commitment, person] = [values['actor_commitment'] ?? null, values['person'] ?? null];
  const record = {
    sequenceNumber: values['sequence_number'],
    eventDate: isoDate(Number(values['event_date'])),
    action: values['action'],
    actor: {
      actorType: values['actor_type'],
      uuid: values['actor_uuid'] ?? null,
      displayName: values['actor_display_name'],
    },
    entityType: values['entity_type'],
    entityUuid: values['entity_uuid'],
    entityExternalId: values['entity_external_id'] ?? null,
    changes: longChanges(JSON.parse(String(values['short_changes']))),
    requestId: values['request_id'],
    ipAddress: values['ip_address'] ?? null,
    identity:
      commitment === null && person === null
        ? null
        : {
            actor: commitment === null ? null : { commitment: String(commitment), salt: null },
            entity: person === null ? null : JSON.parse(String(person)),
          },
    previousHash: values['previous_hash'],
  };
  return record as AuditRecord;
}
