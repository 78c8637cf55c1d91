import { type SQL, sql } from 'drizzle-orm';
import { presentAlert, type StoredAlert } from '../alert/store.ts';
import type { Database } from '../lib/database.ts';
import { isoDate } from '../lib/time.ts';
import { presentRecord, type StoredRecord } from '../manifest/asset-store.ts';
import { presentManifest, type StoredManifest } from '../manifest/store.ts';
import { presentOperation, type StoredOperation } from '../operation/store.ts';
import { presentShipment, type StoredShipment } from '../shipment/store.ts';
import { presentGate, type StoredGate } from '../site/store.ts';
import { presentTrack, type StoredTrack } from '../track/store.ts';
import type { RewindData } from './rewind.ts';
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
  /** JSON text. */
  data: string | null;
  /** JSON text. */
  error: string | null;
}

const columns = sql`uuid, event_type AS "eventType", event_date AS "eventDate",
  sequence_number AS "sequenceNumber", operation_uuid AS "operationUuid", entity_type AS "entityType",
  entity_uuid AS "entityUuid", entity_external_id AS "entityExternalId", data, error`;

/** Those of the organization's events whose numbers are `numbers` (what `IN` takes): rows of `StoredEvent`. */
export const eventsQuery = (database: Database, numbers: SQL): SQL => sql`SELECT ${columns} FROM event
  WHERE organization_uuid = ${database.organization} AND sequence_number IN ${numbers}`;

/** The events after a number, in order, at most `limit` and no more than so many bytes of data and the next event. */
export const readEvents = (
  database: Database,
  after: number,
  limit: number,
  bytes: number,
): Promise<StoredEvent[]> =>
  database.all<StoredEvent>(sql`SELECT * FROM (SELECT *, coalesce(sum(octet_length(data)) OVER
      (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM (SELECT ${columns} FROM event WHERE organization_uuid = ${database.organization} AND sequence_number > ${after}
      ORDER BY sequence_number LIMIT ${limit})) WHERE before <= ${bytes}`);

const PRESENT: Record<EntityType, (links: string, stored: never) => object> = {
  TRACK: (links, stored: StoredTrack) => presentTrack(links, stored),
  MANIFEST: (links, stored: StoredManifest) => presentManifest(links, stored),
  SHIPMENT: (links, stored: StoredShipment) => presentShipment(links, stored),
  ASSET_LOADING: (links, stored: StoredRecord) => presentRecord(links, stored),
  GATE: (links, stored: StoredGate) => presentGate(links, stored),
  ALERT: (links, stored: StoredAlert) => presentAlert(links, stored),
  OPERATION: (links, stored: StoredOperation) => presentOperation(links, stored),
  ORGANIZATION: (_, stored: RewindData) => stored,
};

/** An event as the API shows it and webhooks deliver it; `links` is the origin of the links in it. */
export function presentEvent(links: string, organizationUuid: string, stored: StoredEvent) {
  const present = PRESENT[stored.entityType];
  return {
    eventIdentifier: stored.uuid,
    eventType: stored.eventType,
    eventDate: isoDate(stored.eventDate),
    sequenceNumber: stored.sequenceNumber,
    organizationUuid,
    operationId: stored.operationUuid,
    entityType: stored.entityType,
    entityUuid: stored.entityUuid,
    entityExternalId: stored.entityExternalId,
    data: stored.data === null ? null : present(links, JSON.parse(stored.data) as never),
    error: stored.error === null ? null : (JSON.parse(stored.error) as EventError),
  };
}
