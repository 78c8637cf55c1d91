import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAtRisk,
  isOnTime,
  type LoadingProgress,
  nextCheckOf,
  readyDateOf,
} from '../../../../src/dispatch/departure/rules.ts';

const MINUTE = 60_000;
const NOW = 1_795_248_930_123;

/** Pallets loaded between these minutes before now, and the minutes until the departure. */
const progress = (count: number, [first, last]: [number, number], missing: number, left: number) => ({
  loaded: count === 0 ? null : { count, firstDate: NOW - first * MINUTE, lastDate: NOW - last * MINUTE },
  missing,
  plannedDate: NOW + left * MINUTE,
});

describe('whether a departure is at risk', () => {
  it.each([
    ['nine pallets are too few to know', progress(9, [80, 0], 100, 5), false],
    ['ten pallets in 18 minutes leave 20 minutes for ten more', progress(10, [18, 0], 10, 20), false],
    [
      'ten pallets in 18 minutes are too slow for ten more in 19 minutes',
      progress(10, [18, 0], 10, 19),
      true,
    ],
    ['ten pallets in a second need no minimum time', progress(10, [1 / 60, 0], 1_000, 1), true],
    ['ten pallets in a second are fast enough', progress(10, [1 / 60, 0], 100, 1), false],
    [
      'a pause counts, because the pace is measured since the first pallet',
      progress(10, [90, 70], 5, 30),
      true,
    ],
    ['all pallets are loaded', progress(40, [60, 1], 0, 1), false],
    ['no pallet is loaded', progress(0, [0, 0], 40, 1), false],
    ['pallets that were loaded at once have no pace yet', progress(10, [0, 0], 40, 1), false],
  ])('the rule about risk knows that %s', (_, of, expected) => {
    expect(isAtRisk(of, NOW)).toBe(expected);
  });
});

describe('when an alert about risk is resolved', () => {
  it.each([
    ['with too few pallets to know', progress(9, [80, 0], 100, 5), true],
    ['with all pallets loaded', progress(10, [10, 0], 0, 1), true],
    // Ten pallets in 90 minutes: one in 10 minutes.
    ['with 3 minutes to spare before a departure in 13', progress(10, [90, 0], 1, 13), true],
    ['not with 1 minute to spare', progress(10, [90, 0], 1, 11), false],
    ['with 6 % of the time to spare', progress(10, [90, 0], 47, 500), true],
    ['not with 4 % of the time to spare', progress(10, [90, 0], 48, 500), false],
    ['not if loading ends after the departure', progress(10, [90, 0], 60, 500), false],
  ])('an alert is resolved %s: %o', (_, of, expected) => {
    expect(isOnTime(of, NOW)).toBe(expected);
  });
});

const someProgress: fc.Arbitrary<LoadingProgress> = fc
  .record({
    count: fc.integer({ min: 1, max: 60 }),
    first: fc.integer({ min: 0, max: 300 * MINUTE }),
    last: fc.double({ min: 0, max: 1, noNaN: true }),
    missing: fc.integer({ min: 0, max: 60 }),
    left: fc.integer({ min: 1, max: 600 * MINUTE }),
  })
  .map(({ count, first, last, missing, left }) => ({
    loaded: { count, firstDate: NOW - first, lastDate: NOW - first * last },
    missing,
    plannedDate: NOW + left,
  }));

describe('when a shipment is checked again', () => {
  it('the next check comes after 30 seconds at the earliest, and at the departure at the latest', () => {
    fc.assert(
      fc.property(someProgress, (of) => {
        const next = nextCheckOf(of, NOW);
        expect(next).toBeLessThanOrEqual(of.plannedDate);
        expect(next).toBeGreaterThanOrEqual(Math.min(of.plannedDate, NOW + 30_000));
      }),
    );
  });

  it('the next check is not after the moment at which a shipment without further pallets is at risk', () => {
    fc.assert(
      fc.property(someProgress, (of) => {
        fc.pre(readyDateOf(of, NOW) !== null && !isAtRisk(of, NOW));
        const next = nextCheckOf(of, NOW);
        // Within the shortest time between two checks, a shipment may have been at risk for 30 seconds.
        fc.pre(next > NOW + 30_000);
        expect(isAtRisk(of, next - 2)).toBe(false);
      }),
    );
  });

  it('a shipment that loads no more is found at risk before its departure, or is checked at it', () => {
    fc.assert(
      fc.property(someProgress, (of) => {
        fc.pre(of.loaded!.count >= 10 && of.missing > 0);
        let now = NOW;
        while (!isAtRisk(of, now) && now < of.plannedDate) now = nextCheckOf(of, now);
        const first = of.plannedDate - now;
        // One pallet more would need longer than the rest of the time, or the last check is at the departure.
        expect(isAtRisk(of, now) || first === 0).toBe(true);
      }),
    );
  });

  it('a load that is on time needs few checks', () => {
    // A pallet every 90 seconds for 45 minutes, and a departure after an hour.
    let checks = 0;
    for (let now = NOW; now < NOW + 60 * MINUTE; checks += 1) {
      const count = Math.min(30, Math.floor((now - NOW) / (1.5 * MINUTE)) + 1);
      const lastDate = NOW + (count - 1) * 1.5 * MINUTE;
      const of = {
        loaded: { count, firstDate: NOW, lastDate },
        missing: 30 - count,
        plannedDate: NOW + 60 * MINUTE,
      };
      expect(isAtRisk(of, now)).toBe(false);
      now = nextCheckOf(of, now);
    }
    expect(checks).toBeLessThan(20);
  });
});
