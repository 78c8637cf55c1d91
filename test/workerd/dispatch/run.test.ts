import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOADING_STEPS } from './commands-loading.ts';
import { MANIFEST_STEPS } from './commands-manifest.ts';
import { SHIPMENT_STEPS } from './commands-shipment.ts';
import { TRACK_STEPS } from './commands-track.ts';
import { lookAtEverything } from './look.ts';
import { Model } from './model/state.ts';
import { Real } from './real.ts';
import { recount } from './recount.ts';
import { PATIENCE_MS, runs, SEED, start } from './start.ts';

const STEPS_MAXIMUM = 60;

const steps = [...TRACK_STEPS, ...MANIFEST_STEPS, ...SHIPMENT_STEPS, ...LOADING_STEPS].flatMap(
  ([weight, step]) => Array.from({ length: weight }, () => step),
);

it('answers and ends as the rules say, whatever is asked in whatever order', async () => {
  const met = new Map<string, number>();
  const numRuns = runs(100);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(false, true, true),
      fc.commands(steps, { maxCommands: STEPS_MAXIMUM, size: 'max' }),
      async (loading, commands) => {
        const [model, real] = [new Model(), await Real.create(met)];
        for (const step of start(loading)) await step.run(model, real);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await lookAtEverything(model, real);
        await recount(real);
      },
    ),
    { seed: SEED, numRuns, interruptAfterTimeLimit: PATIENCE_MS },
  );
  const total = [...met.values()].reduce((sum, count) => sum + count, 0);
  console.log(`seed ${SEED}: ${numRuns} histories, ${total} answers of ${met.size} kinds`);
  console.log(
    [...met]
      .sort()
      .map(([k, v]) => `${v} ${k}`)
      .join('\n'),
  );
  expect(total).toBeGreaterThan(0);
}, 600_000);
