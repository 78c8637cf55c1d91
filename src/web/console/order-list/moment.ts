import { asRfc3339, definiteInstant, instantOf, readDate } from '../../../core/lib/date.ts';
import { DAY_MS, MINUTE_MS } from '../../../core/lib/time.ts';
import { dayIn, zonedIn } from '../../../core/lib/zone.ts';

/** The order of day and month in dates with slashes. */
export type DayOrder = 'DAY_FIRST' | 'MONTH_FIRST' | undefined;
/** Why a text is no date with a time. */
export type MomentFault = 'none' | 'noTime' | 'ambiguous';

const CLOCK = /^(\d{1,2})[:.](\d\d)(?:[:.]\d\d)?\s*(?:([ap])\.?m\.?|uhr|h)?$/i;
/** A date with the year at its end. */
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[\s,T]+(.+))?$/;
/** A day of the week before a date: `Wed, 25/11/2026`. */
const WEEKDAY = /^\p{L}{2,12}[.,]*\s+/u;
/** The number of a day with a time in a spreadsheet, of the years 1954 to 2118. */
const SERIAL = /^[2-7]\d{4}(\.\d+)?$/;
/** The day 0 of spreadsheets in days before 1970. */
const SERIAL_EPOCH_DAYS = 25_569;

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
 * Read a date and time as people and spreadsheets write it. Without an offset it is a time in the zone, and a time alone
 * is today. Returns RFC 3339, or why the text cannot be read with certainty.
 */
export function readMoment(
  text: string,
  { zone, now, order }: { zone: string; now: number; order: DayOrder },
): { moment: string } | { fault: MomentFault } {
  const plain = text.trim().replace(WEEKDAY, '');
  if (Number.isFinite(definiteInstant(plain))) return { moment: asRfc3339(plain) };
  const serial = SERIAL.exec(plain);
  if (serial) {
    if (serial[1] === undefined) return { fault: 'noTime' };
    const localMs = (Number(plain) - SERIAL_EPOCH_DAYS) * DAY_MS;
    return { moment: momentAt(zone, Math.round(localMs / MINUTE_MS) * MINUTE_MS) };
  }
  const clock = clockOf(plain);
  if (clock) return local(zone, dayIn(zone, now), clock);
  const numeric = NUMERIC.exec(plain);
  if (!numeric) return readIso(zone, plain.replaceAll('/', '-'));
  const [, first = '', separator, second = '', year = '', time] = numeric;
  const isDayFirst = separator === '.' || order === 'DAY_FIRST' || Number(first) > 12 || first === second;
  if (!isDayFirst && order === undefined && Number(second) <= 12) return { fault: 'ambiguous' };
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  if (time === undefined) return { fault: 'noTime' };
  const at = clockOf(time.trim());
  const full = year.length === 2 ? `20${year}` : year;
  return at
    ? local(zone, `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, at)
    : { fault: 'none' };
}

function readIso(zone: string, text: string): { moment: string } | { fault: MomentFault } {
  const written = readDate(text.replace(/ (\d):/, ' 0$1:'));
  if (!written) return { fault: 'none' };
  return /\d:\d/.test(text) ? { moment: momentAt(zone, written.localMs) } : { fault: 'noTime' };
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

function local(zone: string, day: string, clock: string): { moment: string } | { fault: MomentFault } {
  const written = readDate(`${day}T${clock}`);
  return written ? { moment: momentAt(zone, written.localMs) } : { fault: 'none' };
}

const momentAt = (zone: string, localMs: number): string =>
  zonedIn(zone, instantOf({ localMs, offsetMinutes: null }, zone));
