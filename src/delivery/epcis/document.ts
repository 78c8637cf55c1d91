import { sql } from 'drizzle-orm';
import type { RowsOf } from '../../core/lib/asks.ts';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate } from '../../core/lib/time.ts';
import { isoOffsetIn } from '../../core/lib/zone.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import { CORRECTION, HAPPENINGS, urisOf } from './rules.ts';
import { type AggregationEvent, type EpcisQuery, HEAD, type ObjectEvent } from './schema.ts';
import {
  changesQuery,
  childrenQuery,
  closingsQuery,
  type LoadKind,
  type Loads,
  loadNamed,
  type RecordData,
  reversalsQuery,
  type StoredClosing,
  type StoredHappening,
} from './store.ts';

type Names = ReturnType<typeof urisOf>;
type EpcisEvent = ObjectEvent | AggregationEvent;

/** The maximum number of bytes of identifiers (ASCII) in one event. */
const CHILDREN_BYTES = 8_000_000;
const QUOTES = '"",'.length;

const urn = (uuid: string): string => `urn:uuid:${uuid}`;

const readPoint = (names: Names, gateUuid: string | null, gln: string | null) =>
  gateUuid === null ? {} : { readPoint: { id: names.gate({ uuid: gateUuid, gln }) } };

/** A timeline entry as an event; undefined for a correction of something that was never published. */
export function objectEvent(names: Names, stored: StoredHappening): ObjectEvent | undefined {
  const corrects = stored.activityType === CORRECTION;
  const activity = corrects ? stored.original && parseJson(stored.original) : stored;
  const meaning = activity && HAPPENINGS[activity.activityType];
  if (!activity || !meaning) return undefined;
  return {
    type: 'ObjectEvent',
    eventID: urn(activity.uuid),
    eventTime: isoDate(activity.eventDate),
    eventTimeZoneOffset: isoOffsetIn(stored.timeZone, activity.eventDate),
    recordTime: isoDate(stored.recordDate),
    action: 'OBSERVE',
    ...meaning,
    epcList: [names.pallet(stored.wmsId)],
    ...readPoint(names, activity.gateUuid, activity.gln),
    ...(corrects
      ? { errorDeclaration: { declarationTime: isoDate(stored.recordDate), reason: 'did_not_occur' } }
      : {}),
  };
}

/** The first pallets that fit one answer. */
function fittingChildren(epcs: string[]): string[] {
  let bytes = 0;
  const over = epcs.findIndex((epc) => {
    bytes += epc.length + QUOTES;
    return bytes > CHILDREN_BYTES;
  });
  return over === -1 ? epcs : epcs.slice(0, over);
}

/** A completion as an event; undefined if nothing was aboard, because EPCIS has no aggregation for that. */
export function aggregationEvent(
  names: Names,
  kind: LoadKind,
  { uuid, recordDate, timeZone, gateUuid, gln }: StoredClosing,
  aboard: readonly string[],
): AggregationEvent | undefined {
  if (aboard.length === 0) return undefined;
  const date = isoDate(recordDate);
  return {
    type: 'AggregationEvent',
    eventID: urn(uuid),
    eventTime: date,
    eventTimeZoneOffset: isoOffsetIn(timeZone, recordDate),
    recordTime: date,
    action: 'ADD',
    bizStep: 'shipping',
    disposition: 'in_transit',
    parentID: names.load(kind, uuid),
    childEPCs: fittingChildren([...new Set([...aboard].sort().map(names.pallet))]),
    ...readPoint(names, gateUuid, gln),
  };
}

/** The reads for the pallets that were aboard loads when they left. */
export const askAboard = (scope: Scope, loads: readonly Loads[]) => ({
  children: loads.map((of) => childrenQuery(scope, of)),
  reversals: loads.map((of) => reversalsQuery(scope, of)),
});

/** The WMS ids of the pallets aboard, by shipment or manifest: pallets that were LOADED before any later correction. */
export function aboardOf({
  children,
  reversals,
}: RowsOf<ReturnType<typeof askAboard>>): Map<string, string[]> {
  const before = new Map<string, string | null>();
  for (const { recordUuid, oldStatus } of reversals) {
    if (!before.has(recordUuid)) before.set(recordUuid, oldStatus);
  }
  const loaded = children.filter(
    ({ recordUuid, loadingStatus }) => (before.get(recordUuid) ?? loadingStatus) === 'LOADED',
  );
  const byLoad = Map.groupBy(loaded, ({ load }) => load);
  return new Map([...byLoad].map(([load, of]) => [load, of.map(({ wmsId }) => wmsId)]));
}

/** Whether an event matches the filters that no index covers. */
export function isAskedFor(event: EpcisEvent, query: EpcisQuery): boolean {
  const { GE_eventTime = -Infinity, LT_eventTime = Infinity, EQ_bizStep } = query;
  const eventTime = Date.parse(event.eventTime);
  if (eventTime < GE_eventTime || eventTime >= LT_eventTime) return false;
  return !EQ_bizStep || EQ_bizStep.includes(event.bizStep);
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
