import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { isoDate } from '../lib/time.ts';
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
  /** What the presenter of its entity type takes. */
  data: Json<never> | null;
  error: Json<EventError> | null;
  /** Of the request that it came of; not shown, but sent with deliveries. */
  traceparent: string | null;
}

const columns = sql`uuid, event_type AS "eventType", event_date AS "eventDate",
  sequence_number AS "sequenceNumber", operation_uuid AS "operationUuid", entity_type AS "entityType",
  entity_uuid AS "entityUuid", entity_external_id AS "entityExternalId", data, error, traceparent`;

/** Those of the organization's events whose numbers are `numbers` (what `IN` takes). */
export const eventsQuery = (
  database: Database,
  numbers: SQL,
): SQL<StoredEvent> => sql`SELECT ${columns} FROM event
  WHERE organization_uuid = ${database.organization} AND sequence_number IN ${numbers}`;

/** The events after a number, in order, at most `limit` and no more than so many bytes of data and the next event. */
export const readEvents = (
  database: Database,
  after: number,
  limit: number,
  bytes: number,
): Promise<StoredEvent[]> =>
  database.all(sql<StoredEvent>`SELECT * FROM (SELECT *, coalesce(sum(octet_length(data)) OVER
      (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM (SELECT ${columns} FROM event WHERE organization_uuid = ${database.organization} AND sequence_number > ${after}
      ORDER BY sequence_number LIMIT ${limit})) WHERE before <= ${bytes}`);

/** How each thing that an event can be about is shown; `links` is the origin of the links in it. */
export type Presenters = Readonly<Record<EntityType, (links: string, stored: never) => object>>;

/** Makes an event as the API shows it and webhooks deliver it; `links` is the origin of the links in it. */
export type PresentEvent = ReturnType<typeof eventPresenter>;

/** How events are shown, by how their things are. */
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
    data: stored.data === null ? null : presenters[stored.entityType](links, parseJson(stored.data)),
    error: stored.error === null ? null : parseJson(stored.error),
  });
