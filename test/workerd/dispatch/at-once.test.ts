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

/** Requests are sent within a few milliseconds, so that they arrive in any order and meet in the middle. */
const DELAY_MAXIMUM_MS = 6;

const weighted = [...TRACK_STEPS, ...MANIFEST_STEPS, ...SHIPMENT_STEPS, ...LOADING_STEPS].map(
  ([weight, arbitrary]) => ({ weight, arbitrary }),
);
const anyStep: fc.Arbitrary<Step | Look> = fc.oneof(...weighted);
/** What is asked at once is about shipments, mostly: there is more to meet about. */
const request = fc
  .oneof(
    ...[...SHIPMENT_STEPS, ...LOADING_STEPS, ...MANIFEST_STEPS].map(([weight, arbitrary]) => ({
      weight,
      arbitrary,
    })),
  )
  .filter((step): step is Step => step instanceof Step);

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
): Promise<number[]> {
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
      return order;
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
  let overtaken = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(anyStep, { maxLength: 10 }),
      fc.array(fc.record({ step: request, delay: fc.nat({ max: DELAY_MAXIMUM_MS }) }), {
        minLength: 2,
        maxLength: 4,
      }),
      async (loading, before, sent) => {
        const atOnce = sent.map(({ step }) => step);
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
        const answers = await Promise.all(
          plans.map(async (plan, index) => {
            await new Promise((resolve) => setTimeout(resolve, sent[index]!.delay));
            return live.send(plan.request);
          }),
        );
        const order = await explain(
          () => play(live.asked(tape.replay())),
          atOnce,
          answers,
          live.asked(newMemory()),
        );
        if (order.some((index, place) => index !== place)) overtaken += 1;
      },
    ),
    { seed: SEED, numRuns: runs(120), interruptAfterTimeLimit: PATIENCE_MS },
  );
  console.log(`seed ${SEED}: ${overtaken} of ${runs(120)} only as in another order than they were listed`);
}, 600_000);
