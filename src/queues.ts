import type { Env } from './core/env.ts';
import { execute } from './core/writer/client.ts';
import { formats } from './delivery/event-format/formats.ts';
import { webhookConsumer } from './delivery/webhook/consumer.ts';
import { operationConsumer } from './log/operation/consumer.ts';
import { scheduleConsumer } from './schedule.ts';
import { deadLetterConsumer } from './storage/dead-letter/consumer.ts';

/** Keeps an invocation running for work that continues after the invocation has returned. */
type Context = Pick<ExecutionContext, 'waitUntil'>;

/**
 * Processes the messages of a queue. It acknowledges each message separately, never throws, and accepts repeats in any
 * order.
 */
export type Consumer = (batch: MessageBatch, env: Env, context: Context) => Promise<void>;

const consumers = {
  'operation-dead': deadLetterConsumer('operation'),
  operation: operationConsumer(execute),
  schedule: scheduleConsumer,
  'webhook-dead': deadLetterConsumer('webhook'),
  webhook: webhookConsumer(formats),
} as const satisfies Record<string, Consumer>;

/** The kinds of queues. `webhook-dead` comes before `webhook`, which its name also begins with. */
const KINDS = Object.keys(consumers) as (keyof typeof consumers)[];

/**
 * The kind of a queue, by its name in wrangler.toml: `warehouse-dispatch-{kind}`. Any name of an
 * environment may follow.
 */
export const queueKind = (queue: string): keyof typeof consumers | undefined =>
  KINDS.find((kind) => `${queue}-`.startsWith(`warehouse-dispatch-${kind}-`));

/** Pass a batch to the consumer of its queue. */
export async function consume(batch: MessageBatch, env: Env, context: Context): Promise<void> {
  const kind = queueKind(batch.queue);
  if (!kind)
    throw new Error(
      `The queue ${batch.queue} has no consumer: name it warehouse-dispatch-{kind}-{environment}.`,
    );
  await consumers[kind](batch, env, context);
}
