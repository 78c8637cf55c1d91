import { describe, expect, it } from 'vitest';
import { daysOf } from '../../../../../src/dispatch/report/rules.ts';
import { partsOf, rangeBefore, rangeOf } from '../../../../../src/web/console/report/range-rules.ts';

/** A Thursday. */
const TODAY = '2026-11-26';

describe('the ranges of the report page', () => {
  it('each offered range ends with today or before', () => {
    expect(rangeOf('THIS_WEEK', TODAY)).toEqual({ from: '2026-11-23', to: TODAY });
    expect(rangeOf('LAST_WEEK', TODAY)).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(rangeOf('THIS_MONTH', TODAY)).toEqual({ from: '2026-11-01', to: TODAY });
    expect(rangeOf('LAST_30_DAYS', TODAY)).toEqual({ from: '2026-10-28', to: TODAY });
    expect(daysOf(rangeOf('LAST_30_DAYS', TODAY))).toBe(30);
  });

  it('this week on a Monday is that day, and on a Sunday it is the whole week', () => {
    expect(rangeOf('THIS_WEEK', '2026-11-23')).toEqual({ from: '2026-11-23', to: '2026-11-23' });
    expect(rangeOf('THIS_WEEK', '2026-11-29')).toEqual({ from: '2026-11-23', to: '2026-11-29' });
  });

  it.each([
    ['a whole week', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15', 'WEEK'],
    ['the days of a week so far', '2026-11-23', '2026-11-26', '2026-11-16', '2026-11-19', 'SAME_DAYS'],
    ['a Monday', '2026-11-23', '2026-11-23', '2026-11-16', '2026-11-16', 'SAME_DAYS'],
    ['a day', '2026-11-25', '2026-11-25', '2026-11-24', '2026-11-24', 'DAY'],
    ['a month so far', '2026-11-01', '2026-11-26', '2026-10-06', '2026-10-31', 'DAYS'],
    ['seven days from a Tuesday', '2026-11-17', '2026-11-23', '2026-11-10', '2026-11-16', 'DAYS'],
    // The clocks in Europe change on 25 October 2026. Days are not 24 hours.
    ['days over a change of the clocks', '2026-10-24', '2026-10-26', '2026-10-21', '2026-10-23', 'DAYS'],
  ])('%s is compared with as many days before', (_, from, to, beforeFrom, beforeTo, name) => {
    const before = rangeBefore({ from, to });
    expect(before).toEqual({ from: beforeFrom, to: beforeTo, name });
    expect(daysOf(before)).toBe(daysOf({ from, to }));
  });
});

describe('the parts of a range', () => {
  it('days are complete and in order, and today is not over', () => {
    const parts = partsOf({ from: '2026-11-24', to: TODAY }, 'DAY', TODAY);
    expect(parts.map(({ group, isPartial }) => [group, isPartial])).toEqual([
      ['2026-11-24', false],
      ['2026-11-25', false],
      ['2026-11-26', true],
    ]);
  });

  it('weeks that a range cuts are partial', () => {
    expect(partsOf({ from: '2026-11-05', to: '2026-11-23' }, 'WEEK', TODAY)).toEqual([
      { group: '2026-W45', from: '2026-11-05', to: '2026-11-08', isPartial: true },
      { group: '2026-W46', from: '2026-11-09', to: '2026-11-15', isPartial: false },
      { group: '2026-W47', from: '2026-11-16', to: '2026-11-22', isPartial: false },
      { group: '2026-W48', from: '2026-11-23', to: '2026-11-23', isPartial: true },
    ]);
  });

  it('months have their own lengths', () => {
    expect(partsOf({ from: '2026-01-01', to: '2026-03-31' }, 'MONTH', TODAY)).toEqual([
      { group: '2026-01', from: '2026-01-01', to: '2026-01-31', isPartial: false },
      { group: '2026-02', from: '2026-02-01', to: '2026-02-28', isPartial: false },
      { group: '2026-03', from: '2026-03-01', to: '2026-03-31', isPartial: false },
    ]);
  });

  it('a leap year has 366 days', () => {
    expect(partsOf({ from: '2024-01-01', to: '2024-12-31' }, 'DAY', TODAY)).toHaveLength(366);
  });
});
