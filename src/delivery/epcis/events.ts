import type { RowsOf } from '../../core/lib/asks.ts';
import { parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isoDate } from '../../core/lib/time.ts';
import { isoOffsetIn } from '../../core/lib/zone.ts';
import { CORRECTION, HAPPENINGS, type urisOf } from './rules.ts';
import type { AggregationEvent, EpcisQuery, ObjectEvent } from './schema.ts';
import {
  childrenQuery,
  type LoadKind,
  type Loads,
  reversalsQuery,
  type StoredClosing,
  type StoredHappening,
} from './store.ts';

type Names = ReturnType<typeof urisOf>;
export type EpcisEvent = ObjectEvent | AggregationEvent;

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
