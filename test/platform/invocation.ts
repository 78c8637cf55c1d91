import { AsyncLocalStorage } from 'node:async_hooks';
import { LIMITS, TOO_MANY } from './limits.ts';

/** How often an invocation made too many queries. A job repeats its work after an error, so its result does not show it. */
export const exceeded = { count: 0 };

/**
 * Everything that one event causes: a request, a queue batch, a run of the schedule. All events of a Durable Object share
 * one, because the object has one I/O context for all of them (workerd: `IoContext`). A busy object carries out the
 * commands of later calls in the promise chain of an earlier call. It does not matter which call, because the object has
 * the counters. Each event that reaches the object fills them up again (`LimitEnforcer::topUpActor`), also while earlier
 * events are unfinished. After the last event of a burst nothing fills them up, so the whole queue of the object has to
 * fit.
 */
export class Invocation {
  #queries = 0;
  #subrequests = 0;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  /** Start counting again, because an event has reached the object. Open connections stay open. */
  fillUp(): void {
    this.#queries = 0;
    this.#subrequests = 0;
  }

  /**
   * Call a service of the platform over one of the connections.
   * @param queries the number of D1 queries of the call
   * @throws as the platform does if the invocation has made too many calls
   */
  async call<T>(queries: number, call: () => Promise<T>): Promise<T> {
    this.countSubrequest();
    this.#queries += queries;
    if (this.#queries > LIMITS.queries) {
      exceeded.count += 1;
      throw new Error(`D1_ERROR: ${TOO_MANY}`);
    }
    await this.#connection();
    try {
      return await call();
    } finally {
      this.#open -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Count a call that needs no connection, such as a call of a Durable Object. */
  countSubrequest(): void {
    this.#subrequests += 1;
    if (this.#subrequests > LIMITS.subrequests)
      throw new Error('Too many subrequests by single Worker invocation.');
  }

  async #connection(): Promise<void> {
    while (this.#open >= LIMITS.connections) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open += 1;
  }
}

const current = new AsyncLocalStorage<Invocation>();

/** Run an event of this invocation. */
export const within = <T>(invocation: Invocation, run: () => T): T => current.run(invocation, run);

/** The invocation that the running code belongs to. Tests that call a part of the service directly are in none. */
export const invocation = (): Invocation | undefined => current.getStore();

/** Call a service of the platform in the current invocation. */
export const call = <T>(queries: number, made: () => Promise<T>): Promise<T> =>
  invocation()?.call(queries, made) ?? made();

// biome-ignore lint/suspicious/noExplicitAny: TypeScript requires it of a class that is extended
type Class = new (...args: any[]) => object;

/**
 * A class of Durable Objects in which each call of a method is an event. All events of an object share one invocation,
 * and each event fills it up.
 */
export function withLimits<T extends Class>(base: T): T {
  const invocations = new WeakMap<object, Invocation>();
  const limited = class extends base {};
  for (const name of methodNames(base)) {
    const handle: (...args: unknown[]) => unknown = base.prototype[name];
    const value = function (this: object, ...args: unknown[]): unknown {
      const own = invocations.get(this) ?? new Invocation();
      invocations.set(this, own);
      own.fillUp();
      return within(own, () => handle.apply(this, args));
    };
    Object.defineProperty(limited.prototype, name, { value, configurable: true, writable: true });
  }
  return limited;
}

/** The names of the methods that a class and its base classes declare, without the methods of the platform. */
function methodNames({ prototype }: Class): string[] {
  const names: string[] = [];
  for (
    let level = prototype;
    ![null, Object.prototype].includes(level) && level.constructor.name !== 'DurableObject';
    level = Object.getPrototypeOf(level)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level)))
      if (name !== 'constructor' && typeof value === 'function') names.push(name);
  }
  return [...new Set(names)];
}
