import { asRfc3339, definiteInstant, instantOf, readDate } from './date.ts';
import { DAY_MS, isDateNumber, MINUTE_MS } from './time.ts';
import { clockChangeIn, dayIn, pickerText, zonedIn } from './zone.ts';

/** A time of day: `9:05`, `14.30 Uhr`, `2:30 PM`. */
const CLOCK = /^(\d{1,2})[:.](\d\d)(?:[:.]\d\d)?\s*(?:([ap])\.?m\.?|uhr|h)?$/i;
/** A date with the year at its end. */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[\s,T]+(.+))?$/;
/** A day of the week before a date: `Wed, 25/11/2026`. */
const WEEKDAY = /^\p{L}{2,12}[.,]*\s+/u;
/** The number of a day with a time in a spreadsheet, of the years 1954 to 2118. */
const SERIAL = /^[2-7]\d{4}(\.\d+)?$/;
/** The day 0 of spreadsheets in days before 1970. */
const SERIAL_EPOCH_DAYS = 25_569;

/** The order of day and month in dates with slashes. Undefined if nothing proves it. */
export type DayOrder = 'DAY_FIRST' | 'MONTH_FIRST' | undefined;
/** Why a text is no date with a time. */
export type DateFault = 'none' | 'noTime' | 'ambiguous';

/** A date and time that a person has typed, or a spreadsheet contains. */
export interface TypedDate {
  /** Epoch milliseconds. */
  at: number;
  /** The local time to the minute. */
  local: string;
  /** RFC 3339, with the offset that was typed, else with the offset of the zone. */
  stored: string;
  /** Whether the local time does not occur or occurs twice, because clocks change. Null if it occurs once. */
  change: 'SKIPPED' | 'TWICE' | null;
}

/** The place and time of a reader. `zone` is an IANA name, and `now` is in epoch milliseconds. */
interface Reader {
  zone: string;
  now: number;
  order?: DayOrder;
}

/** The order of day and month that these texts prove: a day above 12. */
export function dayOrderOf(texts: Iterable<string>): DayOrder {
  let [isDay, isMonth] = [false, false];
  for (const text of texts) {
    const [, first, , second] = NUMERIC.exec(text.trim().replace(WEEKDAY, '')) ?? [];
    isDay ||= Number(first) > 12;
    isMonth ||= Number(second) > 12;
  }
  return isDay === isMonth ? undefined : isDay ? 'DAY_FIRST' : 'MONTH_FIRST';
}

/**
 * Read a date and time as people and spreadsheets write it: ISO 8601, the value of a date picker, `25.11.2026 14:30`,
 * `11/25/2026 2:30 PM`, the number of a spreadsheet. Without an offset it is a local time of the zone, and a time alone
 * is today. Returns why a text cannot be read with certainty. A day without a time is never midnight.
 */
export function readTypedDate(text: string, reader: Reader): TypedDate | { fault: DateFault } {
  const plain = text.trim().replace(WEEKDAY, '');
  const at = definiteInstant(plain);
  if (Number.isNaN(at)) return readLocal(plain, reader);
  return { at, local: pickerText(reader.zone, at), stored: asRfc3339(plain), change: null };
}

function readLocal(plain: string, { zone, now, order }: Reader): TypedDate | { fault: DateFault } {
  const serial = SERIAL.exec(plain);
  if (serial) {
    if (serial[1] === undefined) return { fault: 'noTime' };
    const localMs = (Number(plain) - SERIAL_EPOCH_DAYS) * DAY_MS;
    return typedAt(zone, Math.round(localMs / MINUTE_MS) * MINUTE_MS);
  }
  const clock = clockOf(plain);
  if (clock) return typedOn(zone, dayIn(zone, now), clock);
  const numeric = NUMERIC.exec(plain);
  if (!numeric) return readIso(zone, plain.replaceAll('/', '-'));
  const [, first = '', separator, second = '', year = '', time] = numeric;
  const isDayFirst = separator === '.' || order === 'DAY_FIRST' || Number(first) > 12 || first === second;
  if (!isDayFirst && order === undefined && Number(second) <= 12) return { fault: 'ambiguous' };
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  if (time === undefined) return { fault: 'noTime' };
  const typed = clockOf(time.trim());
  const full = year.length === 2 ? `20${year}` : year;
  return typed
    ? typedOn(zone, `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, typed)
    : { fault: 'none' };
}

function readIso(zone: string, text: string): TypedDate | { fault: DateFault } {
  const written = readDate(text.replace(/ (\d):/, ' 0$1:'));
  if (!written || written.offsetMinutes !== null) return { fault: 'none' };
  return /\d:\d/.test(text) ? typedAt(zone, written.localMs) : { fault: 'noTime' };
}

/** A time of day as `14:30`; undefined for other texts. */
function clockOf(text: string): string | undefined {
  const [, hours, minutes, half] = CLOCK.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const from12 = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return half !== undefined && (Number(hours) < 1 || Number(hours) > 12)
    ? undefined
    : `${String(from12).padStart(2, '0')}:${minutes}`;
}

function typedOn(zone: string, day: string, clock: string): TypedDate | { fault: DateFault } {
  const written = readDate(`${day}T${clock}`);
  return written ? typedAt(zone, written.localMs) : { fault: 'none' };
}

function typedAt(zone: string, localMs: number): TypedDate | { fault: DateFault } {
  const at = instantOf({ localMs, offsetMinutes: null }, zone);
  if (!isDateNumber(at)) return { fault: 'none' };
  const local = new Date(localMs).toISOString().slice(0, 16);
  return { at, local, stored: zonedIn(zone, at), change: clockChangeIn(zone, localMs) };
}
