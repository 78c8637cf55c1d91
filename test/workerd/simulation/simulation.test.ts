import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { RealStore } from '../../simulation/real-store.ts';
import { SteadyStore } from '../../simulation/steady-store.ts';
import { type Told, tell } from '../../simulation/tell.ts';

const bindings = env as unknown as { DB: D1Database; THIN: Fetcher; SIMULATED: string };

/** Random, so that in time all of them are met; a failure names its seed. */
const SEED = 20261122;
const STEPS = 300;

it('D1 and the thin one come to the same, batch by batch, in the same history', async () => {
  const answer = bindings.THIN.fetch(`http://thin/?seed=${SEED}&steps=${STEPS}`);
  const real = await tell(new SteadyStore(new RealStore(bindings.DB)), {
    seed: SEED,
    steps: STEPS,
    traced: true,
  });
  const thin = await (await answer).json<Told>();
  const differs = thin.trace.findIndex((batch, index) => batch !== real.trace[index]);
  if (differs >= 0) console.log('DIFF', thin.trace[differs], '\nREAL', real.trace[differs]);
  expect([differs, real.finding]).toEqual([-1, thin.finding]);
  expect(real).toEqual(thin);
  expect(real.finding).toBeUndefined();
  expect(real.trace.length).toBeGreaterThan(STEPS / 10);
}, 600_000);
