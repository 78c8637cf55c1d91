import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outcome } from '../../../../src/core/writer/command.ts';
import type { Commands } from '../../../../src/features.ts';
import { type Block, bodyOf, faultyD1, newTenant, request, type Tenant, writerOf } from './requests.ts';

/** The longest time that a command waits before its first attempt. */
const WAIT_MS = 10_000;
const allocate = (key: string) =>
  request('allocateMarkers' satisfies keyof Commands, { quantity: 1 }, { idempotencyKey: key });

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A writer whose batch with this number waits for `release`. `answered` has the outcomes by key. */
function held(tenant: Tenant, batch: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<null>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const database = faultyD1((count) => {
    if (count !== batch) return null;
    reach();
    return released;
  });
  const writer = writerOf(tenant, database);
  const answered: Record<string, Outcome> = {};
  const send = (...keys: string[]) =>
    Promise.all(
      keys.map(async (key) => {
        answered[key] = await writer.execute(allocate(key));
      }),
    );
  return { send, answered, reached, release: () => release(null) };
}

it('a command that waited for 10 seconds is refused without an effect, unless it has started', async () => {
  const tenant = await newTenant({ markerCodeStart: 1 });
  const { send, answered, reached, release } = held(tenant, 2);
  // The second batch is the commit of both.
  const first = send('a', 'b');
  await reached;
  const second = send('c', 'd');
  await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
  expect(answered).toEqual({});
  await vi.advanceTimersByTimeAsync(1);
  const late = { kind: 'refused', refusal: { code: 'temporarilyUnavailable' }, replayed: false };
  await second;
  expect(answered).toMatchObject({ c: late, d: late });
  expect(Object.keys(answered)).toEqual(['c', 'd']);
  release();
  await first;
  await send('c');
  const codes = ['a', 'b', 'c'].map((key) => bodyOf<Block>(answered[key]!).firstMarkerCode);
  expect(codes).toEqual([1, 2, 3]);
  expect(answered['c']).toMatchObject({ replayed: false });
  expect(vi.getTimerCount()).toBe(0);
});
