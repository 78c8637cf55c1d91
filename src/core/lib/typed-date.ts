import { instantOf, readDate } from './date.ts';
import { isDateNumber } from './time.ts';
import { clockChangeIn, dayIn, pickerText } from './zone.ts';

/** A time of day: `9:05` or `14:30`. */
const CLOCK = /^(\d{1,2}):(\d\d)$/;
/** A day and a time with dots, as in `25.11.2026 14:30`. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),? +(\d{1,2}):(\d\d)$/;

/** A date and time that a person has typed. */
export interface TypedDate {
  /** Epoch milliseconds. */
  at: number;
  /** The local time to the minute. */
  local: string;
  /** Whether the local time does not occur or occurs twice, because clocks change. Null if it occurs once. */
  change: 'SKIPPED' | 'TWICE' | null;
}

/**
 * Read the date and time of a form, in a time zone (IANA): the value of a date picker, ISO 8601, `25.11.2026 14:30`, or
 * `14:30` for today. A picker that a browser does not have is a text box, so all of these come from the same field.
 * Undefined for other texts, also for a day without a time.
 */
export function readTypedDate(typed: string, zone: string, now: number): TypedDate | undefined {
  const written = readDate(isoOf(typed.trim(), zone, now));
  if (!written || !typed.includes(':')) return undefined;
  const { localMs, offsetMinutes } = written;
  const at = instantOf(written, zone);
  if (!isDateNumber(at)) return undefined;
  return offsetMinutes === null
    ? { at, local: new Date(localMs).toISOString().slice(0, 16), change: clockChangeIn(zone, localMs) }
    : { at, local: pickerText(zone, at), change: null };
}

function isoOf(text: string, zone: string, now: number): string {
  const two = (digits = ''): string => digits.padStart(2, '0');
  const [, hours, minutes] = CLOCK.exec(text) ?? [];
  if (minutes !== undefined) return `${dayIn(zone, now)}T${two(hours)}:${minutes}`;
  const [, day, month, year, hour, minute] = DOTTED.exec(text) ?? [];
  return minute === undefined ? text : `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}`;
}
