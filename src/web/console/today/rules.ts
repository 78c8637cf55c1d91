import { largest, smallest } from '../../../core/lib/extremes.ts';
import { HOUR_MS, MINUTE_MS } from '../../../core/lib/time.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';

/** A shipment on the page of a day. Dates in epoch milliseconds. */
export interface Departure {
  uuid: string;
  externalIdentifier: string;
  status: 'TO_DO' | 'IN_PROGRESS' | 'COMPLETED';
  departureDate: number;
  activateDate: number | null;
  closeDate: number | null;
  /** When its truck arrived. */
  arrivalDate: number | null;
  gate: GateReference | null;
  carrier: string | null;
  vehicle: string | null;
  pallets: number;
  loaded: number;
  /** Invalid loadings aboard if the shipment is in progress; otherwise 0. */
  wrong: number;
}

/** States of a shipment on the page of a day, in the order of the legend. */
export const DAY_STATES = [
  'PLANNED',
  'READY',
  'LOADING',
  'WRONG',
  'ALL_LOADED',
  'COMPLETED',
  'SHORT',
] as const;
export type DayState = (typeof DAY_STATES)[number];

/** Facts about the day for the parts of the page. */
export interface TodayContext {
  zone: string;
  now: number;
}

/** The most important state of a shipment at the moment. */
export function dayState({ status, gate, pallets, loaded, wrong }: Departure): DayState {
  if (status === 'COMPLETED') return loaded < pallets ? 'SHORT' : 'COMPLETED';
  if (status === 'TO_DO') return gate ? 'READY' : 'PLANNED';
  if (wrong > 0) return 'WRONG';
  return pallets > 0 && loaded === pallets ? 'ALL_LOADED' : 'LOADING';
}

/** Whether the truck of a shipment has arrived and not left. */
export const isHere = ({ arrivalDate, status }: Departure): boolean =>
  arrivalDate !== null && status !== 'COMPLETED';

/** The delay in milliseconds of a shipment that has not left; 0 if it is not late. */
export const lateBy = ({ status, departureDate }: Departure, now: number): number =>
  status === 'COMPLETED' ? 0 : Math.max(0, now - departureDate);

/** Duration of a column in milliseconds. */
export const STEP_MS = 15 * MINUTE_MS;
/** The assumed loading time: per pallet, and the minimum and maximum per shipment. */
const PALLET_MS = 2 * MINUTE_MS;
const LOADING_MINIMUM_MS = 30 * MINUTE_MS;
const LOADING_MAXIMUM_MS = 2 * HOUR_MS;
/** The hours that a day shows, and the least number of hours. */
const SHOWN_FROM_HOUR = 6;
const SHOWN_UNTIL_HOUR = 18;
const SHOWN_HOURS = 8;

/**
 * The time when a shipment occupies its gate: as recorded, or else from the assumed start of loading until
 * departure. If it is late and in progress, it occupies the gate until now.
 */
export function heldBy(departure: Departure, now: number): { from: number; until: number } {
  const { status, departureDate, activateDate, closeDate, pallets } = departure;
  const expected = Math.min(LOADING_MAXIMUM_MS, Math.max(LOADING_MINIMUM_MS, pallets * PALLET_MS));
  if (status === 'COMPLETED') {
    const until = closeDate ?? departureDate;
    return { from: Math.min(activateDate ?? until - expected, until), until };
  }
  const until = Math.max(departureDate, status === 'IN_PROGRESS' ? now : 0);
  return { from: Math.min(activateDate ?? departureDate - expected, until - STEP_MS), until };
}

/** Shipments that have not left and share a gate at the same time. For each uuid, the other shipments. */
export function clashesOf(departures: readonly Departure[], now: number): Map<string, Departure[]> {
  const open = departures.filter(({ status, gate }) => status !== 'COMPLETED' && gate !== null);
  const found = open.map((departure) => {
    const { from, until } = heldBy(departure, now);
    const others = open.filter((other) => {
      if (other === departure || other.gate!.uuid !== departure.gate!.uuid) return false;
      const held = heldBy(other, now);
      return held.from < until && from < held.until;
    });
    return [departure.uuid, others] as const;
  });
  return new Map(found.filter(([, others]) => others.length > 0));
}

/**
 * Where the text of a slot is that is too short for it: after it, before it, or on its delay. Null for a slot with its
 * text.
 */
type Beside = 'AFTER' | 'BEFORE' | 'ON_DELAY' | null;

/** A shipment in columns, counted from 0. */
export interface Slot {
  departure: Departure;
  /** Its first column, and how many columns it has. The last `late` of them are its delay. */
  column: number;
  columns: number;
  late: number;
  beside: Beside;
  /** The columns that the slot and the text beside it take: from the first, up to the second. */
  taken: readonly [number, number];
}

/** A gate with its shipments, in enough lines that none overlap. */
export interface Lane {
  gate: GateReference;
  lines: Slot[][];
}

/** The hours of a day as columns of a quarter of an hour. */
export interface Grid {
  /** When the first column begins, in epoch milliseconds. */
  begin: number;
  columns: number;
}

