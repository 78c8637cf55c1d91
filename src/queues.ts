import { deadLetterConsumer } from './dead-letter/consumer.ts';
import type { Env } from './env.ts';
import { operationConsumer } from './operation/consumer.ts';
import { formats } from './told/formats.ts';
import { webhookConsumer } from './webhook/consumer.ts';
import { execute } from './writer/client.ts';

/** Keeps an invocation alive for what goes on behind its answer. */
type Context = Pick<ExecutionContext, 'waitUntil'>;

/** Takes the messages of a queue: acknowledges each by itself, never throws, and bears repeats in any order. */
export type Consumer = (batch: MessageBatch, env: Env, context: Context) => Promise<void>;

/** By what stands behind the service's name in a queue's name: `warehouse-dispatch-<kind>` and `…-<kind>-staging`. */
const consumers: Record<string, Consumer> = {
  operation: operationConsumer(execute),
  'operation-dead': deadLetterConsumer('operation'),
  webhook: webhookConsumer(formats),
  'webhook-dead': deadLetterConsumer('webhook'),
};

/** Hand a batch to the consumer of its queue. */
export async function consume(batch: MessageBatch, env: Env, context: Context): Promise<void> {
  const kind = batch.queue.replace(/^warehouse-dispatch-/, '').replace(/-(staging|production)$/, '');
  const consumer = consumers[kind];
  if (!consumer) throw new Error(`no consumer for queue ${batch.queue}`);
  await consumer(batch, env, context);
}
