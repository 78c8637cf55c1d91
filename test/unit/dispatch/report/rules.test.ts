import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayIn } from '../../../../src/core/lib/zone.ts';
import { daysOf, periodsOf, weekOf } from '../../../../src/dispatch/report/rules.ts';

const HOUR = 3_600_000;

describe('ISO weeks', () => {
  it.each([
    ['2020-12-31', '2020-W53'],
    ['2021-01-03', '2020-W53'],
    ['2021-01-04', '2021-W01'],
    ['2024-12-29', '2024-W52'],
    ['2024-12-30', '2025-W01'],
    ['2026-11-26', '2026-W48'],
    ['2027-01-01', '2026-W53'],
    ['2016-01-01', '2015-W53'],
  ])('%s is in %s', (day, week) => expect(weekOf(day)).toBe(week));
});

describe('the periods of a report', () => {
  it('a day has 23 or 25 hours when clocks change', () => {
    const lengths = periodsOf('DAY', { from: '2026-03-28', to: '2026-03-30' }, 'Europe/Berlin');
    expect(lengths.map(({ group, from, until }) => [group, (until - from) / HOUR])).toEqual([
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
    ]);
    const [autumn] = periodsOf('DAY', { from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin');
    expect((autumn!.until - autumn!.from) / HOUR).toBe(25);
  });

  it('a week and a month at the edge of a report have only the days of the report', () => {
    const days = { from: '2026-11-28', to: '2026-12-02' };
    expect(periodsOf('WEEK', days, 'UTC')).toEqual([
      { group: '2026-W48', from: Date.UTC(2026, 10, 28), until: Date.UTC(2026, 10, 30) },
      { group: '2026-W49', from: Date.UTC(2026, 10, 30), until: Date.UTC(2026, 11, 3) },
    ]);
    expect(periodsOf('MONTH', days, 'UTC').map(({ group }) => group)).toEqual(['2026-11', '2026-12']);
  });

  it('periods of any zone follow each other, and each instant is in the period of its day', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Pacific/Apia',
    );
    const at = fc.integer({ min: Date.UTC(2009, 0, 1), max: Date.UTC(2030, 0, 1) });
    fc.assert(
      fc.property(zones, at, fc.integer({ min: 0, max: 40 }), (zone, instant, more) => {
        const from = dayIn(zone, instant);
        const to = dayIn('UTC', Date.parse(from) + more * 24 * HOUR);
        const periods = periodsOf('DAY', { from, to }, zone);
        expect(periods).toHaveLength(daysOf({ from, to }));
        expect(periods[0]!.from <= instant && instant < periods[0]!.until).toBe(true);
        for (const [index, period] of periods.entries())
          if (index > 0) expect(period.from).toBe(periods[index - 1]!.until);
      }),
    );
  });
});
