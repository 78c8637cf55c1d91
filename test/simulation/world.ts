import { type Random, randomOf } from '../e2e/crash/random.ts';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import { loggedBy } from './statements.ts';
import type { Row, Statement } from './store.ts';
import type { Stores } from './stores.ts';

/** Where code runs: an instance of an object, or an isolate at the edge. Nothing reaches a dead domain. */
export interface Domain {
  readonly name: string;
  dead: boolean;
  /** Whether another instance of its object has taken over. */
  isOld?: boolean;
  /**
   * While this is pending, nothing is sent from the domain, because a write to its storage is not durable
   * yet.
   */
  gate?: Promise<void>;
}

/** A pending step. The history lets pending steps happen in any order. */
interface Pending {
  what: string;
  happen: () => void | Promise<void>;
}

/** The statements of one transaction, and the name of their database. */
interface Batch {
  name: string;
  statements: readonly Statement[];
}

/** A commit whose sender gave up. It arrives after the stores are restored to the state when it was sent. */
interface Held {
  organization: string;
  snapshot: unknown;
  isPutBack: boolean;
  arrive: () => Promise<void>;
}

/** The longest time that a batch can be on its way: D1's own maximum. */
const BATCH_MAXIMUM_MS = 30_000;
/**
 * A promise that never settles. Each caller gets a new one, because a shared one would keep everything that
 * waits for it in memory.
 */
export const never = (): Promise<never> => new Promise(() => undefined);

const realSetImmediate: (callback: () => void) => unknown =
  globalThis.setImmediate ?? ((callback: () => void) => setTimeout(callback, 0));

/** The result of a failed check. */
export class Finding extends Error {}

/** Called with every batch that took effect. `unseen` is true if its sender may not learn of that. */
export type Watch = (statements: readonly Statement[], unseen: boolean) => Promise<void>;

/** The clock, random numbers, stores and pending steps of a history. */
export class World {
  readonly clock = new Clock();
  readonly stores: Stores;
  /** Random numbers for the order of steps, for the input of callers, and for the service. */
  readonly random: { order: Random; input: Random; service: Random };
  readonly faults: Faults;
  readonly pending: Pending[] = [];
  watch: Watch = async () => undefined;
  /** The result of each batch, to compare histories; undefined if not requested. */
  trace: string[] | undefined;
  /** Called when a batch of a domain will never be answered. */
  onStuck: (domain: Domain) => void = () => undefined;
  /** The last lines that the service logged, to print with a finding. */
  readonly logged: string[] = [];
  held: Held | undefined;
  /** Number of restores. */
  rewinds = 0;
  /** Moves that were in progress in a restored snapshot. The object that carried them on had got further. */
  readonly interrupted = new Set<unknown>();
  #found: unknown;
  #batches = 0;

  constructor(stores: Stores, seed: number, without: ReadonlySet<string>) {
    this.stores = stores;
    const stream = (index: number) => randomOf(Math.imul(seed, 0x9e3779b1) + index);
    this.random = { order: stream(1), input: stream(2), service: stream(3) };
    this.faults = new Faults(stream(4), without);
  }

  later(what: string, happen: Pending['happen']): void {
    this.pending.push({ what, happen });
  }

  /** Let a random pending step happen. */
  async happen(): Promise<void> {
    const index = this.random.order.below(this.pending.length);
    const chosen = this.pending[index]!;
    this.pending[index] = this.pending.at(-1)!;
    this.pending.pop();
    await chosen.happen();
    await this.calm();
  }

  /** Wait until all code waits for pending steps. @throws the finding of a check. */
  async calm(): Promise<void> {
    await new Promise<void>((resolve) => realSetImmediate(resolve));
    if (this.#found !== undefined) throw this.#found;
  }

  /** Report a finding from code that no one awaits. `calm` throws it. */
  fail(finding: unknown): void {
    this.#found ??= finding;
  }

  /** Send a batch to a database from a domain. */
  async send(domain: Domain, name: string, statements: readonly Statement[]): Promise<Row[][]> {
    while (domain.gate) await domain.gate;
    if (domain.dead) {
      this.clock.clear(this.clock.firing);
      return never();
    }
    return new Promise((resolve, reject) => {
      const answer = (act: () => void) => () => {
        if (!domain.dead) act();
      };
      this.later('batch', () => this.#arrive(domain, { name, statements }, answer, resolve, reject));
    });
  }

  async #arrive(
    domain: Domain,
    batch: Batch,
    answer: (act: () => void) => () => void,
    resolve: (results: Row[][]) => void,
    reject: (error: unknown) => void,
  ): Promise<void> {
    const { faults } = this;
    const lost = () => reject(new Error(this.#lostMessage()));
    if (faults.draws('batch lost before')) return answer(lost)();
    if (faults.draws('batch arrives after its sender gave up')) {
      this.later('batch', async () => void (await this.#run(batch, true)));
      return answer(lost)();
    }
    if (!this.held && loggedBy(batch.statements).size > 0) {
      if (faults.draws('batch arrives in a restored store')) {
        await this.#hold(batch);
        return answer(lost)();
      }
    }
    if (faults.draws('batch rolled back inside')) {
      await this.#rollBack(batch);
      return answer(lost)();
    }
    const outcome = await this.#run(batch, domain.dead || domain.isOld === true);
    if (faults.draws('batch never answered')) return this.onStuck(domain);
    const respond = () => {
      if (!('rows' in outcome)) reject(outcome.error);
      else if (faults.draws('batch answer lost')) lost();
      else resolve(outcome.rows);
    };
    if (faults.draws('batch answer late')) this.later('batch answer', answer(respond));
    else answer(respond)();
  }

  async #hold(batch: Batch): Promise<void> {
    const held: Held = {
      organization: [...loggedBy(batch.statements)][0]!,
      snapshot: await this.stores.snapshot(),
      isPutBack: false,
      arrive: async () => void (await this.#run(batch, true)),
    };
    this.held = held;
    this.clock.set(() => {
      if (this.held === held) this.held = undefined;
    }, BATCH_MAXIMUM_MS);
  }

  async #run({ name, statements }: Batch, unseen: boolean): Promise<{ rows: Row[][] } | { error: unknown }> {
    this.#batches += 1;
    let rows: Row[][];
    try {
      rows = await this.stores.named(name).batch(statements);
    } catch (error) {
      this.trace?.push(JSON.stringify([name, statements, String(error)]));
      this.#refused(error);
      return { error };
    }
    this.trace?.push(JSON.stringify([name, statements, rows]));
    await this.watch(statements, unseen);
    return { rows };
  }

  /** Without faults, a writer is alone and knows the end of its log. So no commit may collide. */
  #refused(error: unknown): void {
    if (!this.faults.none || !/(log|marker_allocation)\./.test(String(error))) return;
    this.fail(new Finding(`a writer without competitors collides with itself: ${error}`));
  }

  /** Run all statements, and then let the transaction fail. */
  async #rollBack({ name, statements }: Batch): Promise<void> {
    try {
      await this.stores.named(name).batch([...statements, { text: "SELECT json('{')", params: [] }]);
    } catch {
      return;
    }
    throw new Error('a batch took effect although its last statement fails');
  }

  #lostMessage(): string {
    return this.random.service.below(2) === 0
      ? 'D1_ERROR: Network connection lost.'
      : 'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.';
  }

  /** The number of batches so far, as D1's bookmark. */
  get bookmark(): string {
    return String(this.#batches).padStart(8, '0');
  }
}
