import { sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import { aboardOf, aggregationEvent, askAboard, type EpcisEvent, objectEvent } from './events.ts';
import { urisOf } from './rules.ts';
import { HEAD } from './schema.ts';
import {
  changesQuery,
  closingsQuery,
  type LoadKind,
  type Loads,
  loadNamed,
  type RecordData,
  type StoredHappening,
} from './store.ts';

/** The kind of thing that left, by the type of its event. */
const HOLDERS: Partial<Record<StoredEvent['eventType'], LoadKind>> = {
  SHIPMENT_STATUS_CHANGED: 'SHIPMENT',
  MANIFEST_STATUS_CHANGED: 'MANIFEST',
};

/** Types of events about a loading record whose pallet may have moved. */
const MOVES: readonly StoredEvent['eventType'][] = [
  'ASSET_LOADING_STATUS_CHANGED',
  'UNAUTHORIZED_LOADING_RESOLVED',
];

/** The timeline entries for an event of the log. */
function changesOf(database: Database, { eventType, eventDate, data }: StoredEvent) {
  if (!MOVES.includes(eventType) || data === null) return undefined;
  return changesQuery(database, { ...parseJson<RecordData>(data), date: eventDate });
}

/** The shipment or manifest of an event of the log that left. */
function loadOf(database: Database, { eventType, entityUuid }: StoredEvent): Loads | undefined {
  const kind = HOLDERS[eventType];
  return kind && entityUuid !== null ? loadNamed(database, kind, entityUuid) : undefined;
}

/**
 * The EPCIS events for events of the log, by their numbers, with the same `eventID`s as in queries. Some events have no
 * counterpart: an unknown marker, a wrong pallet that was removed by hand, a manifest that left with its shipment, or an empty truck.
 */
export async function epcisOf(
  database: Database,
  links: string,
  events: readonly StoredEvent[],
): Promise<Map<number, EpcisEvent[]>> {
  const changed = events.flatMap((event) => {
    const changes = changesOf(database, event);
    return changes
      ? [
          sql<
            StoredHappening & { event: number }
          >`SELECT ${event.sequenceNumber} AS event, * FROM (${changes})`,
        ]
      : [];
  });
  const loads = events.flatMap((event) => loadOf(database, event) ?? []);
  const found = await database.ask({
    changes: changed,
    closings: loads.map((load) => closingsQuery(database, load)),
    ...askAboard(database, loads),
  });
  const changes = Map.groupBy(found.changes, ({ event }) => event);
  const closings = new Map(found.closings.map((stored) => [stored.uuid, stored]));
  const aboard = aboardOf(found);
  const names = urisOf(links, database.organization);
  return new Map(
    events.map(({ sequenceNumber, eventType, entityUuid }) => {
      const kind = HOLDERS[eventType];
      const closing = kind && closings.get(entityUuid ?? '');
      return [
        sequenceNumber,
        [
          ...(changes.get(sequenceNumber) ?? []).map((stored) => objectEvent(names, stored)),
          closing && aggregationEvent(names, kind, closing, aboard.get(closing.uuid) ?? []),
        ].filter((event) => event !== undefined),
      ];
    }),
  );
}

/** Events as a document to be sent, with the same text in every attempt. */
export const epcisDocument = (events: readonly EpcisEvent[], date: number): string =>
  JSON.stringify({
    ...HEAD,
    type: 'EPCISDocument',
    creationDate: isoDate(date),
    epcisBody: { eventList: events },
  });
