import { type Random, randomOf } from '../e2e/crash/random.ts';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import { loggedBy } from './statements.ts';
import type { Row, Statement } from './store.ts';
import type { Stores } from './stores.ts';

/** Where code runs: an instance of an object, or an isolate of the edge. What is dead never hears of anything again. */
export interface Domain {
  readonly name: string;
  dead: boolean;
  /** Whether another instance of its object has taken over. */
  isOld?: boolean;
  /** Until when nothing leaves it: what it wrote to its storage is not kept yet. */
  gate?: Promise<void>;
}

/** What is under way: it happens when the history comes to it, in any order. */
interface Pending {
  what: string;
  happen: () => void | Promise<void>;
}

/** Statements of one transaction, and the name of the database that they are for. */
interface Batch {
  name: string;
  statements: readonly Statement[];
}

/** A commit that its sender gave up, on its way until the stores were put back to how they were when it was sent. */
interface Held {
  organization: string;
  snapshot: unknown;
  isPutBack: boolean;
  arrive: () => Promise<void>;
}

/** How long a batch lives; D1's own maximum. */
const BATCH_MAXIMUM_MS = 30_000;
/** For who waits for what never comes: each has one of its own, which would go on holding all that waited for it. */
export const never = (): Promise<never> => new Promise(() => undefined);

const realSetImmediate: (callback: () => void) => unknown =
  globalThis.setImmediate ?? ((callback: () => void) => setTimeout(callback, 0));

/** What a check found. */
export class Finding extends Error {}

/** Told of every batch that took effect; `unseen` where nobody who sent it may hear of that. */
export type Watch = (statements: readonly Statement[], unseen: boolean) => Promise<void>;

/** A history's time, chance, stores, and what is under way in it. */
export class World {
  readonly clock = new Clock();
  readonly stores: Stores;
  /** Of what the history does, of what callers send, and of what the service draws. */
  readonly random: { order: Random; input: Random; service: Random };
  readonly faults: Faults;
  readonly pending: Pending[] = [];
  watch: Watch = async () => undefined;
  /** What each batch came to, for who compares histories; undefined where nobody does. */
  trace: string[] | undefined;
  /** A batch of somebody will never be answered. */
  onStuck: (domain: Domain) => void = () => undefined;
  /** The latest of what was logged, for a finding. */
  readonly logged: string[] = [];
  held: Held | undefined;
  /** How often the stores were put back. */
  rewinds = 0;
  /** Moves that were under way in stores that were put back: who carried them on had come further. */
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

  /** Let something that is under way happen. */
  async happen(): Promise<void> {
    const index = this.random.order.below(this.pending.length);
    const chosen = this.pending[index]!;
    this.pending[index] = this.pending.at(-1)!;
    this.pending.pop();
    await chosen.happen();
    await this.calm();
  }

  /** Wait until code has done all that it can do by itself. @throws what was found meanwhile. */
  async calm(): Promise<void> {
    await new Promise<void>((resolve) => realSetImmediate(resolve));
    if (this.#found !== undefined) throw this.#found;
  }

  /** Something was found where nobody waits. */
  fail(finding: unknown): void {
    this.#found ??= finding;
  }

  /** A batch that was sent to a database from somewhere. */
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
    if (faults.draws('batch arrives after it was given up')) {
      this.later('batch', async () => void (await this.#run(batch, true)));
      return answer(lost)();
    }
    if (!this.held && loggedBy(batch.statements).size > 0) {
      if (faults.draws('batch arrives in a store that was put back')) {
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
    const tell = () => {
      if (!('rows' in outcome)) reject(outcome.error);
      else if (faults.draws('batch answer lost')) lost();
      else resolve(outcome.rows);
    };
    if (faults.draws('batch answer late')) this.later('batch answer', answer(tell));
    else answer(tell)();
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

  /** A writer that is alone, and whom nothing befell, knows where its log ends. */
  #refused(error: unknown): void {
    if (!this.faults.none || !/(audit_log|audit_record|marker_allocation)\./.test(String(error))) return;
    this.fail(new Finding(`a writer that is alone collides with itself: ${error}`));
  }

  /** Everything ran, and then the transaction failed. */
  async #rollBack({ name, statements }: Batch): Promise<void> {
    try {
      await this.stores.named(name).batch([...statements, { text: "SELECT json('{')", params: [] }]);
    } catch {
      return;
    }
    throw new Error('took effect, though its last statement fails');
  }

  #lostMessage(): string {
    return this.random.service.below(2) === 0
      ? 'D1_ERROR: Network connection lost.'
      : 'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.';
  }

  /** Where D1's log is, as a bookmark. */
  get bookmark(): string {
    return String(this.#batches).padStart(8, '0');
  }
}
