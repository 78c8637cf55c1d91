import { expect, it } from 'vitest';
import { plan, runOnce } from './archives.ts';
import { killedAt } from './killing.ts';
import { expectAllThere, expectDone, world } from './whole.ts';

/** How long the job may take to reach the call at which it is killed. */
const REACHED_MAXIMUM_MS = 20_000;

/** Run retention until it is killed or ends. @returns whether it was killed. */
async function runUntilKilled(gone: Awaited<ReturnType<typeof world>>, at: number, late: boolean) {
  const { env, calls, death } = killedAt(at, late);
  await plan(gone.dock);
  const run = async (): Promise<boolean> => {
    for (;;) {
      const next = await runOnce(gone.dock, env);
      if (typeof next !== 'number' || next > Date.now()) return false;
    }
  };
  const tooLong = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not killed at call ${at}`)), REACHED_MAXIMUM_MS);
  });
  const isKilled = await Promise.race([run(), death.then(() => true), tooLong]);
  return { isKilled, calls };
}

it.each([false, true])(
  'retention that is killed at any call of the bucket or of D1 loses and doubles nothing, and the next run finishes; late: %s',
  async (late) => {
    const ends = { living: 0, archived: 0 };
    // Each of the two cases kills at every fourth call. Together they kill at every second call.
    for (let at = late ? 3 : 1; ; at += 4) {
      const gone = await world();
      const { isKilled, calls } = await runUntilKilled(gone, at, late);
      // Everything is shown once and unchanged: pages and proofs byte for byte.
      ends[await expectAllThere(gone)] += 1;
      await expectDone(gone);
      if (!isKilled) {
        expect(new Set(calls)).toEqual(new Set(['D1', 'put', 'head']));
        break;
      }
    }
    // It was killed before and after the commit that archives.
    expect(ends.living).toBeGreaterThan(2);
    expect(ends.archived).toBeGreaterThan(2);
  },
  300_000,
);
