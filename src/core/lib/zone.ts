import { TZDateMini } from '@date-fns/tz';
import { DAY_MS, MINUTE_MS } from './time.ts';

/** A day of the calendar, as `YYYY-MM-DD`. */
export type Day = string;

/** Whether a text is a valid day of the years 1900 to 2899. So days before and after it can be written, too. */
export const isDay = (text: string): boolean =>
  /^(19|2[0-8])\d{2}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text);

/** The day of an instant (epoch milliseconds) in a time zone (IANA). */
export function dayIn(zone: string, at: number): Day {
  const date = new TZDateMini(at, zone);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The beginning of a day in a time zone, in epoch milliseconds. A day may have 23 or 25 hours. */
export const beginOf = (zone: string, day: Day): number => instantIn(zone, Date.parse(day));

/** The day `days` days after another. */
export const dayAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const minutesFrom = (zone: string, at: number): number => -new TZDateMini(at, zone).getTimezoneOffset();

/** An offset from UTC in minutes, written as in ISO 8601: `+01:00`. */
export function offsetText(minutes: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const away = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(away / 60)}:${two(away % 60)}`;
}

/** The offset of a zone at an instant: `+01:00`, or `+00:00` for UTC. */
export const isoOffsetIn = (zone: string, at: number): string => offsetText(minutesFrom(zone, at));

/** The offset of a zone at an instant: `+01:00`, or `UTC` if it is zero. */
export function offsetIn(zone: string, at: number): string {
  const minutes = minutesFrom(zone, at);
  return minutes === 0 ? 'UTC' : offsetText(minutes);
}

/** The name of a zone in a language, and its offset: `Central European Time, UTC+01:00`. UTC has no name. */
export function zoneText(zone: string, locale: string, at: number): string {
  const offset = offsetIn(zone, at);
  const named = formatIn(zone, locale, { timeZoneName: 'longGeneric' }).formatToParts(at);
  const name = named.find(({ type }) => type === 'timeZoneName')?.value;
  return offset === 'UTC' ? offset : `${name}, UTC${offset}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A cached date format, since creating one takes longer than using it. */
export function formatIn(
  zone: string,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, locale, options]);
  let format = formats.get(key);
  if (!format) {
    // Zones and languages come from settings: few, but not limited.
    if (formats.size > 500) formats.clear();
    format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
    formats.set(key, format);
  }
  return format;
}

/** The time of day in a zone, as `14:30`. */
export const clockIn = (zone: string, at: number): string =>
  formatIn(zone, 'en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** An instant in a zone with its offset, as `2026-11-21T13:48:05+01:00`. */
export function zonedIn(zone: string, at: number): string {
  const minutes = minutesFrom(zone, at);
  return new Date(at + minutes * MINUTE_MS).toISOString().slice(0, 19) + offsetText(minutes);
}

/** The instants that a local time may mean: with the offset before, and after a change of the clocks near it. */
function instantsIn(zone: string, localMs: number) {
  const [before, after] = [-DAY_MS, DAY_MS].map(
    (away) => localMs - minutesFrom(zone, localMs + away) * MINUTE_MS,
  ) as [number, number];
  const occurs = (at: number): boolean => at + minutesFrom(zone, at) * MINUTE_MS === localMs;
  return { before, after, isBefore: occurs(before), isAfter: occurs(after) };
}

/**
 * The instant of a local time in a zone. `localMs` is the local time as if it were UTC, in epoch milliseconds. If clocks go
 * back and the time occurs twice, it is the first one. If clocks go forward and the time does not occur, it is later by
 * the skipped time: 02:30 becomes 03:30. RFC 5545 section 3.3.5 has the same rules.
 */
export function instantIn(zone: string, localMs: number): number {
  const { before, after, isBefore, isAfter } = instantsIn(zone, localMs);
  return isBefore || !isAfter ? before : after;
}

/** Whether a local time does not occur in a zone, or occurs twice, because clocks change. Null for all other times. */
export function clockChangeIn(zone: string, localMs: number): 'SKIPPED' | 'TWICE' | null {
  const { before, after, isBefore, isAfter } = instantsIn(zone, localMs);
  if (!isBefore && !isAfter) return 'SKIPPED';
  return isBefore && isAfter && before !== after ? 'TWICE' : null;
}

/** Whether clocks change near a day, by zone and day. To look at the clocks for each instant takes longer than to write it. */
const changes = new Map<string, boolean>();

function changesNear(zone: string, day: number): boolean {
  const key = `${zone} ${day}`;
  let isNear = changes.get(key);
  if (isNear === undefined) {
    // Zones and days come from records: few at a time, but not limited.
    if (changes.size > 500) changes.clear();
    isNear = minutesFrom(zone, (day - 1) * DAY_MS) !== minutesFrom(zone, (day + 2) * DAY_MS);
    changes.set(key, isNear);
  }
  return isNear;
}

/** Whether clocks in a zone show the local time of an instant twice, because they go back. */
export const isTwiceIn = (zone: string, at: number): boolean =>
  changesNear(zone, Math.floor(at / DAY_MS)) &&
  clockChangeIn(zone, at + minutesFrom(zone, at) * MINUTE_MS) === 'TWICE';

/** The local time of an instant to the minute, as the date pickers of browsers have it: `2026-11-21T13:48`. */
export const pickerText = (zone: string, at: number): string => zonedIn(zone, at).slice(0, 16);

/** A text that begins with a capital letter, such as a day of the week as a heading. */
export const capitalized = (text: string, locale: string): string => {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
};
