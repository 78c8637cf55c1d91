import type { Env } from './core/env.ts';
import { execute } from './core/writer/client.ts';
import { formats } from './delivery/event-format/formats.ts';
import { webhookConsumer } from './delivery/webhook/consumer.ts';
import { operationConsumer } from './log/operation/consumer.ts';
import { deadLetterConsumer } from './storage/dead-letter/consumer.ts';

/** Keeps an invocation alive for work that continues after it returns. */
type Context = Pick<ExecutionContext, 'waitUntil'>;

/**
 * Processes the messages of a queue. It acknowledges each message separately, never throws, and accepts repeats in any
 * order.
 */
export type Consumer = (batch: MessageBatch, env: Env, context: Context) => Promise<void>;

/** Consumers by the kind in a queue's name: `warehouse-dispatch-<kind>`, or `…-<kind>-staging`. */
const consumers: Record<string, Consumer> = {
  operation: operationConsumer(execute),
  'operation-dead': deadLetterConsumer('operation'),
  webhook: webhookConsumer(formats),
  'webhook-dead': deadLetterConsumer('webhook'),
};

/** Pass a batch to the consumer of its queue. */
export async function consume(batch: MessageBatch, env: Env, context: Context): Promise<void> {
  const kind = batch.queue.replace(/^warehouse-dispatch-/, '').replace(/-(staging|production)$/, '');
  const consumer = consumers[kind];
  if (!consumer) throw new Error(`no consumer for queue ${batch.queue}`);
  await consumer(batch, env, context);
}
