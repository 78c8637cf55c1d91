import type { Env, TurnMessage } from '../../src/core/env.ts';
import worker from '../../src/worker.ts';

/** How often the queue repeats a message (wrangler.toml). */
const RETRIES = 20;
const context = { waitUntil: () => undefined } as unknown as ExecutionContext;

/** A turn that ended, and how often it ran. */
export interface EndedTurn extends TurnMessage {
  attempts: number;
  /** Whether the queue may forget the message. */
  isDone: boolean;
}

/** The messages that a schedule sends. */
export async function turnsOf(
  cron: string,
  env: object,
): Promise<{ body: TurnMessage; delaySeconds: number }[]> {
  const sent: { body: TurnMessage; delaySeconds: number }[] = [];
  const SCHEDULE_QUEUE = { sendBatch: async (batch: typeof sent) => void sent.push(...batch) };
  await worker.scheduled({ cron } as ScheduledController, { ...env, SCHEDULE_QUEUE } as never);
  return sent;
}

/** Deliver a message to the consumer of the schedule queue, by itself. */
export async function deliverTurn(
  env: object,
  body: unknown,
  { attempts = 1, timestamp = new Date() } = {},
): Promise<'ack' | 'retry' | undefined> {
  let answer: 'ack' | 'retry' | undefined;
  const message = {
    id: 'id',
    timestamp,
    attempts,
    body,
    ack: () => (answer = 'ack'),
    retry: () => (answer = 'retry'),
  };
  const batch = { queue: 'warehouse-dispatch-schedule', messages: [message] };
  await worker.queue(batch as never, env as Env, context);
  return answer;
}

/** Run a schedule: send its messages, and deliver each at once, and again until it is done. */
export async function runSchedule(cron: string, env: object, retries = RETRIES): Promise<EndedTurn[]> {
  return Promise.all(
    (await turnsOf(cron, env)).map(async ({ body }) => {
      for (let attempts = 1; ; attempts += 1) {
        const isDone = (await deliverTurn(env, body, { attempts })) === 'ack';
        if (isDone || attempts > retries) return { ...body, attempts, isDone };
      }
    }),
  );
}

export const EVERY_MINUTE = '* * * * *';
export const DAILY = '17 3 * * *';
