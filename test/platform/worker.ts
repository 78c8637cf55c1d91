/**
 * The Worker as the tests run it: the whole service, with bindings that have the limits of the deployed platform
 * (`limits.ts`). The local runtime enforces few of them, so a service that passes without them may fail when deployed.
 */

import type { Env } from '../../src/core/env.ts';
import worker, { OrganizationWriter as Writer } from '../../src/worker.ts';
import { platformBindings } from './bindings.ts';
import { call, Invocation, within } from './invocation.ts';

const realFetch = globalThis.fetch;
/** A request holds its connection until the answer's headers arrive. */
globalThis.fetch = (...args: Parameters<typeof fetch>) => call(0, () => realFetch(...args));

/** The Durable Object of an organization, under the limits of the platform. */
export class OrganizationWriter extends Writer {
  readonly #invocation = new Invocation();

  constructor(context: DurableObjectState, env: Env) {
    super(context, platformBindings(env));
  }

  override execute(...args: Parameters<Writer['execute']>) {
    return this.#event(() => super.execute(...args));
  }

  override lease(...args: Parameters<Writer['lease']>) {
    return this.#event(() => super.lease(...args));
  }

  override scheduleJobs(...args: Parameters<Writer['scheduleJobs']>) {
    return this.#event(() => super.scheduleJobs(...args));
  }

  override forget() {
    return this.#event(() => super.forget());
  }

  override topUp() {
    return this.#event(() => super.topUp());
  }

  override alarm() {
    return this.#event(() => super.alarm());
  }

  override fetch(request: Request) {
    return this.#event(() => super.fetch(request));
  }

  #event<T>(handle: () => T): T {
    this.#invocation.fillUp();
    return within(this.#invocation, handle);
  }
}

export default {
  fetch: (request, env, context) =>
    within(new Invocation(), () => worker.fetch(request, platformBindings(env), context)),
  // Deployed, each message of the webhook queue is a batch of its own (`max_batch_size`).
  queue: async (batch, env, context) => {
    const batches = batch.queue.includes('-webhook')
      ? batch.messages.map((message) => ({ ...batch, queue: batch.queue, messages: [message] }))
      : [batch];
    await Promise.all(
      batches.map((one) => within(new Invocation(), () => worker.queue(one, platformBindings(env), context))),
    );
  },
  scheduled: (controller, env) =>
    within(new Invocation(), () => worker.scheduled(controller, platformBindings(env))),
} satisfies ExportedHandler<Env>;
