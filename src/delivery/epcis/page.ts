import { z } from '@hono/zod-openapi';
import { bytesOf, PAGE_BYTES } from '../../core/http/bounded.ts';
import { badCursor, fromOpaque, opaque } from '../../core/http/cursor.ts';
import type { Database } from '../../core/lib/database.ts';
import { smallest } from '../../core/lib/extremes.ts';
import { aboardOf, aggregationEvent, askAboard, isAskedFor, objectEvent } from './document.ts';
import { palletsNamed, urisOf } from './rules.ts';
import type { AggregationEvent, EpcisQuery, ObjectEvent } from './schema.ts';
import {
  CHILDREN_MAXIMUM,
  type Committed,
  closingsQuery,
  happeningsQuery,
  type LoadKind,
  loadsAfter,
  type StoredClosing,
  type StoredHappening,
} from './store.ts';

/** A position in the list: among events of pallets, and among completions. */
const placeSchema = z.tuple([
  z.tuple([z.number(), z.int()]),
  z.tuple([z.number(), z.string()]),
  z.tuple([z.number(), z.string()]),
]);
type Positions = z.output<typeof placeSchema>;
const BEGINNING: Positions = [
  [-1, 0],
  [-1, ''],
  [-1, ''],
];

/** The maximum number of rows of each kind that a page reads if a filter without index excludes some. */
const WINDOW = 2_000;

/** A candidate for a page, with the date of its commit. */
type Row = { recordDate: number } & (
  | { kind: 'PALLET'; stored: StoredHappening }
  | { kind: LoadKind; stored: StoredClosing }
);

/** A page of events, and the position of the next one. */
interface EpcisPage {
  events: (ObjectEvent | AggregationEvent)[];
  next: string | undefined;
}

/** Read the events after a position, in the order of their commits. @throws 400 for an invalid position */
export async function readEventPage(
  database: Database,
  links: string,
  query: EpcisQuery,
): Promise<EpcisPage> {
  const positions = positionsOf(query.nextPageToken);
  const { rows, whole, aboard } = await rowsBehind(database, positions, query);
  // A page ends when it has the requested number of events, or as many pallets as an answer can hold.
  const taken: Row[] = [];
  let pallets = 0;
  for (const row of rows) {
    const size = row.kind === 'PALLET' ? 1 : row.stored.size;
    if (taken.length > 0 && pallets + size > CHILDREN_MAXIMUM) break;
    pallets += size;
    taken.push(row);
  }
  const names = urisOf(links, database.organization);
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
      ended ||= events.length === query.perPage || (bytes > PAGE_BYTES && events.length > 0);
      if (ended) break;
      events.push(shown);
    }
    moveTo(positions, row);
  }
  const isAll = whole && !ended && taken.length === rows.length;
  return { events, next: isAll ? undefined : opaque(positions) };
}

function positionsOf(token: string | undefined): Positions {
  if (token === undefined) return structuredClone(BEGINNING);
  const parsed = placeSchema.safeParse(fromOpaque(token));
  if (!parsed.success) throw badCursor('The token does not come from this service.', 'nextPageToken');
  return parsed.data;
}

function moveTo(positions: Positions, { kind, recordDate, stored }: Row): void {
  if (kind === 'PALLET') positions[0] = [recordDate, stored.number];
  if (kind === 'SHIPMENT') positions[1] = [recordDate, stored.uuid];
  if (kind === 'MANIFEST') positions[2] = [recordDate, stored.uuid];
}

/** Dates in the order of their numbers. If a clock went back, the date of the entry before counts. */
function ascending(dates: readonly number[]): number[] {
  let last = Number.NEGATIVE_INFINITY;
  return dates.map((date) => {
    last = Math.max(last, date);
    return last;
  });
}

/**
 * Merge candidates of all kinds after a position in one order, up to where all kinds have been read. Also returns
 * whether the list ends there, and the pallets aboard of each completed load.
 */
async function rowsBehind(
  database: Database,
  [pallet, shipment, manifest]: Positions,
  query: EpcisQuery,
): Promise<{ rows: Row[]; whole: boolean; aboard: ReadonlyMap<string, string[]> }> {
  const wmsIds = query.MATCH_epc?.flatMap((epc) => palletsNamed(epc, database.organization));
  // Nothing is published before it happened, so the lower limit of event dates also applies to commits.
  const { GE_eventTime, LT_eventTime, EQ_bizStep } = query;
  const isFiltered = [GE_eventTime, LT_eventTime, EQ_bizStep].some((filter) => filter !== undefined);
  const committed: Committed = {
    limit: isFiltered ? WINDOW : query.perPage + 1,
    from: Math.max(query.GE_recordTime ?? 0, GE_eventTime ?? 0),
    before: query.LT_recordTime ?? Number.MAX_SAFE_INTEGER,
  };
  const closings = !EQ_bizStep || EQ_bizStep.includes('shipping');
  const happenings = !EQ_bizStep || EQ_bizStep.some((step) => step !== 'shipping');
  const [shipments, manifests] = [
    loadsAfter(database, 'SHIPMENT', shipment, committed, wmsIds),
    loadsAfter(database, 'MANIFEST', manifest, committed, wmsIds),
  ];
  const found = await database.ask({
    pallets: happenings ? happeningsQuery(database, pallet, committed, wmsIds) : undefined,
    shipments: closings ? closingsQuery(database, shipments) : undefined,
    manifests: closings ? closingsQuery(database, manifests) : undefined,
    ...askAboard(database, closings ? [shipments, manifests] : []),
  });
  const dates = ascending(found.pallets.map((stored) => stored.recordDate));
  const kinds: Row[][] = [
    found.pallets.map((stored, at) => ({ kind: 'PALLET', recordDate: dates[at]!, stored })),
    found.shipments.map((stored) => ({ kind: 'SHIPMENT', recordDate: stored.recordDate, stored })),
    found.manifests.map((stored) => ({ kind: 'MANIFEST', recordDate: stored.recordDate, stored })),
  ];
  // A kind may have more rows than were read. Rows of other kinds after the last read row of this kind are then left
  // for the next page.
  const ends = kinds.flatMap((rows) => (rows.length < committed.limit ? [] : [rows.at(-1)!.recordDate]));
  const end = smallest(ends);
  const rows = kinds
    .flatMap((of) => of.filter((row) => row.recordDate <= end))
    .sort((a, b) => a.recordDate - b.recordDate);
  return { rows, whole: ends.length === 0, aboard: aboardOf(found) };
}
