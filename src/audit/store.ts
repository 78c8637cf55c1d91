import { sql } from 'drizzle-orm';
import { deepLink } from '../http/link.ts';
import type { Scope } from '../lib/scope.ts';
import { isoDate } from '../lib/time.ts';
import type { ViewRow } from '../lib/view.ts';
import { numberOf } from '../writer/audit-table.ts';
import { type AuditRecord, type Identity, longChanges, type ShortChange } from '../writer/chain.ts';

/** JSON of an audit record. */
export const auditView = sql<StoredAuditRecord>`json_object('uuid', uuid, 'sequenceNumber', sequence_number,
  'eventDate', event_date, 'action', action,
  'actor', json_object('actorType', actor_type, 'uuid', actor_uuid, 'displayName', actor_display_name),
  'entityType', entity_type, 'entityUuid', entity_uuid, 'entityExternalId', entity_external_id,
  'changes', json(short_changes), 'requestId', request_id, 'ipAddress', ip_address,
  'identity', json(iif(coalesce(actor_commitment, person, erased_user_uuid) IS NULL, NULL, json_object(
    'actor', json(iif(actor_commitment IS NULL, NULL,
      json_object('commitment', actor_commitment, 'salt', actor_salt))),
    'entity', json(person), 'erasedUserUuid', erased_user_uuid))),
  'previousHash', previous_hash, 'hash', hash)`;

/** A row of `auditView`. The date in epoch milliseconds. */
export interface StoredAuditRecord extends Omit<AuditRecord, 'eventDate' | 'changes' | 'identity'> {
  uuid: string;
  eventDate: number;
  changes: ShortChange[];
  identity: (Identity & { erasedUserUuid: string | null }) | null;
  hash: string;
}

/** One record by its uuid. The uuid begins with the record's date, by whose index SQLite finds it. */
export const recordQuery = (scope: Scope, uuid: string) => sql<
  ViewRow<typeof auditView>
>`SELECT ${auditView} AS view
  FROM audit_log WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid} AND sequence_number IN
    (SELECT dated.sequence_number FROM audit_record dated WHERE dated.organization_number = ${numberOf(scope)}
      AND dated.event_date = ${Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)})`;

/** The last possible date (ECMA-262 section 21.4.1.1). */
const DATE_MAXIMUM_MS = 8_640_000_000_000_000;

/** An audit record as the API shows it. */
export function presentAuditRecord(links: string, stored: StoredAuditRecord) {
  // A row that somebody has given an impossible date is still shown, so that verifying the log can report it.
  const possible = Math.abs(stored.eventDate) <= DATE_MAXIMUM_MS;
  const eventDate = possible ? isoDate(stored.eventDate) : String(stored.eventDate);
  return {
    ...stored,
    changes: longChanges(stored.changes),
    eventDate,
    createDate: eventDate,
    updateDate: eventDate,
    deepLink: deepLink(links, 'audit-log', stored.uuid),
  };
}
