import { sql } from 'drizzle-orm';
import type { AuditRecord, Identity, ShortChange } from './chain.ts';

/** JSON of an audit record. */
export const auditView = sql<StoredAuditRecord>`json_object('uuid', uuid, 'sequenceNumber', sequence_number,
  'eventDate', event_date, 'action', action,
  'actor', json_object('actorType', actor_type, 'uuid', actor_uuid, 'displayName', actor_display_name),
  'entityType', entity_type, 'entityUuid', entity_uuid, 'entityExternalId', entity_external_id,
  'changes', json(short_changes), 'requestId', request_id, 'ipAddress', ip_address,
  'identity', json(iif(coalesce(actor_commitment, person) IS NULL, NULL, json_object(
    'actor', json(iif(actor_commitment IS NULL, NULL,
      json_object('commitment', actor_commitment, 'salt', actor_salt))),
    'entity', json(person)))),
  'previousHash', previous_hash, 'hash', hash)`;

/** The parsed `auditView`. The date is in epoch milliseconds. */
export interface StoredAuditRecord extends Omit<AuditRecord, 'eventDate' | 'changes' | 'identity'> {
  uuid: string;
  eventDate: number;
  changes: ShortChange[];
  identity: Identity | null;
  hash: string;
}
