import { z } from '@hono/zod-openapi';
import { dateFault, definiteInstant, instantOf, readDate } from '../lib/date.ts';

const FILTER_FAULT =
  'Use epoch milliseconds or ISO 8601, such as 2026-11-22T14:30:00%2B01:00. In a query, + is written as %2B.';

let zone = 'UTC';

/**
 * Parse input. Its dates without an offset are in this time zone (IANA). Parsing is synchronous, so no other request
 * can change the zone during it.
 */
export function inZone<T>(timeZone: string, parse: () => T): T {
  const before = zone;
  zone = timeZone;
  try {
    return parse();
  } finally {
    zone = before;
  }
}

/** A time, and an offset whose `+` a query has turned into a blank. */
const BLANK_OFFSET = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d\S*) (?=\d\d(?::?\d\d)?$)/;

const readQueryDate = (text: string) => readDate(text.replace(BLANK_OFFSET, '$1+'));

/** Whether a value of a query is a date that depends on a time zone. */
export const isLocalDate = (value: string | string[]): boolean =>
  typeof value === 'string' && readQueryDate(value)?.offsetMinutes === null;

/**
 * A date in a filter: epoch milliseconds or ISO 8601. Parsed to epoch milliseconds. Without an offset it is a time in the
 * zone of `inZone`.
 */
export const dateFilter = z
  .string()
  .transform((value, context) => {
    const written = readQueryDate(value);
    const milliseconds = /^-?\d{1,19}$/.test(value) ? int64(value) : written && instantOf(written, zone);
    if (Number.isSafeInteger(milliseconds)) return milliseconds!;
    context.addIssue({ code: 'custom', message: FILTER_FAULT });
    return z.NEVER;
  })
  .openapi({ type: 'string' });

/**
 * Parse digits to a number. Numbers beyond the range of exact integers become the end of that range, because no date is
 * beyond it. Numbers beyond int64 become NaN.
 */
function int64(digits: string): number {
  const value = BigInt(digits);
  if (value !== BigInt.asIntN(64, value)) return Number.NaN;
  return Math.min(Math.max(Number(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

/** A date in a body: ISO 8601 with an offset. Parsed to epoch milliseconds. */
export const dateInput = z
  .string()
  .transform((value, context) => {
    const milliseconds = definiteInstant(value);
    if (Number.isSafeInteger(milliseconds)) return milliseconds;
    context.addIssue({ code: 'custom', message: dateFault(value) });
    return z.NEVER;
  })
  .openapi({ type: 'string', format: 'date-time' });
