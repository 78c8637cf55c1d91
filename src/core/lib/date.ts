import { isDateNumber, MINUTE_MS } from './time.ts';
import { instantIn, offsetText } from './zone.ts';

/** A date that a text names: a local time, and its offset from UTC if the text has one. */
export interface WrittenDate {
  /** The local time as if it were UTC, in epoch milliseconds. */
  localMs: number;
  /** Minutes ahead of UTC; null if the text has no offset. */
  offsetMinutes: number | null;
}

/**
 * ISO 8601: a day, or a day and a time with or without seconds and a fraction of a second. A blank or `t` may replace
 * `T`. The offset is `Z`, `z`, `+01:00`, `+0100` or `+01`. The name of a time zone may follow it (RFC 9557). It has no effect.
 */
const WRITTEN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,30}))?)?(?:(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)(?:\[[A-Za-z][\w/+-]*\])?)?)?$/;

/** No place is more than 14 hours away from UTC. SQLite does not read larger offsets either. */
const OFFSET_MAXIMUM_MINUTES = 14 * 60;

/**
 * Read a date. This is the only reader of dates that callers send. Digits after the milliseconds are dropped. `24:00` is
 * the midnight at the end of the day (ISO 8601-1:2019/Amd 1:2022). Undefined for other texts, and for dates that do not
 * exist, such as February 30.
 */
export function readDate(text: string): WrittenDate | undefined {
  const found = WRITTEN.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', fraction = ''] = found;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // `Date` reads the 30th of February as the 2nd of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(`${year}-${month}-${day}`))
    return undefined;
  const localMs = Date.parse(
    `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`,
  );
  const offsetMinutes = offsetOf(found.slice(8));
  if (Number.isNaN(localMs) || (offsetMinutes !== null && Number.isNaN(offsetMinutes))) return undefined;
  return { localMs, offsetMinutes };
}

/** The offset in minutes; null for a text without one, NaN if no place has it. */
function offsetOf([utc, sign, hours, minutes = '00']: readonly (string | undefined)[]): number | null {
  if (utc !== undefined) return 0;
  if (sign === undefined) return null;
  const away = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || away > OFFSET_MAXIMUM_MINUTES) return Number.NaN;
  return sign === '-' ? -away : away;
}

/** The instant of a date in epoch milliseconds. A date without an offset is a local time of the zone (IANA). */
export const instantOf = ({ localMs, offsetMinutes }: WrittenDate, zone: string): number =>
  offsetMinutes === null ? instantIn(zone, localMs) : localMs - offsetMinutes * MINUTE_MS;

/** The instant of a date with an offset, in epoch milliseconds. NaN for other texts, and outside the years 0000 to 9999. */
export function definiteInstant(text: string): number {
  const written = readDate(text);
  if (!written || written.offsetMinutes === null) return Number.NaN;
  const at = instantOf(written, 'UTC');
  return isDateNumber(at) ? at : Number.NaN;
}

/** The reason to refuse a text that `definiteInstant` does not read. */
export const dateFault = (text: string): string =>
  readDate(text)?.offsetMinutes === null
    ? 'The date has no offset from UTC. Add the offset of the place, such as 2026-11-22T14:30:00+01:00.'
    : 'Use ISO 8601 with an offset, such as 2026-11-22T14:30:00+01:00.';

/** RFC 3339, which other programs and SQLite read. It requires seconds and a colon in the offset. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A date with an offset in RFC 3339, with the same local time and offset. A text in RFC 3339 stays as it is. */
export function asRfc3339(text: string): string {
  const written = readDate(text);
  if (!written || written.offsetMinutes === null || RFC_3339.test(text)) return text;
  const local = new Date(written.localMs).toISOString().replace(/(\.000)?Z$/, '');
  return local + (written.offsetMinutes === 0 ? 'Z' : offsetText(written.offsetMinutes));
}
