import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../http/link.ts';
import { dateRange, type Sorting } from '../http/list-statements.ts';
import { inList, type Scope } from '../lib/database.ts';
import { isoDate } from '../lib/time.ts';
import type { AuditRecord } from '../writer/chain.ts';

/** JSON of an audit record. */
export const auditView = sql<StoredAuditRecord>`json_object('uuid', uuid, 'sequenceNumber', sequence_number,
  'eventDate', event_date, 'action', action,
  'actor', json_object('actorType', actor_type, 'uuid', actor_uuid, 'displayName', actor_display_name),
  'entityType', entity_type, 'entityUuid', entity_uuid, 'entityExternalId', entity_external_id,
  'changes', json(changes), 'requestId', request_id, 'ipAddress', ip_address,
  'previousHash', previous_hash, 'hash', hash)`;

/** A row of `auditView`. The date in epoch milliseconds. */
export interface StoredAuditRecord extends Omit<AuditRecord, 'eventDate'> {
  uuid: string;
  eventDate: number;
  hash: string;
}

/** One record by its uuid, which begins with its date: by itself, so that SQLite finds it by the index of dates. */
export const recordQuery = ({ organization }: Scope, uuid: string): SQL => sql`SELECT ${auditView} AS view
  FROM audit_log WHERE organization_uuid = ${organization} AND uuid = ${uuid} AND sequence_number IN
    (SELECT dated.sequence_number FROM audit_log dated WHERE dated.organization_uuid = ${organization}
      AND dated.event_date = ${Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)})`;

/** The last instant that a date can be (ECMA-262 section 21.4.1.1). */
const DATE_MAXIMUM_MS = 8_640_000_000_000_000;

/** An audit record as the API shows it. */
export function presentAuditRecord(links: string, stored: StoredAuditRecord) {
  // A row that somebody gave an impossible date is still shown, so that whoever verifies the log can name it.
  const possible = Math.abs(stored.eventDate) <= DATE_MAXIMUM_MS;
  const eventDate = possible ? isoDate(stored.eventDate) : String(stored.eventDate);
  return {
    ...stored,
    eventDate,
    createDate: eventDate,
    updateDate: eventDate,
    deepLink: deepLink(links, 'audit-log', stored.uuid),
  };
}

const place = sql`audit_log.sequence_number`;
const date = sql`audit_log.event_date`;

/** What an audit log can be sorted by. */
export const auditSorting: Sorting<'sequenceNumber' | 'eventDate' | 'createDate'> = {
  columns: {
    sequenceNumber: { expression: place, stable: true },
    eventDate: { expression: date, stable: true },
    createDate: { expression: date, stable: true },
  },
  default: { sortBy: 'sequenceNumber', direction: 'DESC' },
};

/** What an audit log can be filtered by. */
export interface AuditFilters {
  entityType?: readonly string[] | undefined;
  entityUuid?: string | undefined;
  entityExternalId?: string | undefined;
  action?: readonly string[] | undefined;
  actorType?: readonly string[] | undefined;
  actorUuid?: string | undefined;
  requestId?: string | undefined;
  eventDateAfter?: number | undefined;
  eventDateBefore?: number | undefined;
  sequenceNumberFrom?: number | undefined;
  sequenceNumberTo?: number | undefined;
}

/** The organization's records that meet the filters. */
export function auditSource({ organization }: Scope, filters: AuditFilters) {
  const { entityType, action, actorType, sequenceNumberFrom: from, sequenceNumberTo: to } = filters;
  const equal = (column: SQL, value: string | undefined) =>
    value === undefined ? undefined : sql`${column} = ${value}`;
  // By itself, so that whatever else is asked for, SQLite finds the thing's records by its index.
  const about = (column: SQL, value: string | undefined) =>
    value === undefined
      ? undefined
      : sql`${place} IN (SELECT about.sequence_number FROM audit_log about
          WHERE about.organization_uuid = ${organization} AND about.${column} = ${value})`;
  return {
    from: sql`audit_log`,
    table: 'audit_log',
    columns: { key: place, createDate: date, updateDate: date },
    conditions: [
      sql`audit_log.organization_uuid = ${organization}`,
      from === undefined ? undefined : sql`${place} >= ${from}`,
      to === undefined ? undefined : sql`${place} <= ${to}`,
    ],
    count: countOfPlaces(organization, from, to),
    filters: [
      entityType && sql`entity_type ${inList(entityType)}`,
      about(sql`entity_uuid`, filters.entityUuid),
      about(sql`entity_external_id`, filters.entityExternalId),
      action && sql`action ${inList(action)}`,
      actorType && sql`actor_type ${inList(actorType)}`,
      equal(sql`actor_uuid`, filters.actorUuid),
      equal(sql`request_id`, filters.requestId),
      dateRange(date, filters.eventDateAfter, filters.eventDateBefore),
    ],
    view: auditView,
    sorting: auditSorting,
    narrow: filters.entityUuid !== undefined || filters.entityExternalId !== undefined,
  };
}

/**
 * How many records stand from one place to another: there are no gaps but those of `store_rewind`, so that nobody has to
 * count. With this a walk
 * over the whole log reads each record once, and not once for every page.
 */
const countOfPlaces = (
  organization: string,
  from: number | undefined,
  to: number | undefined,
): SQL => sql`SELECT max(0, min(head, ${to ?? Number.MAX_SAFE_INTEGER}) - max(1, ${from ?? 1}) + 1)
    - coalesce((SELECT sum(max(0, min(sequence_number - 1, head, ${to ?? Number.MAX_SAFE_INTEGER})
        - max(sequence_number - skipped_count, ${from ?? 1}) + 1))
      FROM store_rewind WHERE organization_uuid = ${organization}), 0) AS total
  FROM (SELECT coalesce(max(sequence_number), 0) AS head FROM audit_log WHERE organization_uuid = ${organization})`;
