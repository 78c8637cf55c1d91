import type { Env } from './env.ts';
import { deliverWebhooks } from './webhook/consumer.ts';

/** Takes the messages of a queue: acknowledges each by itself, never throws, and bears repeats in any order. */
export type Consumer = (batch: MessageBatch, env: Env, context: ExecutionContext) => Promise<void>;

/** By what stands behind the service's name in a queue's name: `warehouse-dispatch-<kind>` and `…-<kind>-staging`. */
const consumers: Record<string, Consumer> = { webhook: deliverWebhooks };

/** Hand a batch to the consumer of its queue. */
export async function consume(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<void> {
  const kind = batch.queue.replace(/^warehouse-dispatch-/, '').replace(/-(staging|production)$/, '');
  const consumer = consumers[kind];
  if (!consumer) throw new Error(`no consumer for queue ${batch.queue}`);
  await consumer(batch, env, context);
}
