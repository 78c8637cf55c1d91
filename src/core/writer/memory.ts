import type { SQL } from 'drizzle-orm';
import { type AskResult, rowsOfAsks, statementsOf } from '../lib/asks.ts';
import { Database } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import type { Scope } from '../lib/scope.ts';
import { failureOf } from '../lib/store.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { AnyCommand, Change } from './command.ts';
import { commitOf, type Decided } from './commit.ts';
import { Recalled } from './recall.ts';
import type { Waiting } from './waiting.ts';
import {
  isAtWatermark,
  type Rewind,
  stateAsks,
  takeState,
  type Watermark,
  type WatermarkStore,
  type WriterState,
  watermarkOf,
} from './writer-state.ts';

/** How long an object is trusted to own the organization after writing a watermark. */
const OWNED_MS = 5 * SECOND_MS;

/**
 * The writer's state between commits, and its watermark, which stays after a restore of D1. This memory is only a
 * cache: the fence of the log fails any commit that was decided on outdated state.
 */
export class Memory {
  readonly #scope: Scope;
  readonly #options: WriterOptions;
  readonly #saltOf: (purpose: string) => string;
  /** The things that commands were decided on, such as the open loads of gates. */
  readonly recalled = new Recalled();
  #state: WriterState | undefined;
  /** When the last durable watermark was sent, in epoch milliseconds. */
  #ownedDate = 0;
  #commits = 0;

  constructor(scope: Scope, options: WriterOptions, saltOf: (purpose: string) => string) {
    this.#scope = scope;
    this.#options = options;
    this.#saltOf = saltOf;
  }

  /** The remembered state; undefined if it must be read first. */
  get state(): WriterState | undefined {
    return this.#state;
  }

  /** The number of commits, plus the calls of `forget` and `learn`. Rows that were read are current while it does not change. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Read the end of the log, and whether D1 was restored to an earlier state. `waiting` bears the cost of the calls.
   * `more`: further statements, read in the same transaction.
   *
   * If an object ended before its watermark was durable, the watermark is first moved to the end of the log. Otherwise
   * a restore could remove commits that no watermark covers. A second restore could then bring them back after others
   * had got their codes.
   */
  async learn<Row>(
    waiting: Waiting,
    more: readonly SQL<Row>[],
  ): Promise<{ state: WriterState; results: AskResult<Row>[] }> {
    for (;;) {
      const watermark = await this.#options.watermarks?.read();
      const asks = stateAsks(this.#scope, watermark);
      const statements = statementsOf(asks);
      const results = await waiting.send<unknown>(this.#database(), [...statements, ...more]);
      const { state, rewind } = takeState(rowsOfAsks(asks, results), watermark);
      if (!rewind) {
        if (!isAtWatermark(watermark, state)) await this.writeWatermark(state);
        this.#state = state;
        // Another writer may have committed since the last commit. So rows that were read before are outdated.
        this.recalled.clear();
        this.#commits += 1;
        return { state, results: results.slice(statements.length) as AskResult<Row>[] };
      }
      await this.#declare(state, rewind, watermark);
    }
  }

  /** Remember the state after a commit of changes. @returns when its watermark is durable */
  committed(state: WriterState, changes: readonly Change[]): Promise<void> {
    this.#commits += 1;
    this.#state = state;
    for (const change of changes) this.recalled.apply(change);
    return this.writeWatermark(state);
  }

  /** Discard the remembered state, and mark all rows read so far as outdated. */
  forget(): void {
    this.#options.hooks?.afterUnknown();
    this.#state = undefined;
    this.#commits += 1;
  }

  /**
   * Verify that no other object has replaced this one. A replaced object cannot write its storage. The fence alone
   * would not stop it if D1 was restored to exactly the record that it remembers. @throws if the object's storage does
   * not respond
   */
  async own(state: WriterState): Promise<void> {
    if (Math.abs(Date.now() - this.#ownedDate) >= OWNED_MS) await this.writeWatermark(state);
  }

  /** Write the watermark. Resolves when it is durable. */
  async writeWatermark(state: WriterState): Promise<void> {
    const now = Date.now();
    await this.#options.watermarks?.write(watermarkOf(state));
    this.#ownedDate = now;
  }

  /** Declare a rewind: continue after the lost numbers, and record that in the log before any other decision. */
  async #declare(state: WriterState, rewind: Rewind, watermark: Watermark | undefined): Promise<void> {
    const { declareRewind, watermarks, hooks = NO_HOOKS } = this.#options;
    if (!declareRewind) throw new Error('the store was put back, and nobody can say so');
    const decided = declareRewind(this.#scope, rewind, Date.now());
    const { log, parts, head } = commitOf(
      this.#scope,
      [decided],
      state,
      rewind.lostSequenceNumber,
      this.#saltOf,
    );
    await watermarks?.write(rewind.watermark);
    try {
      await hooks.aroundCommit(() => this.#database().send([...log, ...parts.flat()]), true);
    } catch (error) {
      // After a collision the declaration is not committed and never will be, so the old watermark holds. After any
      // other failure the declaration may still arrive.
      if (watermark && failureOf(error) === 'collision') await watermarks?.write(watermark);
      throw error;
    }
    this.#commits += 1;
    await this.writeWatermark({
      ...state,
      head: { ...head, eventSequenceNumber: rewind.lostEventSequenceNumber + 1 },
    });
    hooks.afterCommit(decided.change.audit, head.sequenceNumber);
  }

  #database(): Database {
    return new Database(this.#options.organization, this.#options.databases);
  }
}

/** Callbacks before and after commits. */
export interface CommitHooks {
  /** Runs a commit that emits events, or that leaves work for jobs (`requestsJobs`). */
  aroundCommit<T>(commit: () => Promise<T>, requestsJobs: boolean): Promise<T>;
  /** Called with the audit entries of a commit, and the last number of the log after it. */
  afterCommit(audit: Change['audit'], sequenceNumber: number): void;
  /** Called if another writer has committed, or if the outcome of a commit is unknown. */
  afterUnknown(): void;
}

export const NO_HOOKS: CommitHooks = {
  aroundCommit: (commit) => commit(),
  afterCommit: () => undefined,
  afterUnknown: () => undefined,
};

export interface WriterOptions {
  databases: Databases;
  organization: string;
  commands: ReadonlyMap<string, AnyCommand>;
  hooks?: CommitHooks;
  /** The watermarks that reveal a restore of D1. Without them no restore is noticed. */
  watermarks?: WatermarkStore;
  /** Makes the change that declares a rewind. It is committed before anything else. */
  declareRewind?: (scope: Scope, rewind: Rewind, now: number) => Decided;
  /** The secret for salts of audit records; random by default. */
  saltSecret?: string;
}
