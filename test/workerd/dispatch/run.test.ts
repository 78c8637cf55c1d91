import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LOADING_STEPS } from './commands-loading.ts';
import { create as createManifest, MANIFEST_STEPS } from './commands-manifest.ts';
import { create as createShipment, SHIPMENT_STEPS, status } from './commands-shipment.ts';
import { allocate, couple, putGate, TRACK_STEPS } from './commands-track.ts';
import { lookAtEverything } from './look.ts';
import { Model } from './model/state.ts';
import { Real } from './real.ts';
import { recount } from './recount.ts';

const settings = env as unknown as { MODEL_SEED?: string; MODEL_RUNS?: string };
const SEED = Number(settings.MODEL_SEED ?? 20261121);
const RUNS = Number(settings.MODEL_RUNS ?? 60);
const STEPS_MAXIMUM = 80;
/** Then a failing history is reported as far as it was shrunk. */
const PATIENCE_MS = 240_000;

/** What every history starts from: pallets P and Q coupled, shipment S of M and N about to be loaded at G. */
const START = [
  putGate('G'),
  putGate('H'),
  allocate(4),
  couple(1, 'P'),
  couple(2, 'Q'),
  createManifest('M', ['P', 'Q']),
  createManifest('N', ['Q', 'R']),
  createShipment('S', { manifests: ['M', 'N'], gateIdentifier: 'G' }),
];
const STARTED = status('S', 'IN_PROGRESS');

const steps = [...TRACK_STEPS, ...MANIFEST_STEPS, ...SHIPMENT_STEPS, ...LOADING_STEPS].flatMap(
  ([weight, step]) => Array.from({ length: weight }, () => step),
);

it('answers and ends as the rules say, whatever is asked in whatever order', async () => {
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.commands(steps, { maxCommands: STEPS_MAXIMUM, size: 'max' }),
      async (started, commands) => {
        const [model, real] = [new Model(), await Real.create(met)];
        for (const step of started ? [...START, STARTED] : START) await step.run(model, real);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await lookAtEverything(model, real);
        await recount(real);
      },
    ),
    { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: PATIENCE_MS },
  );
  const total = [...met.values()].reduce((sum, count) => sum + count, 0);
  console.log(`seed ${SEED}: ${RUNS} histories, ${total} answers of ${met.size} kinds`);
  console.log(
    [...met]
      .sort()
      .map(([k, v]) => `${v} ${k}`)
      .join('\n'),
  );
  expect(total).toBeGreaterThan(0);
}, 600_000);
