import { consume } from '../../src/queues.ts';
import type { Service } from './service.ts';
import { type Domain, Finding, never } from './world.ts';

/** The queues of wrangler.toml. */
export const QUEUES = {
  operation: { batch: 20, retries: 5 },
  webhook: { batch: 10, retries: 3 },
  'operation-dead': { batch: 20, retries: 100 },
  'webhook-dead': { batch: 20, retries: 100 },
} as const;

/** How long the platform lets a consumer run. */
const CONSUMER_MAXIMUM_MS = 15 * 60_000;

interface Waiting {
  id: string;
  body: unknown;
  attempts: number;
}

/** A queue. It delivers each message at least once and in any order, unless a fault loses it. */
export class Queue {
  readonly waiting: Waiting[] = [];
  readonly #service: Service;
  readonly #kind: keyof typeof QUEUES;
  #count = 0;

  constructor(service: Service, kind: keyof typeof QUEUES) {
    this.#service = service;
    this.#kind = kind;
  }

  bindingOf(domain: Domain): unknown {
    const { world } = this.#service;
    return {
      sendBatch: async (messages: Iterable<{ body: unknown }>) => {
        while (domain.gate) await domain.gate;
        if (domain.dead) return never();
        const bodies = [...messages].map(({ body }) => structuredClone(body));
        return new Promise<void>((resolve, reject) =>
          world.later('sending', () => {
            const failed = () => {
              if (!domain.dead) reject(new Error('Queue sendBatch failed: Internal Server Error'));
            };
            if (world.faults.draws('sending failed before')) return failed();
            for (const body of bodies) this.#take(body);
            if (world.faults.draws('sending failed after')) return failed();
            if (!domain.dead) resolve();
          }),
        );
      },
    };
  }

  /** Deliver some messages to a consumer. */
  deliver(): void {
    const { world } = this.#service;
    const { order } = world.random;
    const count = 1 + order.below(Math.min(this.waiting.length, QUEUES[this.#kind].batch));
    const taken = Array.from(
      { length: count },
      () => this.waiting.splice(order.below(this.waiting.length), 1)[0]!,
    );
    const domain: Domain = { name: `consumer of ${this.#kind}`, dead: false };
    const again = new Set<Waiting>();
    let done = false;
    const kill = () => {
      domain.dead = true;
      if (!done) for (const message of taken) this.#giveBack(message);
      done = true;
    };
    const batch = {
      queue: `warehouse-dispatch-${this.#kind}`,
      messages: taken.map((message) => ({
        ...message,
        ack: () => again.delete(message),
        retry: () => again.add(message),
      })),
    };
    const context = { waitUntil: () => undefined };
    consume(batch as never, this.#service.envOf(domain), context).then(
      () => {
        if (done) return;
        done = true;
        for (const message of again) this.#giveBack(message);
      },
      (error) => world.fail(new Finding(`the consumer of ${this.#kind} threw: ${error}`)),
    );
    if (world.faults.draws('consumer killed')) world.later('kill', kill);
    world.clock.set(() => {
      if (!done) kill();
    }, CONSUMER_MAXIMUM_MS);
  }

  #take(body: unknown): void {
    const { faults } = this.#service.world;
    this.#count += 1;
    const message = { id: `${this.#kind}-${this.#count}`, body, attempts: 1 };
    if (faults.draws('message lost')) return;
    this.waiting.push(message);
    if (faults.draws('message doubled')) this.waiting.push({ ...message });
  }

  #giveBack(message: Waiting): void {
    if (message.attempts <= QUEUES[this.#kind].retries) {
      this.waiting.push({ ...message, attempts: message.attempts + 1 });
    } else if (this.#kind === 'operation' || this.#kind === 'webhook') {
      this.#service.queues[`${this.#kind}-dead`].waiting.push({ ...message, attempts: 1 });
    }
  }
}
