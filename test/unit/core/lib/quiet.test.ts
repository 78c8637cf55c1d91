import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quietAt, quietPeriod } from '../../../../src/core/lib/quiet.ts';
import { clockIn } from '../../../../src/core/lib/zone.ts';

const at = (date: string): number => Date.parse(date);
const iso = (date: number): string => new Date(date).toISOString();

/** Zone, from, to, instant, and the quiet period at that instant: begin and end, or null. */
const CASES: [string, string, string, string, [string, string] | null][] = [
  ['UTC', '22:00', '06:00', '2026-11-26T21:59:59.999Z', null],
  ['UTC', '22:00', '06:00', '2026-11-26T22:00:00Z', ['2026-11-26T22:00:00Z', '2026-11-27T06:00:00Z']],
  ['UTC', '22:00', '06:00', '2026-11-27T05:59:59.999Z', ['2026-11-26T22:00:00Z', '2026-11-27T06:00:00Z']],
  ['UTC', '22:00', '06:00', '2026-11-27T06:00:00Z', null],
  ['UTC', '12:00', '13:00', '2026-11-27T12:30:00Z', ['2026-11-27T12:00:00Z', '2026-11-27T13:00:00Z']],
  ['UTC', '12:00', '13:00', '2026-11-27T00:30:00Z', null],
  ['UTC', '00:00', '06:00', '2026-11-27T00:00:00Z', ['2026-11-27T00:00:00Z', '2026-11-27T06:00:00Z']],
  ['UTC', '18:00', '00:00', '2026-11-27T23:59:00Z', ['2026-11-27T18:00:00Z', '2026-11-28T00:00:00Z']],
  // Far from UTC, the day of the site is another one.
  [
    'Pacific/Auckland',
    '22:00',
    '06:00',
    '2026-11-26T10:00:00Z',
    ['2026-11-26T09:00:00Z', '2026-11-26T17:00:00Z'],
  ],
  [
    'America/Los_Angeles',
    '22:00',
    '06:00',
    '2026-11-26T13:00:00Z',
    ['2026-11-26T06:00:00Z', '2026-11-26T14:00:00Z'],
  ],
  // The clocks go forward in this night, which has seven hours.
  [
    'Europe/Berlin',
    '22:00',
    '06:00',
    '2026-03-29T00:00:00Z',
    ['2026-03-28T21:00:00Z', '2026-03-29T04:00:00Z'],
  ],
  // The clocks go back in this night, which has nine hours.
  [
    'Europe/Berlin',
    '22:00',
    '06:00',
    '2026-10-25T04:30:00Z',
    ['2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z'],
  ],
  // 02:30 does not occur: it is 03:30.
  [
    'Europe/Berlin',
    '22:00',
    '02:30',
    '2026-03-29T01:15:00Z',
    ['2026-03-28T21:00:00Z', '2026-03-29T01:30:00Z'],
  ],
  ['Europe/Berlin', '22:00', '02:30', '2026-03-29T01:30:00Z', null],
  // The period would begin at 03:30 and end at 03:00. So this night has no period.
  ['Europe/Berlin', '02:30', '03:00', '2026-03-29T01:15:00Z', null],
  // 02:30 occurs twice: the first one counts.
  [
    'Europe/Berlin',
    '22:00',
    '02:30',
    '2026-10-25T00:29:00Z',
    ['2026-10-24T20:00:00Z', '2026-10-25T00:30:00Z'],
  ],
  ['Europe/Berlin', '22:00', '02:30', '2026-10-25T01:15:00Z', null],
  [
    'Europe/Berlin',
    '02:30',
    '06:00',
    '2026-10-25T01:15:00Z',
    ['2026-10-25T00:30:00Z', '2026-10-25T05:00:00Z'],
  ],
  // The clocks change by half an hour.
  [
    'Australia/Lord_Howe',
    '22:00',
    '06:00',
    '2026-10-03T16:00:00Z',
    ['2026-10-03T11:30:00Z', '2026-10-03T19:00:00Z'],
  ],
];

describe('quiet hours', () => {
  it.each(CASES)(
    'the quiet period in %s from %s to %s at %s is correct',
    (timeZone, from, to, date, expected) => {
      const period = quietAt({ timeZone, from, to }, at(date));
      expect(period && [iso(period.begin), iso(period.end)]).toEqual(
        expected?.map((one) => iso(at(one))) ?? null,
      );
    },
  );

  it('quiet hours follow the clock of the site in zones without clock changes', () => {
    const minutes = fc.integer({ min: 0, max: 1_439 });
    const time = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Phoenix', 'Asia/Tokyo'),
        minutes,
        minutes,
        fc.integer({ min: at('2026-01-01'), max: at('2027-01-01') }),
        (timeZone, first, second, now) => {
          fc.pre(first !== second);
          const [from, to, clock] = [time(first), time(second), clockIn(timeZone, now)];
          const isQuiet = from < to ? clock >= from && clock < to : clock >= from || clock < to;
          expect(quietAt({ timeZone, from, to }, now) !== null).toBe(isQuiet);
          expect(quietPeriod({ timeZone, from, to }, now).end).toBeGreaterThan(now);
        },
      ),
    );
  });
});
