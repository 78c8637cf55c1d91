import { describe, expect, it } from 'vitest';
import {
  differenceOf,
  type Figures,
  MEASURE_NAMES,
  MEASURES,
  sumOf,
} from '../../../../../src/web/console/report/measures.ts';

const figures = (some: Partial<Figures>): Figures => ({ ...sumOf([]), ...some });

const valuesOf = (of: Figures) =>
  Object.fromEntries(MEASURE_NAMES.map((name) => [name, MEASURES[name].of(of)]));

describe('the measures of a report', () => {
  it('averages are computed from sums', () => {
    const day = figures({
      shipmentsCompleted: 5,
      shipmentsPlanned: 4,
      shipmentsOnTime: 3,
      minutesLate: 30,
      loadingMinutes: 200,
      dwellMinutes: 300,
      shipmentsArrived: 4,
      gateMinutes: 250,
      palletsLoaded: 100,
      palletsWrong: 2,
      shipmentsShort: 1,
    });
    expect(valuesOf(day)).toEqual({
      onTime: 0.75,
      late: 30,
      loading: 40,
      dwell: 75,
      gate: 250,
      pace: 30,
      wrong: 20,
      short: 1,
    });
  });

  it('there is a gap where there is nothing to compute from', () => {
    expect(Object.values(valuesOf(figures({})))).toEqual(MEASURE_NAMES.map(() => null));
    const unplanned = valuesOf(figures({ shipmentsCompleted: 2 }));
    expect([unplanned['onTime'], unplanned['late'], unplanned['pace'], unplanned['short']]).toEqual([
      null,
      null,
      null,
      0,
    ]);
    expect(valuesOf(figures({ shipmentsPlanned: 2, shipmentsOnTime: 2 }))['late']).toBe(0);
  });

  it('the sum over groups adds reasons, the most frequent first', () => {
    const sum = sumOf([
      figures({ shipmentsCompleted: 1, shortByReason: [{ reason: 'Damaged', count: 1 }] }),
      figures({
        shipmentsCompleted: 2,
        shortByReason: [
          { reason: 'Next truck', count: 2 },
          { reason: 'Damaged', count: 3 },
          { reason: 'Not found', count: 2 },
        ],
      }),
    ]);
    expect(sum.shipmentsCompleted).toBe(3);
    expect(sum.shortByReason).toEqual([
      { reason: 'Damaged', count: 4 },
      { reason: 'Next truck', count: 2 },
      { reason: 'Not found', count: 2 },
    ]);
  });
});

describe('the comparison with an earlier period', () => {
  it.each([
    [112, 100, 'NUMBER', { kind: 'MORE', by: 12 }],
    [50, 100, 'MINUTES', { kind: 'LESS', by: 50 }],
    [100.4, 100, 'NUMBER', { kind: 'SAME', by: 0 }],
    [0, 0, 'NUMBER', { kind: 'SAME', by: 0 }],
    [0, 5, 'NUMBER', { kind: 'LESS', by: 100 }],
    // Shares differ in points. From 80 % to 92 % it is 12 points, not 15 percent.
    [0.92, 0.8, 'SHARE', { kind: 'MORE', by: 12 }],
    [0.5, 0, 'SHARE', { kind: 'MORE', by: 50 }],
  ] as const)('the page shows how %d differs from %d before, as a %s', (now, before, unit, expected) => {
    expect(differenceOf(now, before, unit)).toEqual(expected);
  });

  it('there is no comparison with nothing, and no percentage of zero', () => {
    expect(differenceOf(null, 1, 'NUMBER')).toBe(undefined);
    expect(differenceOf(1, null, 'NUMBER')).toBe(undefined);
    expect(differenceOf(3, 0, 'NUMBER')).toBe(undefined);
  });
});
