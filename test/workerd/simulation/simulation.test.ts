import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import type { PlayedJson } from '../../simulation/play-to-json.ts';
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

/** A hundredth of the steps of `npm run simulate`. Set SIMULATION_SEED and SIMULATION_STEPS for others. */
const SEED = Number(bindings.SIMULATION_SEED ?? 20261122);
const STEPS = Number(bindings.SIMULATION_STEPS ?? 200);
const HISTORY_STEPS = 50;
/** Characters of a batch that are shown before the first difference. */
const AROUND = 400;

const stores = new Stores({
  DB: new SteadyStore(new RealStore(bindings.DB)),
  DB_1: new SteadyStore(new RealStore(bindings.DB_1)),
});
// The thin D1 starts with empty tables, too.
await bindings.DB.exec('DELETE FROM database_setting');
const empty = await stores.snapshot();

it.each(Array.from({ length: STEPS / HISTORY_STEPS }, (_, index) => SEED + index))(
  'real D1 and the thin D1 end equal in history %i, batch by batch',
  async (seed) => {
    // Load the modules again, because UUIDs would otherwise continue the sequence of the history before.
    vi.resetModules();
    const { playToJson } = await import('../../simulation/play-to-json.ts');
    const answer = bindings.THIN.fetch(`http://thin/?seed=${seed}&steps=${HISTORY_STEPS}`);
    await stores.restore(empty);
    const real = await playToJson(stores, { seed, steps: HISTORY_STEPS, traced: true });
    const thin = await (await answer).json<PlayedJson>();
    // The first batch that differs says more than all of them.
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
