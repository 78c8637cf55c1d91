/**
 * The Worker as the tests run it: the whole service, with bindings that have the limits of the deployed platform
 * (`limits.ts`). The local runtime enforces few of them, so a service that passes without them may fail when deployed.
 */

import type { Env } from '../../src/core/env.ts';
import type { SentOutcome, SentRequest } from '../../src/core/writer/versions.ts';
import worker, { OrganizationWriter as Writer } from '../../src/worker.ts';
import { connectedCache, platformBindings } from './bindings.ts';
import { call, Invocation, within, withLimits } from './invocation.ts';

const realFetch = globalThis.fetch;
/** A request holds its connection until the answer's headers arrive. */
globalThis.fetch = (...args: Parameters<typeof fetch>) => call(0, () => realFetch(...args));
connectedCache(Cache.prototype);

/**
 * The Durable Object of an organization, under the limits of the platform. It and the Worker take each other for another
 * version. So every command of every test shows that its input and answer have the shapes that their types promise.
 */
export class OrganizationWriter extends withLimits(Writer) {
  constructor(context: DurableObjectState, env: Env) {
    super(context, platformBindings(env));
  }

  override async execute(request: SentRequest): Promise<SentOutcome> {
    const outcome = await super.execute({ ...request, version: 'another' });
    return outcome.kind === 'unknown' ? outcome : { ...outcome, version: 'another' };
  }
}

export default {
  fetch: (request, env, context) =>
    within(new Invocation(), () => worker.fetch(request, platformBindings(env), context)),
  // Deployed, each message of these queues is a batch of its own (`max_batch_size`).
  queue: async (batch, env, context) => {
    const batches = /-(webhook|schedule)/.test(batch.queue)
      ? batch.messages.map((message) => ({ ...batch, queue: batch.queue, messages: [message] }))
      : [batch];
    await Promise.all(
      batches.map((one) => within(new Invocation(), () => worker.queue(one, platformBindings(env), context))),
    );
  },
  scheduled: (controller, env) =>
    within(new Invocation(), () => worker.scheduled(controller, platformBindings(env))),
} satisfies ExportedHandler<Env>;
