import { describe, expect, it } from 'vitest';
import { paceOf } from '../../../../src/web/console/board/pace.ts';

const MINUTE = 60_000;
const NOW = 1_795_248_930_123;
const loaded = (...minutesAgo: number[]) => minutesAgo.map((ago) => ({ date: NOW - ago * MINUTE }));

describe('the pace of the latest loadings', () => {
  it('the loading pace is the time per pallet and the expected end', () => {
    expect(paceOf(loaded(4, 2, 0), 5, NOW)).toEqual({ each: 2 * MINUTE, readyDate: NOW + 10 * MINUTE });
    expect(paceOf(loaded(1, 0.75, 0.5, 0.25, 0), 4, NOW)).toEqual({
      each: MINUTE / 4,
      readyDate: NOW + MINUTE,
    });
  });

  it('the loading pace becomes slower while nothing comes', () => {
    const { each } = paceOf(loaded(14, 12, 10), 1, NOW)!;
    expect(each).toBeGreaterThan(4 * MINUTE);
    expect(paceOf(loaded(24, 22, 20), 1, NOW)!.each).toBeGreaterThan(each);
  });

  it('the loading pace is hidden for few pallets, for none missing, and after a break', () => {
    expect(paceOf(loaded(2, 0), 5, NOW)).toBeUndefined();
    expect(paceOf([...loaded(2, 0), { date: null }], 5, NOW)).toBeUndefined();
    expect(paceOf(loaded(4, 2, 0), 0, NOW)).toBeUndefined();
    expect(paceOf(loaded(36, 34, 31), 5, NOW)).toBeUndefined();
    expect(paceOf(loaded(0, 0, 0), 5, NOW)).toBeUndefined();
  });
});
