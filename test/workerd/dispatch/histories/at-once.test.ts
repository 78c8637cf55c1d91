import fc from 'fast-check';
import { it } from 'vitest';
import type { Answer } from '../../client.ts';
import { contended } from './contended.ts';
import { lookAtEverything } from './look.ts';
import { Model } from './model/state.ts';
import { yieldTo } from './race.ts';
import { type Ask, compare, newMemory, Real } from './real.ts';
import { PATIENCE_MS, runs, SEED, STARTS, start } from './start.ts';
import { type Look, type Plan, Step } from './step.ts';
import { STEPS } from './steps.ts';

const SENT_MAXIMUM = 4;
/** For how many short requests a request may wait. */
const WAIT_MAXIMUM = 3;

const weighted = STEPS.map(([weight, arbitrary]) => ({ weight, arbitrary }));
const anyStep: fc.Arbitrary<Step | Look> = fc.oneof(...weighted);
const anyRequests = fc.array(
  anyStep.filter((step): step is Step => step instanceof Step),
  { minLength: 2, maxLength: SENT_MAXIMUM },
);

/** Records the answers of the service, so that a history can be replayed without it. */
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

function* orders<T>(items: T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const item of items) {
    for (const rest of orders(items.filter((other) => other !== item))) yield [item, ...rest];
  }
}

/** Returns an order of the requests that gives these answers and this state. It fails if no order does. */
async function explain(
  replayed: () => Promise<{ model: Model; real: Real }>,
  steps: Step[],
  answers: Answer[],
  present: Real,
): Promise<number[]> {
  const contradictions: string[] = [];
  for (const order of orders(steps.map((_, index) => index))) {
    const { model, real } = await replayed();
    const plans: Plan[] = [];
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
  const sent = answers.map(
    ({ status, body }, index) => `${index} ${steps[index]!.text} ${status} ${JSON.stringify(body)}`,
  );
  throw new Error(`No order explains\n${sent.join('\n')}\n${contradictions.join('\n')}`);
}

/**
 * Plays a history, sends requests at once, and finds an order that explains the answers.
 * @returns whether this order differs from the list of requests.
 */
async function race(history: (Step | Look)[], steps: Step[], waits: number[]): Promise<boolean> {
  const live = await Real.create(new Map());
  const tape = newTape();
  const play = async (real: Real) => {
    const model = new Model();
    await real.withHistory(async () => {
      for (const step of history) await step.run(model, real);
    });
    return { model, real };
  };
  const { model, real } = await play(live.asked(tape.record));
  const plans: Plan[] = [];
  for (const step of steps) plans.push(await step.plan(model, real));
  const answers = await Promise.all(
    plans.map(async (plan, index) => {
      await yieldTo(waits[index]!);
      return live.send(plan.request);
    }),
  );
  const replayed = () => play(live.asked(tape.replay()));
  let order: number[] = [];
  await real.withHistory(async () => {
    order = await explain(replayed, steps, answers, live.asked(newMemory()));
  });
  return order.some((index, place) => index !== place);
}

it('concurrent requests answer and end as in some order', async () => {
  const numRuns = runs(60);
  let overtaken = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STARTS),
      fc.array(anyStep, { maxLength: 6 }),
      fc.oneof({ arbitrary: contended, weight: 4 }, { arbitrary: anyRequests, weight: 1 }),
      fc.array(fc.nat({ max: WAIT_MAXIMUM }), { minLength: SENT_MAXIMUM, maxLength: SENT_MAXIMUM }),
      async (kind, before, steps, waits) => {
        overtaken += Number(await race([...start(kind), ...before], steps, waits));
      },
    ),
    { seed: SEED, numRuns, interruptAfterTimeLimit: PATIENCE_MS },
  );
  console.log(`seed ${SEED}: ${numRuns} races, ${overtaken} of them in another order than they were listed`);
}, 600_000);