/** When a shipment is shown: while it is at its gate. A late shipment is shown until now. */
function shownBy(departure: Departure, now: number): { from: number; until: number } {
  const { from, until } = heldBy(departure, now);
  return { from, until: lateBy(departure, now) > 0 ? Math.max(until, now) : until };
}

/**
 * The part of a day that is shown: working hours, extended to shipments outside of them. On the present day, hours that
 * are over and had no shipment are left out, if enough hours remain.
 */
export function gridOf(departures: readonly Departure[], begin: number, end: number, now: number): Grid {
  const shown = departures.map((departure) => shownBy(departure, now));
  const within = (at: number) => Math.min(Math.max(at, begin), end);
  // Leave room for the text beside the last shipment.
  const last = Math.max(
    begin + SHOWN_UNTIL_HOUR * HOUR_MS,
    largest(shown.map(({ until }) => within(until + BESIDE_COLUMNS * STEP_MS))),
  );
  const until = Math.min(end, begin + Math.ceil((last - begin) / HOUR_MS) * HOUR_MS);
  const isToday = begin <= now && now < end;
  const needed = isToday ? Math.min(now - HOUR_MS, until - SHOWN_HOURS * HOUR_MS) : begin;
  const start = Math.max(begin + SHOWN_FROM_HOUR * HOUR_MS, needed);
  const first = Math.min(start, smallest(shown.map(({ from }) => within(from))));
  const from = begin + Math.floor((first - begin) / HOUR_MS) * HOUR_MS;
  return { begin: from, columns: Math.max(1, Math.ceil((until - from) / STEP_MS)) };
}

/** A slot with fewer columns has no room for its text, in a grid of twelve hours. */
const TEXT_COLUMNS = 5;
/** The columns of a text beside a slot, in a grid of twelve hours. */
const BESIDE_COLUMNS = 6;
/** The same in a longer grid, as parts of it: its columns are narrower. */
const TEXT_PART = 10;
const BESIDE_PART = 8;

/** The columns of a shipment. */
function slotOf(departure: Departure, { begin, columns }: Grid, now: number): Slot {
  const { from, until } = shownBy(departure, now);
  const column = Math.min(columns - 1, Math.max(0, Math.floor((from - begin) / STEP_MS)));
  const last = Math.min(columns, Math.max(column + 1, Math.ceil((until - begin) / STEP_MS)));
  const due = Math.max(column + 1, Math.ceil((departure.departureDate - begin) / STEP_MS));
  const late = departure.status === 'COMPLETED' ? 0 : Math.max(0, last - due);
  const slot = { departure, column, columns: last - column, late };
  if (slot.columns - late >= Math.max(TEXT_COLUMNS, Math.ceil(columns / TEXT_PART)))
    return { ...slot, beside: null, taken: [column, last] };
  const wide = Math.max(BESIDE_COLUMNS, Math.ceil(columns / BESIDE_PART));
  const after = Math.min(columns, last + wide);
  const before = Math.max(0, column - wide);
  const room = Math.max(after - last, column - before);
  if (room < wide && late >= wide) return { ...slot, beside: 'ON_DELAY', taken: [column, last] };
  return after - last >= column - before
    ? { ...slot, beside: 'AFTER', taken: [column, after] }
    : { ...slot, beside: 'BEFORE', taken: [before, last] };
}

/**
 * The first shipment of a gate that has not left: the shipment at the gate now, or the next shipment. Undefined if the
 * gate is free for the rest of the day.
 */
export function nextAt({ lines }: Lane, now: number): { departure: Departure; from: number } | undefined {
  return lines
    .flat()
    .filter(({ departure: { status } }) => status !== 'COMPLETED')
    .map(({ departure }) => ({ departure, from: heldBy(departure, now).from }))
    .sort((a, b) => a.from - b.from)[0];
}

/** The fewest characters of a name that are shown. */
const NAME_MINIMUM = 4;

/**
 * The common beginning of all names of a day, up to a separator. It is left out where space is short. The rest of each
 * name is long enough to recognize the shipment.
 */
export function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  const shortest = smallest(names.map(({ length }) => length));
  let end = 0;
  while (
    end + NAME_MINIMUM < shortest &&
    end < first.length &&
    others.every((name) => name[end] === first[end])
  )
    end += 1;
  return /^.*[-_/. ]/.exec(first.slice(0, end))?.[0] ?? '';
}

/** The gates with their shipments over the day. */
export function lanesOf(
  gates: readonly GateReference[],
  departures: readonly Departure[],
  grid: Grid,
  now: number,
): Lane[] {
  return gates.map((gate) => {
    const slots = departures
      .filter((departure) => departure.gate?.uuid === gate.uuid)
      .map((departure) => slotOf(departure, grid, now))
      .sort((a, b) => a.taken[0] - b.taken[0]);
    const lines: Slot[][] = [];
    for (const slot of slots) {
      const line = lines.find((earlier) => earlier.at(-1)!.taken[1] <= slot.taken[0]);
      if (line) line.push(slot);
      else lines.push([slot]);
    }
    return { gate, lines: lines.length === 0 ? [[]] : lines };
  });
}
