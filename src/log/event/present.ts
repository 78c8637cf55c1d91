import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { isoDate } from '../../core/lib/time.ts';
import { isEventAfter, numberIn, rowIdOf } from '../../core/writer/numbers.ts';
import type { EntityType, EventError, EventType } from './store.ts';

/** A row of the event log. */
export interface StoredEvent {
  uuid: string;
  eventType: EventType;
  eventDate: number;
  sequenceNumber: number;
  operationUuid: string | null;
  entityType: EntityType;
  entityUuid: string | null;
  entityExternalId: string | null;
  /** The input of the presenter of its entity type. */
  data: Json<never> | null;
  error: Json<EventError> | null;
  /** The trace context of the request that caused it: not shown, but sent with deliveries. */
  traceparent: string | null;
}

const columns = sql`uuid, event_type AS "eventType", event_date AS "eventDate",
  ${numberIn(sql`id`)} AS "sequenceNumber", operation_uuid AS "operationUuid", entity_type AS "entityType",
  entity_uuid AS "entityUuid", entity_external_id AS "entityExternalId", data, error, traceparent`;

/** The organization's events with the numbers in a subquery, in its column `sequence_number`. */
export const eventsQuery = (
  database: Database,
  numbers: SQL,
): SQL<StoredEvent> => sql`SELECT ${columns} FROM event
  WHERE id IN (SELECT ${rowIdOf(database, sql`sequence_number`)} FROM ${numbers})`;

/** An event of a page, and the bytes of its data and of the data of all events before it. */
export type ReadEvent = StoredEvent & { through: number };

/**
 * The events after a number, in order: at most `limit`, and none after the event with which their data exceeds `bytes`.
 */
export const readEvents = (
  database: Database,
  after: number,
  limit: number,
  bytes: number,
): Promise<ReadEvent[]> =>
  database.all(sql<ReadEvent>`SELECT * FROM (SELECT *, sum(coalesce(octet_length(data), 0)) OVER
      (ROWS UNBOUNDED PRECEDING) AS through
    FROM (SELECT ${columns} FROM event WHERE ${isEventAfter(database, after)} ORDER BY id LIMIT ${limit})) WHERE through - coalesce(octet_length(data), 0) <= ${bytes}`);

/** The presenters of all things that events are about; `links` is the origin of the links in them. */
export type Presenters = Readonly<Record<EntityType, (links: string, stored: never) => object>>;

/** Shows an event as in the API and in webhook deliveries. `links` is the origin of the links in it. */
export type PresentEvent = ReturnType<typeof eventPresenter>;

/** The data of an event. After a rollback, the log may have events about things that this version does not know. */
const dataOf = (
  present: Presenters[EntityType] | undefined,
  links: string,
  { data }: StoredEvent,
): object | null => (data === null || !present ? null : present(links, parseJson(data)));

/** Make the function that presents events, from the presenters of their things. */
export const eventPresenter =
  (presenters: Presenters) => (links: string, organizationUuid: string, stored: StoredEvent) => ({
    eventIdentifier: stored.uuid,
    eventType: stored.eventType,
    eventDate: isoDate(stored.eventDate),
    sequenceNumber: stored.sequenceNumber,
    organizationUuid,
    operationId: stored.operationUuid,
    entityType: stored.entityType,
    entityUuid: stored.entityUuid,
    entityExternalId: stored.entityExternalId,
    data: dataOf(presenters[stored.entityType], links, stored),
    error: stored.error === null ? null : parseJson(stored.error),
  });
