import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { PlainPlayed } from '../../simulation/plain.ts';
import { RealStore } from '../../simulation/real-store.ts';
import { SteadyStore } from '../../simulation/steady-store.ts';
import { Stores } from '../../simulation/stores.ts';

interface Bindings {
  DB: D1Database;
  DB_1: D1Database;
  /** Plays a history on the thin D1, which runs in Node only. */
  THIN: Fetcher;
  SIMULATION_SEED?: string;
  SIMULATION_STEPS?: string;
}
const bindings = env as unknown as Bindings;

/** How histories are played: npm run simulate, a hundredth of its length; SIMULATION_SEED and SIMULATION_STEPS for others. */
const SEED = Number(bindings.SIMULATION_SEED ?? 20261122);
const STEPS = Number(bindings.SIMULATION_STEPS ?? 200);
const HISTORY_STEPS = 50;
/** Characters of a batch before what differs, which say where it is. */
const AROUND = 400;

const stores = new Stores({
  DB: new SteadyStore(new RealStore(bindings.DB)),
  DB_1: new SteadyStore(new RealStore(bindings.DB_1)),
});
// The other side begins with nothing in it but the tables.
await bindings.DB.exec('DELETE FROM database_setting');
const empty = await stores.snapshot();

it.each(Array.from({ length: STEPS / HISTORY_STEPS }, (_, index) => SEED + index))(
  'real D1 and the thin D1 end equal in history %i, batch by batch',
  async (seed) => {
    // UUIDs of one history do not follow those of another.
    vi.resetModules();
    const { playPlainly } = await import('../../simulation/plain.ts');
    const answer = bindings.THIN.fetch(`http://thin/?seed=${seed}&steps=${HISTORY_STEPS}`);
    await stores.restore(empty);
    const real = await playPlainly(stores, { seed, steps: HISTORY_STEPS, traced: true });
    const thin = await (await answer).json<PlainPlayed>();
    // The first batch that differs tells more than all of them.
    const differs = thin.trace.findIndex((batch, index) => batch !== real.trace[index]);
    if (differs >= 0) {
      const [ours, theirs] = [real.trace[differs] ?? '', thin.trace[differs]!];
      const from = Array.from(theirs).findIndex((character, index) => character !== ours[index]) - AROUND;
      expect(ours.slice(Math.max(from, 0), from + 3 * AROUND)).toBe(
        theirs.slice(Math.max(from, 0), from + 3 * AROUND),
      );
    }
    expect(real).toEqual(thin);
    expect(real.finding).toBeUndefined();
    expect(real.trace.length).toBeGreaterThan(HISTORY_STEPS);
  },
);
