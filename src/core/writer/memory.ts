import type { SQL } from 'drizzle-orm';
import { rowsOfAsks, statementsOf } from '../lib/asks.ts';
import { Database } from '../lib/database.ts';
import type { Scope } from '../lib/scope.ts';
import { failureOf } from '../lib/store.ts';
import { SECOND_MS } from '../lib/time.ts';
import { commitOf } from './commit.ts';
import { NO_HOOKS, type WriterOptions } from './options.ts';
import type { Waiting } from './waiting.ts';
import type { Watermark } from './watermark.ts';
import {
  isAtWatermark,
  type Rewind,
  stateAsks,
  takeState,
  type WriterState,
  watermarkOf,
} from './writer-state.ts';

/** For how long after writing a mark an object is trusted to still own the organization. */
const OWNED_MS = 5 * SECOND_MS;

/**
 * What a writer remembers between commits, and the mark of it that survives a restore of D1. This memory is only a
 * cache: the fence of the log fails any commit that was decided on outdated state.
 */
export class Memory {
  readonly #scope: Scope;
  readonly #options: WriterOptions;
  readonly #saltOf: (purpose: string) => string;
  #state: WriterState | undefined;
  /** When the last durable mark was sent, in epoch milliseconds. */
  #ownedDate = 0;
  #commits = 0;

  constructor(scope: Scope, options: WriterOptions, saltOf: (purpose: string) => string) {
    this.#scope = scope;
    this.#options = options;
    this.#saltOf = saltOf;
  }

  /** What the writer remembers; undefined where it has to be read first. */
  get state(): WriterState | undefined {
    return this.#state;
  }

  /** The number of commits so far. Rows are current as long as it does not change. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Read where the log ends, and whether D1 was restored to an earlier state. The calls are charged to `waiting`.
   *
   * If an object ended before its mark was durable, the mark is first brought up to the end of the log. Without that, a
   * restore could remove commits that no mark knows of, and a second restore could bring them back after their codes
   * were given to others.
   */
  async learn(waiting: Waiting): Promise<WriterState> {
    return (await this.learnWith(waiting)).state;
  }

  /** As `learn`, together with the rows of further statements read in the same transaction. */
  async learnWith<Row>(waiting: Waiting, ...more: SQL<Row>[]): Promise<{ state: WriterState; rows: Row[] }> {
    for (;;) {
      const watermark = await this.#options.watermarks?.read();
      const asks = stateAsks(this.#scope, watermark);
      const statements = statementsOf(asks);
      const results = await waiting.send<unknown>(this.#database(), [...statements, ...more]);
      const { state, rewind } = takeState(rowsOfAsks(asks, results), watermark);
      if (!rewind) {
        if (!isAtWatermark(watermark, state)) await this.writeWatermark(state);
        this.#state = state;
        const rows = results.slice(statements.length).flatMap((result) => result.rows) as Row[];
        return { state, rows };
      }
      await this.#declare(state, rewind, watermark);
    }
  }

  /** Remember the state after a commit. @returns once its mark is durable */
  committed(state: WriterState): Promise<void> {
    this.#commits += 1;
    this.#state = state;
    return this.writeWatermark(state);
  }

  /** Discard what is remembered, and count all rows read so far as outdated. */
  forget(): void {
    this.#options.hooks?.afterUnknown();
    this.#state = undefined;
    this.#commits += 1;
  }

  /**
   * Verify that this object was not replaced by another one without knowing: an object that was replaced cannot write
   * its storage. The fence alone would not stop it where D1 has been restored to exactly the record that it remembers.
   * @throws where the object's storage does not respond
   */
  async own(state: WriterState): Promise<void> {
    if (Math.abs(Date.now() - this.#ownedDate) >= OWNED_MS) await this.writeWatermark(state);
  }

  /** Write the mark. Resolves once it is durable. */
  async writeWatermark(state: WriterState): Promise<void> {
    const now = Date.now();
    await this.#options.watermarks?.write(watermarkOf(state));
    this.#ownedDate = now;
  }

  /**
   * Declare a rewind: continue numbers behind those that were lost, and record that in the log before anything else is
   * decided.
   */
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
      // A collision means that the declaration was not and will not be committed, so the old mark holds. After any
      // other failure it may still arrive.
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
