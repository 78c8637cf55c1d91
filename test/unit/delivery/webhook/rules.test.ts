import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCustomHeader,
  parseRetryAfter,
  RETRY_WAITS_MS,
  retryWait,
} from '../../../../src/delivery/webhook/rules.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_MS = 86_400_000;

describe('the retry schedule', () => {
  const wait = (failures: number, more = {}) =>
    retryWait(failures, { random: 0, divisor: 1, retryAfterMs: null, ...more });

  it('the retry schedule waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and then stops', () => {
    const seconds = [
      5,
      5 * MINUTE_S,
      30 * MINUTE_S,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S),
    ];
    expect(seconds.map((_, index) => wait(index + 1)! / 1000)).toEqual(seconds);
    expect(wait(seconds.length + 1)).toBeNull();
  });

  it('a retry comes up to a tenth later and never earlier, and the divisor applies', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 100_000 }),
        (failures, random, divisor) => {
          const scheduled = RETRY_WAITS_MS[failures - 1]! / divisor;
          const waited = wait(failures, { random, divisor })!;
          expect(waited).toBeGreaterThanOrEqual(scheduled);
          expect(waited).toBeLessThanOrEqual(Math.ceil(scheduled * 1.1));
        },
      ),
    );
  });

  it('a retry waits as long as the receiver asks, up to a day, and never less than the schedule', () => {
    expect(wait(1, { retryAfterMs: 60_000 })).toBe(60_000);
    expect(wait(1, { retryAfterMs: 60_000, divisor: 1000 })).toBe(60_000);
    expect(wait(2, { retryAfterMs: 1_000 })).toBe(300_000);
    expect(wait(1, { retryAfterMs: 1e12 })).toBe(DAY_MS);
    expect(wait(10, { retryAfterMs: 1_000 })).toBeNull();
  });
});

it('Retry-After reads seconds or a date and nothing else', () => {
  const now = Date.parse('2026-11-21T08:00:00Z');
  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter(' 0 ', now)).toBe(0);
  expect(parseRetryAfter('Sat, 21 Nov 2026 08:01:00 GMT', now)).toBe(60_000);
  expect(parseRetryAfter('Sat, 21 Nov 2026 07:00:00 GMT', now)).toBe(0);
  for (const header of [null, '', '-1', '1.5', 'soon', '2026-11-21T08:01:00Z', '9'.repeat(20)]) {
    expect(parseRetryAfter(header, now)).toBeNull();
  }
});

it('custom headers cannot replace headers of the connection or the service', () => {
  for (const name of ['Authorization', 'X-Api-Key', 'cookie', 'X_1', "!#$%&'*+.^_`|~"]) {
    expect([name, isCustomHeader(name)]).toEqual([name, true]);
  }
  for (const name of [
    ...[
      'Host',
      'Content-Length',
      'content-type',
      'Transfer-Encoding',
      'Connection',
      'Keep-Alive',
      'TE',
      'Upgrade',
    ],
    ...[
      'Webhook-Id',
      'webhook-signature',
      'webhook-anything',
      'CF-Connecting-IP',
      'Proxy-Authorization',
      'Expect',
    ],
    ...['', 'a b', 'a:b', 'ä', 'a\r\nb', 'a'.repeat(101)],
  ]) {
    expect([name, isCustomHeader(name)]).toEqual([name, false]);
  }
});
