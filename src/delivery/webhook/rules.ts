import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';

/** The waits after the first failure, the second and so on. A failure after the last wait is final. */
export const RETRY_WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** A wait is randomly up to this much longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The longest wait that a receiver can ask for. */
const RETRY_AFTER_MAXIMUM_MS = 24 * HOUR_MS;
/** The maximum number of attempts that the log of a delivery keeps. */
export const ATTEMPTS_KEPT = 20;
/** A webhook is disabled after its receiver has failed for this long. */
export const FAILING_MAXIMUM_MS = 5 * DAY_MS;

/** Whether a receiver has failed for so long that its webhook is disabled. */
export const failsForLong = ({ failingSince }: { failingSince: number | null }, now: number): boolean =>
  failingSince !== null && now - failingSince >= FAILING_MAXIMUM_MS;

/**
 * Milliseconds until the next attempt after this number of failures; null if it was the last attempt. The receiver's
 * `Retry-After` can make the wait longer, up to a day, but not shorter. The divisor does not apply to it. @param random
 * in [0, 1)
 */
export function retryWait(
  failures: number,
  { random, divisor, retryAfterMs }: { random: number; divisor: number; retryAfterMs: number | null },
): number | null {
  const wait = RETRY_WAITS_MS[failures - 1];
  if (wait === undefined) return null;
  const scheduled = (wait * (1 + JITTER * random)) / divisor;
  return Math.ceil(Math.max(scheduled, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAXIMUM_MS)));
}

/**
 * The wait that a `Retry-After` header asks for (RFC 9110 section 10.2.3), in milliseconds; null for none. The header
 * has seconds or a date.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS;
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * The number of deliveries in a message. An invocation sends all of them at the same time. It has six connections, so
 * one of them stays free for D1.
 */
export const MESSAGE_DELIVERIES = 5;
