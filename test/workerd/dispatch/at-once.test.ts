import fc from 'fast-check';
import { it } from 'vitest';
import type { Answer } from '../client.ts';
import { LOADING_STEPS } from './commands-loading.ts';
import { MANIFEST_STEPS } from './commands-manifest.ts';
import { SHIPMENT_STEPS } from './commands-shipment.ts';
import { TRACK_STEPS } from './commands-track.ts';
import { lookAtEverything } from './look.ts';
import { Model } from './model/state.ts';
import { type Ask, compare, Real } from './real.ts';
import { PATIENCE_MS, runs, SEED, start } from './start.ts';
import { type Look, Step } from './step.ts';

const weighted = [...TRACK_STEPS, ...MANIFEST_STEPS, ...SHIPMENT_STEPS, ...LOADING_STEPS].map(
  ([weight, arbitrary]) => ({ weight, arbitrary }),
);
const anyStep: fc.Arbitrary<Step | Look> = fc.oneof(...weighted);
const request = anyStep.filter((step): step is Step => step instanceof Step);

/** What was asked and answered, to be told again. */
function newTape(): { record: Ask; replay(): Ask } {
  const answers: unknown[] = [];
  return {
    async record(_, ask) {
      const answer = await ask();
      answers.push(answer);
      return answer;
    },
    replay() {
      let next = 0;
      return async <T>() => answers[next++] as T;
    },
  };
}

/** Ask each thing once. */
function newMemory(): Ask {
  const answers = new Map<string, unknown>();
  return async <T>(what: string, ask: () => Promise<T>) => {
    if (!answers.has(what)) answers.set(what, await ask());
    return answers.get(what) as T;
  };
}

function* orders<T>(items: T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const item of items) {
    for (const rest of orders(items.filter((other) => other !== item))) yield [item, ...rest];
  }
}

/** Fail unless the requests might have been answered like this, and left this, one after the other. */
async function explain(
  replayed: () => Promise<{ model: Model; real: Real }>,
  steps: Step[],
  answers: Answer[],
  present: Real,
): Promise<void> {
  const contradictions: string[] = [];
  for (const order of orders(steps.map((_, index) => index))) {
    const { model, real } = await replayed();
    const plans = [];
    for (const step of steps) plans.push(await step.plan(model, real));
    try {
      for (const index of order) {
        model.begin();
        compare(model, answers[index]!, plans[index]!.rule());
      }
      await lookAtEverything(model, present);
      return;
    } catch (error) {
      contradictions.push(`${order}: ${(error as Error).message.slice(0, 300)}`);
    }
  }
  const told = answers.map(
    ({ status, body }, index) => `${index} ${steps[index]} ${status} ${JSON.stringify(body)}`,
  );
  throw new Error(`No order explains\n${told.join('\n')}\n${contradictions.join('\n')}`);
}

it('answers and ends as in some order, whatever is asked at once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(anyStep, { maxLength: 10 }),
      fc.array(request, { minLength: 2, maxLength: 4 }),
      async (loading, before, atOnce) => {
        const live = await Real.create(new Map());
        const tape = newTape();
        const history = [...start(loading), ...before];
        const play = async (real: Real) => {
          const model = new Model();
          for (const step of history) await step.run(model, real);
          return { model, real };
        };
        const { model, real } = await play(live.asked(tape.record));
        const plans = [];
        for (const step of atOnce) plans.push(await step.plan(model, real));
        const answers = await Promise.all(plans.map((plan) => live.send(plan.request)));
        await explain(() => play(live.asked(tape.replay())), atOnce, answers, live.asked(newMemory()));
      },
    ),
    { seed: SEED, numRuns: runs(60), interruptAfterTimeLimit: PATIENCE_MS },
  );
}, 600_000);
