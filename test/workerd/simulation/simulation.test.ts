import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { RealStore } from '../../simulation/real-store.ts';
import { commandOf } from '../../simulation/shrink.ts';
import { SteadyStore } from '../../simulation/steady-store.ts';
import type { Told } from '../../simulation/tell.ts';

interface Bindings {
  DB: D1Database;
  /** Plays a history on the thin D1, which runs in Node only. */
  THIN: Fetcher;
  SIMULATION_SEED?: string;
  SIMULATION_STEPS?: string;
}
const bindings = env as unknown as Bindings;

const SEED = Number(bindings.SIMULATION_SEED ?? 20261122);
const STEPS = Number(bindings.SIMULATION_STEPS ?? 300);
/** A hundredth of those that `npm run simulate` plays. */
const HISTORY_STEPS = 50;

it('D1 and the thin one come to the same, batch by batch, in the same histories', async () => {
  const store = new SteadyStore(new RealStore(bindings.DB));
  const empty = await store.snapshot();
  for (let seed = SEED; seed < SEED + STEPS / HISTORY_STEPS; seed += 1) {
    const asked = { seed, steps: HISTORY_STEPS, without: [] };
    const answer = bindings.THIN.fetch(`http://thin/?seed=${seed}&steps=${HISTORY_STEPS}`);
    await store.restore(empty);
    // UUIDs of one history do not follow those of another.
    vi.resetModules();
    const { tell } = await import('../../simulation/tell.ts');
    const real = await tell(store, { ...asked, without: new Set(), traced: true });
    const thin = await (await answer).json<Told>();
    const differs = thin.trace.findIndex((batch, index) => batch !== real.trace[index]);
    if (differs >= 0) expect(real.trace[differs], commandOf(asked)).toBe(thin.trace[differs]);
    expect(real, commandOf(asked)).toEqual(thin);
    expect(real.finding).toBeUndefined();
    expect(real.trace.length).toBeGreaterThan(HISTORY_STEPS / 10);
  }
}, 1_200_000);
