import type { SQL } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import { isoDate } from '../../core/lib/time.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import { aboardOf, aggregationEvent, askAboard, type EpcisEvent, objectEvent } from './events.ts';
import { urisOf } from './rules.ts';
import { HEAD } from './schema.ts';
import { changesQuery, closingQuery, type LoadKind } from './store.ts';

/** The parts of an event's data that identify a loading record's pallet and manifest. */
interface RecordData {
  manifestExternalId: string;
  track: { uuid: string } | null;
}

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
  const { track, manifestExternalId } = parseJson<RecordData>(data);
  return track
    ? changesQuery(database, { trackUuid: track.uuid, manifestExternalId, date: eventDate })
    : undefined;
}

/** The shipment or manifest of an event of the log that left. */
function closingOf(database: Database, { eventType, entityUuid }: StoredEvent) {
  const kind = HOLDERS[eventType];
  return kind && entityUuid !== null ? closingQuery(database, kind, entityUuid) : undefined;
}

/** The rows for each event, by its number. Makes no round trip if no event has any. */
async function askEach<Row>(
  database: Database,
  events: readonly StoredEvent[],
  rowsOf: (database: Database, event: StoredEvent) => SQL<Row> | undefined,
): Promise<Map<number, Row[]>> {
  const asked = events.flatMap((event): [number, SQL<Row>][] => {
    const rows = rowsOf(database, event);
    return rows ? [[event.sequenceNumber, rows]] : [];
  });
  if (asked.length === 0) return new Map();
  const results = await database.send(asked.map(([, rows]) => rows));
  return new Map(asked.map(([number], index) => [number, results[index]!.rows]));
}

/**
 * The EPCIS events for events of the log, by their numbers, with the same `eventID`s as in queries. Some events have no
 * counterpart: a pallet without a track, a wrong pallet that was removed by hand, a manifest that left with its shipment, or an empty truck.
 */
export async function epcisOf(
  database: Database,
  links: string,
  events: readonly StoredEvent[],
): Promise<Map<number, EpcisEvent[]>> {
  const changes = await askEach(database, events, changesOf);
  const closings = await askEach(database, events, closingOf);
  const holders = [...closings.values()].flat().filter(({ member }) => !member);
  const uuids = holders.map(({ uuid }) => uuid);
  const aboard = uuids.length === 0 ? undefined : aboardOf(await database.ask(askAboard(database, uuids)));
  const names = urisOf(links, database.organization);
  return new Map(
    events.map(({ sequenceNumber, eventType }) => [
      sequenceNumber,
      [
        ...(changes.get(sequenceNumber) ?? []).map((stored) => objectEvent(names, stored)),
        ...(closings.get(sequenceNumber) ?? []).map((stored) =>
          aggregationEvent(names, HOLDERS[eventType]!, stored, aboard?.get(stored.uuid) ?? []),
        ),
      ].filter((event) => event !== undefined),
    ]),
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
