import { describe, expect, it } from 'vitest';
import { paceOf } from '../../../../src/web/console/board/pace.ts';

const MINUTE = 60_000;
const NOW = 1_795_248_930_123;
const loaded = (...minutesAgo: number[]) => minutesAgo.map((ago) => ({ date: NOW - ago * MINUTE }));

describe('the pace of the latest loadings', () => {
  it('the loading pace is the time per pallet and the expected end', () => {
    expect(paceOf(loaded(4, 2, 0), 5, NOW)).toEqual({ each: 2 * MINUTE, readyDate: NOW + 10 * MINUTE });
    expect(paceOf(loaded(2, 1.5, 1, 0.5, 0), 4, NOW)).toEqual({
      each: MINUTE / 2,
      readyDate: NOW + 2 * MINUTE,
    });
  });

  it('the loading pace becomes slower while nothing comes', () => {
    const { each } = paceOf(loaded(14, 12, 10), 1, NOW)!;
    expect(each).toBeGreaterThan(4 * MINUTE);
    expect(paceOf(loaded(24, 22, 20), 1, NOW)!.each).toBeGreaterThan(each);
  });

  it('the loading pace is hidden until two minutes have passed or many pallets are loaded', () => {
    const every = (count: number, minutes: number) =>
      loaded(...Array.from({ length: count }, (_, at) => at * minutes));
    expect(paceOf(every(5, 0.02), 9, NOW)).toBeUndefined();
    expect(paceOf(every(19, 0.1), 9, NOW)).toBeUndefined();
    expect(paceOf(every(20, 0.1), 9, NOW)!.each).toBeCloseTo(MINUTE / 10);
  });

  it('the loading pace is hidden for few pallets, for none missing, and after a break', () => {
    expect(paceOf(loaded(2, 0), 5, NOW)).toBeUndefined();
    expect(paceOf([...loaded(2, 0), { date: null }], 5, NOW)).toBeUndefined();
    expect(paceOf(loaded(4, 2, 0), 0, NOW)).toBeUndefined();
    expect(paceOf(loaded(36, 34, 31), 5, NOW)).toBeUndefined();
    expect(paceOf(loaded(0, 0, 0), 5, NOW)).toBeUndefined();
  });
});
