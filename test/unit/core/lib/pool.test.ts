import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inPool } from '../../../../src/core/lib/pool.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const LIMITS = { atOnce: 3, patienceMs: 1_000 };

/** A pool over items that end when the test says so. */
function controlled(count: number) {
  const started: number[] = [];
  const ends = new Map<number, () => void>();
  const done = inPool(numbers(count), LIMITS, (item) => {
    started.push(item);
    return new Promise<void>((resolve) => ends.set(item, resolve));
  });
  const end = async (item: number) => {
    ends.get(item)!();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { started, end, done };
}

it('a pool starts its items in order, and no more at once than its limit', async () => {
  const { started, end, done } = controlled(5);
  expect(started).toEqual([0, 1, 2]);
  await end(1);
  expect(started).toEqual([0, 1, 2, 3]);
  for (const item of [3, 0, 2, 4]) await end(item);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(await done).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('a slow item delays the next one only until the patience of the pool is over', async () => {
  const { started, end, done } = controlled(7);
  await vi.advanceTimersByTimeAsync(999);
  expect(started).toEqual([0, 1, 2]);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  for (const item of [0, 1, 2, 3, 4, 5]) await end(item);
  const ended = vi.fn();
  void done.then(ended);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([started.length, ended.mock.calls.length]).toEqual([7, 0]);
  await end(6);
  expect(ended).toHaveBeenCalledOnce();
});

it('a pool runs all items although some fail, and returns the failures', async () => {
  const run: number[] = [];
  const failures = await inPool(numbers(6), LIMITS, (item) => {
    run.push(item);
    if (item === 1) throw new Error('at once');
    return item === 3 ? Promise.reject(new Error('later')) : Promise.resolve();
  });
  expect(run).toEqual(numbers(6));
  expect(failures.map(String)).toEqual(['Error: at once', 'Error: later']);
});
