import { type SQL, sql } from 'drizzle-orm';
import { firstSince } from '../../core/lib/date-search.ts';
import { newUuid } from '../../core/lib/id.ts';
import { PRUNE_ROWS, pruned } from '../../core/lib/prune.ts';
import type { Write } from '../../core/lib/scope.ts';
import { forD1, rowsTable } from '../../core/lib/sql.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import { type Context, eventInsert } from '../../core/writer/command.ts';
import { isOwnRow, nextEventId, rowIdOf } from '../../core/writer/numbers.ts';
import type { EVENT_ENTITY_TYPES, EVENT_TYPES } from './table.ts';

export type EventType = (typeof EVENT_TYPES)[number];
export type EntityType = (typeof EVENT_ENTITY_TYPES)[number];

/** The thing that an event is about. */
interface Entity {
  uuid: string | null;
  externalIdentifier: string | null;
}

/** Why something failed, for COUPLING_FAILED. */
export interface EventError {
  code: string;
  message: string;
}

/** A kind of thing that events are about, as its module declares it. */
export interface EntityKind {
  readonly type: EntityType;
  /** JSON of the resource with this uuid, as its module stores it. */
  readonly data: (uuid: SQL) => SQL;
}

/** The columns of an event, in the order of its values. */
export const EVENT_COLUMNS = sql`(id, uuid, event_type, event_date, operation_uuid, entity_type, entity_uuid,
  entity_external_id, data, error, traceparent)`;

/**
 * Statements that emit an event for each entity, numbered after the last event. A statement reads the resource at its
 * place in the batch. A statement at the end of the batch stores the resource as committed. A statement before the
 * resource's deletion still finds it.
 */
export function emit(
  { scope, now, traceparent }: Pick<Context, 'scope' | 'now' | 'traceparent'>,
  eventType: EventType,
  { type, data }: EntityKind,
  entities: readonly Entity[],
  { operationUuid = null, error = null }: { operationUuid?: string | null; error?: EventError | null } = {},
): Write[] {
  if (entities.length === 0) return [];
  const emitted = JSON.stringify(
    entities.map(({ uuid, externalIdentifier }) => [newUuid(), uuid, externalIdentifier]),
  );
  const uuid = sql`entry.value ->> 1`;
  return [
    eventInsert(sql`INSERT INTO event ${EVENT_COLUMNS}
      SELECT ${nextEventId(scope, sql`(1 + entry.key)`)}, entry.value ->> 0,
        ${eventType}, ${now}, ${operationUuid}, ${type}, ${uuid}, entry.value ->> 2,
        ${data(uuid)}, ${error === null ? null : JSON.stringify(error)}, ${traceparent}
      FROM ${rowsTable(emitted)} entry`),
  ];
}

/** How long events are kept. */
const EVENTS_KEPT_MS = 30 * DAY_MS;

/**
 * Delete the expired events of all organizations, except the last of each. For the scheduled handler. The events of an
 * organization ascend with their dates. So the expired ones are at its beginning, and no index has to contain dates.
 */
export function pruneEvents(db: D1Database, now: number): Promise<number> {
  const before = now - EVENTS_KEPT_MS;
  const owner = { organization: sql`o.organization_uuid` };
  const own = isOwnRow(owner, sql`event`);
  const rows = { table: sql`event`, number: sql`event.id`, date: sql`event.event_date`, where: own };
  const { text, params } = forD1(sql`DELETE FROM event WHERE id IN (
    SELECT e.id FROM (SELECT o.organization_uuid,
        min(${firstSince(rows, before)}, (SELECT max(id) FROM event WHERE ${own})) AS kept
      FROM organization_number o
      WHERE (SELECT event_date FROM event WHERE ${own} ORDER BY id LIMIT 1) < ${before}) o
    CROSS JOIN event e ON e.id >= ${rowIdOf(owner, 0)} AND e.id < o.kept LIMIT ${PRUNE_ROWS})`);
  return pruned(db.prepare(text).bind(...params));
}
