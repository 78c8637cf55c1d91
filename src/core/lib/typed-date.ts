import { asRfc3339, definiteInstant, instantOf, readDate } from './date.ts';
import { visible } from './identifier.ts';
import { DAY_MS, isDateNumber, MINUTE_MS } from './time.ts';
import { clockChangeIn, dayIn, pickerText, zonedIn } from './zone.ts';

/** A time of day: `9:05`, `14.30 Uhr`, `14h30`, `2:30 PM`. */
const CLOCK = /^(\d{1,2})[:.h](\d\d)(?:[:.](\d\d(?:[.,]\d{1,9})?))?\s*(?:([ap])\.?\s?m\.?|uhr|h)?$/i;
/** The text between a date and its time, in the eight languages: `25.11.2026 um 14:30`. */
const BETWEEN = '(?:[\\s,T]+(?:(?:um|at|à|a las|alle|ore|om|o|às)\\s+)?(.+))?$';
/** A date with the year at its end. */
const NUMERIC = new RegExp(`^(\\d{1,2})([./-])\\s?(\\d{1,2})\\2\\s?(\\d{4}|\\d\\d)${BETWEEN}`, 'i');
/** A date with the year at its beginning. */
const YEAR_FIRST = new RegExp(`^(\\d{4})([./-])(\\d{1,2})\\2(\\d{1,2})${BETWEEN}`, 'i');
/** A day of the week before a date: `Wed, 25/11/2026`. A time behind it is not a time of today. */
const WEEKDAY = /^\p{L}{2,12}[.,]*\s+(?=\d+[./-]\s?\d+[./-])/u;
/** The number of a day with a time in a spreadsheet, of the years 1954 to 2118. */
const SERIAL = /^[2-7]\d{4}([.,]\d+)?$/;
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

/** A text without invisible characters, surrounding blanks and the day of the week. */
const plainOf = (text: string): string => visible(text).replace(WEEKDAY, '');

/** The order of day and month that these texts prove: a day above 12. */
export function dayOrderOf(texts: Iterable<string>): DayOrder {
  let [isDay, isMonth] = [false, false];
  for (const text of texts) {
    const [, first, , second] = NUMERIC.exec(plainOf(text)) ?? [];
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
  const plain = plainOf(text);
  const at = definiteInstant(plain);
  if (Number.isNaN(at)) return readLocal(plain, reader);
  return { at, local: pickerText(reader.zone, at), stored: asRfc3339(plain), change: null };
}

function readLocal(plain: string, { zone, now, order }: Reader): TypedDate | { fault: DateFault } {
  const serial = SERIAL.exec(plain);
  if (serial) {
    if (serial[1] === undefined) return { fault: 'noTime' };
    const localMs = (Number(plain.replace(',', '.')) - SERIAL_EPOCH_DAYS) * DAY_MS;
    return typedAt(zone, Math.round(localMs / MINUTE_MS) * MINUTE_MS);
  }
  const clock = clockOf(plain);
  if (clock) return typedAtClock(zone, dayIn(zone, now), clock);
  const [, year, , month = '', day = '', time] = YEAR_FIRST.exec(plain) ?? [];
  if (year !== undefined) return typedOn(zone, { year, month, day }, time);
  const numeric = NUMERIC.exec(plain);
  if (!numeric) return { fault: 'none' };
  const [, first = '', separator, second = '', ending = '', at] = numeric;
  const isDayFirst = separator === '.' || order === 'DAY_FIRST' || Number(first) > 12 || first === second;
  if (!isDayFirst && order === undefined && Number(second) <= 12) return { fault: 'ambiguous' };
  const full = ending.length === 2 ? `20${ending}` : ending;
  const [ownDay, ownMonth] = isDayFirst ? [first, second] : [second, first];
  return typedOn(zone, { year: full, month: ownMonth, day: ownDay }, at);
}

/** A time of day as `14:30:00`; undefined for other texts. */
function clockOf(text: string): string | undefined {
  const [, hours, minutes, seconds = '00', half] = CLOCK.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const from12 = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return half !== undefined && (Number(hours) < 1 || Number(hours) > 12)
    ? undefined
    : `${String(from12).padStart(2, '0')}:${minutes}:${seconds}`;
}

/** A date of the calendar, as digits. */
interface Day {
  year: string;
  month: string;
  day: string;
}

function typedOn(zone: string, { year, ...of }: Day, time?: string): TypedDate | { fault: DateFault } {
  if (time === undefined) return { fault: 'noTime' };
  const clock = clockOf(time.trim());
  const [month, day] = [of.month, of.day].map((digits) => digits.padStart(2, '0'));
  return clock === undefined ? { fault: 'none' } : typedAtClock(zone, `${year}-${month}-${day}`, clock);
}

function typedAtClock(zone: string, day: string, clock: string): TypedDate | { fault: DateFault } {
  const written = readDate(`${day}T${clock}`);
  return written ? typedAt(zone, written.localMs) : { fault: 'none' };
}

function typedAt(zone: string, localMs: number): TypedDate | { fault: DateFault } {
  const at = instantOf({ localMs, offsetMinutes: null }, zone);
  if (!isDateNumber(at)) return { fault: 'none' };
  const local = new Date(localMs).toISOString().slice(0, 16);
  return { at, local, stored: zonedIn(zone, at), change: clockChangeIn(zone, localMs) };
}
