import { type SQL, sql } from 'drizzle-orm';
import { alertView } from '../alert/store.ts';
import { inList, type Scope, sqlUuid, type Write } from '../lib/database.ts';
import { newUuid } from '../lib/id.ts';
import { pruneRows } from '../lib/prune.ts';
import { DAY_MS } from '../lib/time.ts';
import { recordView } from '../loading/store.ts';
import { BRIEF as MANIFEST_BRIEF, manifestView } from '../manifest/store.ts';
import { operationView } from '../operation/store.ts';
import { BRIEF as SHIPMENT_BRIEF, shipmentView } from '../shipment/store.ts';
import { gateStatus, gateView } from '../site/store.ts';
import { BESIDE, LISTED as TRACK_LISTED, trackView } from '../track/store.ts';
import type { PureContext } from '../writer/command.ts';
import type { ENTITY_TYPES, EVENT_TYPES } from './table.ts';

export type EventType = (typeof EVENT_TYPES)[number];
export type EntityType = (typeof ENTITY_TYPES)[number];

/** What an event is about. */
export interface Entity {
  uuid: string | null;
  externalIdentifier: string | null;
}

/** Why something failed, for COUPLING_FAILED. */
export interface EventError {
  code: string;
  message: string;
}

/** JSON of the resource with this uuid, as its room stores it; null where it is none. */
const DATA: Record<EntityType, (uuid: SQL) => SQL> = {
  TRACK: (uuid) => sql`(SELECT ${trackView(TRACK_LISTED)} FROM track WHERE track.uuid = ${uuid})`,
  MANIFEST: (uuid) =>
    sql`(SELECT ${manifestView(MANIFEST_BRIEF)} FROM manifest WHERE manifest.uuid = ${uuid})`,
  SHIPMENT: (uuid) =>
    sql`(SELECT ${shipmentView(SHIPMENT_BRIEF)} FROM shipment WHERE shipment.uuid = ${uuid})`,
  ASSET_LOADING: (uuid) => sql`(SELECT ${recordView(BESIDE)} FROM asset_loading a
    JOIN manifest ON manifest.uuid = a.manifest_uuid WHERE a.uuid = ${uuid})`,
  GATE: (uuid) => sql`(SELECT ${gateView} FROM gate WHERE gate.uuid = ${uuid})`,
  ALERT: (uuid) => sql`(SELECT ${alertView} FROM alert WHERE alert.uuid = ${uuid})`,
  OPERATION: (uuid) => sql`(SELECT ${operationView} FROM operation WHERE operation.uuid = ${uuid})`,
  ORGANIZATION: () => sql`NULL`,
};

/** Where the numbers of the organization's events go on. */
const lastNumber = (scope: Scope): SQL => sql`(SELECT coalesce(max(sequence_number), 0) FROM event
  WHERE organization_uuid = ${scope.organization})`;

/** The columns of an event, in the order of its values. */
export const COLUMNS = sql`(organization_uuid, sequence_number, uuid, event_type, event_date, operation_uuid, entity_type,
  entity_uuid, entity_external_id, data, error)`;

/**
 * Tell of entities, an event each, numbered after all events there are. Evaluated where it stands in the batch: at its
 * end, so that an event shows what the commit made of a resource; before a write that deletes it.
 */
export function tell(
  { scope, now }: Pick<PureContext, 'scope' | 'now'>,
  eventType: EventType,
  entityType: EntityType,
  entities: readonly Entity[],
  { operationUuid = null, error = null }: { operationUuid?: string | null; error?: EventError | null } = {},
): Write[] {
  if (entities.length === 0) return [];
  const told = JSON.stringify(
    entities.map(({ uuid, externalIdentifier }) => [newUuid(), uuid, externalIdentifier]),
  );
  const uuid = sql`json_extract(told.value, '$[1]')`;
  return [
    sql`INSERT INTO event ${COLUMNS}
      SELECT ${scope.organization}, ${lastNumber(scope)} + 1 + told.key, json_extract(told.value, '$[0]'),
        ${eventType}, ${now}, ${operationUuid}, ${entityType}, ${uuid}, json_extract(told.value, '$[2]'),
        ${DATA[entityType](uuid)}, ${error === null ? null : JSON.stringify(error)}
      FROM json_each(${told}) told`,
  ];
}

/** Tell of those of these gates whose status is another than was told last. */
export function tellGates(
  { scope, now }: Pick<PureContext, 'scope' | 'now'>,
  gateUuids: readonly (string | null)[],
): Write[] {
  const named = [...new Set(gateUuids.filter((uuid) => uuid !== null))];
  if (named.length === 0) return [];
  const changed = sql`+gate.organization_uuid = ${scope.organization} AND gate.uuid ${inList(named)}
    AND gate.told_status <> ${gateStatus}`;
  return [
    sql`INSERT INTO event ${COLUMNS}
      SELECT ${scope.organization}, ${lastNumber(scope)} + row_number() OVER (ORDER BY gate.uuid),
        ${sqlUuid(now)}, 'GATE_STATUS_CHANGED', ${now}, NULL, 'GATE', gate.uuid, gate.external_identifier,
        ${gateView}, NULL
      FROM gate WHERE ${changed}`,
    sql`UPDATE gate SET told_status = ${gateStatus} WHERE ${changed}`,
  ];
}

/** How long events can be read. */
const EVENTS_KEPT_MS = 30 * DAY_MS;

/** Forget events whose time is over, of all organizations, but for the last of each. For the scheduled handler. */
export const pruneEvents = (db: D1Database, now: number): Promise<number> =>
  pruneRows(
    db,
    'event',
    'event_date',
    now - EVENTS_KEPT_MS,
    `sequence_number < (SELECT max(later.sequence_number) FROM event later
      WHERE later.organization_uuid = event.organization_uuid)`,
  );
