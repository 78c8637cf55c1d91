import { z } from '@hono/zod-openapi';
import { ANSWER_BYTES, bytesOf } from '../http/bounded.ts';
import { badCursor, fromOpaque, opaque } from '../http/cursor.ts';
import type { Database } from '../lib/database.ts';
import { aboardOf, aggregationEvent, askAboard, isAskedFor, objectEvent } from './events.ts';
import { bareBizStep, namesOf, palletNamed } from './rules.ts';
import type { AggregationEvent, EpcisQuery, ObjectEvent } from './schema.ts';
import {
  CHILDREN_MAXIMUM,
  type Committed,
  closingsQuery,
  happeningsQuery,
  type StoredClosing,
  type StoredHappening,
} from './store.ts';

/** Where a walk is: in what happened to pallets, and in what left. */
const placeSchema = z.tuple([
  z.tuple([z.number(), z.int()]),
  z.tuple([z.number(), z.string()]),
  z.tuple([z.number(), z.string()]),
]);
type Places = z.output<typeof placeSchema>;
const BEGINNING: Places = [
  [-1, 0],
  [-1, ''],
  [-1, ''],
];

/** Rows of each kind that a page looks at where a filter leaves some out that no index does. */
const WINDOW = 2_000;

/** What a page may tell of, with when it was committed. */
type Row = { recordDate: number } & (
  | { kind: 'PALLET'; stored: StoredHappening }
  | { kind: 'SHIPMENT' | 'MANIFEST'; stored: StoredClosing }
);

/** A page of events, and where the next one begins. */
export interface EpcisPage {
  events: (ObjectEvent | AggregationEvent)[];
  next: string | undefined;
}

/** Read the events behind a place, in the order in which they were committed. @throws 400 for a place that is none. */
export async function readPage(database: Database, links: string, query: EpcisQuery): Promise<EpcisPage> {
  const places = placesOf(query.nextPageToken);
  const { rows, whole } = await rowsBehind(database, places, query);
  // A page ends where it has as many as asked for, or as many pallets as an answer holds.
  const taken: Row[] = [];
  let pallets = 0;
  for (const row of rows) {
    const size = row.kind === 'PALLET' ? 1 : row.stored.size;
    if (taken.length > 0 && pallets + size > CHILDREN_MAXIMUM) break;
    pallets += size;
    taken.push(row);
  }
  const holders = taken.flatMap((row) =>
    row.kind === 'PALLET' || row.stored.member ? [] : [row.stored.uuid],
  );
  const aboard = aboardOf(await database.ask(askAboard(database, holders)));
  const names = namesOf(links, database.organization);
  const events: EpcisPage['events'] = [];
  let bytes = 0;
  let ended = false;
  for (const row of taken) {
    const event =
      row.kind === 'PALLET'
        ? objectEvent(names, row.stored)
        : aggregationEvent(names, row.kind, row.stored, aboard.get(row.stored.uuid) ?? []);
    const shown = event && isAskedFor(event, query) ? event : undefined;
    if (shown) {
      bytes += bytesOf(JSON.stringify(shown));
      ended ||= events.length === query.perPage || (bytes > ANSWER_BYTES && events.length > 0);
      if (ended) break;
      events.push(shown);
    }
    moveTo(places, row);
  }
  const isAll = whole && !ended && taken.length === rows.length;
  return { events, next: isAll ? undefined : opaque(places) };
}

function placesOf(token: string | undefined): Places {
  if (token === undefined) return structuredClone(BEGINNING);
  const parsed = placeSchema.safeParse(fromOpaque(token));
  if (!parsed.success) throw badCursor('The token is not one that this service gave.', 'nextPageToken');
  return parsed.data;
}

function moveTo(places: Places, { kind, recordDate, stored }: Row): void {
  if (kind === 'PALLET') places[0] = [recordDate, stored.number];
  if (kind === 'SHIPMENT') places[1] = [recordDate, stored.uuid];
  if (kind === 'MANIFEST') places[2] = [recordDate, stored.uuid];
}

/** What stands behind places, of all kinds in one order, as far as all of it was seen; whether that is to the end. */
async function rowsBehind(
  database: Database,
  [pallet, shipment, manifest]: Places,
  query: EpcisQuery,
): Promise<{ rows: Row[]; whole: boolean }> {
  const wmsIds = query.MATCH_epc?.flatMap((epc) => palletNamed(epc, database.organization) ?? []);
  // Nothing is told before it happened.
  const { GE_eventTime, LT_eventTime, EQ_bizStep } = query;
  const isFiltered = [GE_eventTime, LT_eventTime, EQ_bizStep].some((filter) => filter !== undefined);
  const committed: Committed = {
    limit: isFiltered ? WINDOW : query.perPage + 1,
    from: Math.max(query.GE_recordTime ?? 0, GE_eventTime ?? 0),
    before: query.LT_recordTime ?? Number.MAX_SAFE_INTEGER,
  };
  const steps = EQ_bizStep?.map(bareBizStep);
  const closings = !steps || steps.includes('shipping');
  const happenings = !steps || steps.some((step) => step !== 'shipping');
  const found = await database.ask({
    pallets: happenings ? happeningsQuery(database, pallet, committed, wmsIds) : undefined,
    shipments: closings ? closingsQuery(database, 'SHIPMENT', shipment, committed, wmsIds) : undefined,
    manifests: closings ? closingsQuery(database, 'MANIFEST', manifest, committed, wmsIds) : undefined,
  });
  const kinds: Row[][] = [
    found.pallets.map((stored) => ({ kind: 'PALLET', recordDate: stored.recordDate, stored })),
    found.shipments.map((stored) => ({ kind: 'SHIPMENT', recordDate: stored.recordDate, stored })),
    found.manifests.map((stored) => ({ kind: 'MANIFEST', recordDate: stored.recordDate, stored })),
  ];
  // Behind the last of a kind that goes on there may be more of it: what others have there waits for it.
  const ends = kinds.flatMap((rows) => (rows.length < committed.limit ? [] : [rows.at(-1)!.recordDate]));
  const end = Math.min(Infinity, ...ends);
  const rows = kinds
    .flatMap((of) => of.filter((row) => row.recordDate <= end))
    .sort((a, b) => a.recordDate - b.recordDate);
  return { rows, whole: ends.length === 0 };
}
