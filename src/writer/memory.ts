import type { SQL } from 'drizzle-orm';
import { rowsOf, statementsOf } from '../lib/asks.ts';
import { Database } from '../lib/database.ts';
import type { Scope } from '../lib/scope.ts';
import { failureOf } from '../lib/store.ts';
import { SECOND_MS } from '../lib/time.ts';
import { commitOf } from './commit.ts';
import { isMarked, type Known, knownAsks, markOf, type Rewind, takeKnown } from './known.ts';
import type { Mark } from './mark.ts';
import { NO_HOOKS, type WriterOptions } from './options.ts';
import type { Waiting } from './waiting.ts';

/** How long after it kept a mark an object is taken to be the one that the organization has. */
const OWNED_MS = 5 * SECOND_MS;

/**
 * What a writer remembers between commits, and the mark of it that outlives a restore of D1. It is only a shortcut: the
 * fence of the log refuses a commit that follows from what is out of date.
 */
export class Memory {
  readonly #scope: Scope;
  readonly #options: WriterOptions;
  readonly #saltOf: (purpose: string) => string;
  #known: Known | undefined;
  /** When the last mark was sent that is kept; epoch milliseconds. */
  #ownedDate = 0;
  #commits = 0;

  constructor(scope: Scope, options: WriterOptions, saltOf: (purpose: string) => string) {
    this.#scope = scope;
    this.#options = options;
    this.#saltOf = saltOf;
  }

  /** What is known; undefined where it has to be found out. */
  get known(): Known | undefined {
    return this.#known;
  }

  /** Commits so far: rows that were read are current until there is another. */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Find out where the log ends, and whether the store was put back; charged to a command. The mark is brought up to that
   * first, where an object ended before its own was safe: or a restore could lose what nobody knows of, and another one,
   * to before the first, show it again.
   */
  async learn(waiting: Waiting): Promise<Known> {
    return (await this.learnWith(waiting)).known;
  }

  /** The same, with the rows of what else is asked of the store at that instant. */
  async learnWith<Row>(waiting: Waiting, ...more: SQL<Row>[]): Promise<{ known: Known; rows: Row[] }> {
    for (;;) {
      const mark = await this.#options.marks?.read();
      const asks = knownAsks(this.#scope, mark);
      const statements = statementsOf(asks);
      const results = await waiting.send<unknown>(this.#database(), [...statements, ...more]);
      const { known, rewind } = takeKnown(rowsOf(asks, results), mark);
      if (!rewind) {
        if (!isMarked(mark, known)) await this.mark(known);
        this.#known = known;
        const rows = results.slice(statements.length).flatMap((result) => result.rows) as Row[];
        return { known, rows };
      }
      await this.#declare(known, rewind, mark);
    }
  }

  /** Remember what is known behind a commit. @returns when its mark is safe */
  committed(known: Known): Promise<void> {
    this.#commits += 1;
    this.#known = known;
    return this.mark(known);
  }

  /** Nothing that was read is current any more. */
  forget(): void {
    this.#options.hooks?.afterUnknown();
    this.#known = undefined;
    this.#commits += 1;
  }

  /**
   * See that this is not an object that was replaced and has not heard of it: such a one cannot keep a mark. The fence
   * lets it write where D1 is put back to the record that it knows. @throws where storage does not answer
   */
  async own(known: Known): Promise<void> {
    if (Math.abs(Date.now() - this.#ownedDate) >= OWNED_MS) await this.mark(known);
  }

  /** Keep a mark of what is known. */
  async mark(known: Known): Promise<void> {
    const now = Date.now();
    await this.#options.marks?.write(markOf(known));
    this.#ownedDate = now;
  }

  /** Go on behind what was lost by the mark, and say so, before anything else is decided. */
  async #declare(known: Known, rewind: Rewind, mark: Mark | undefined): Promise<void> {
    const { declareRewind, marks, hooks = NO_HOOKS } = this.#options;
    if (!declareRewind) throw new Error('the store was put back, and nobody can say so');
    const decided = declareRewind(this.#scope, rewind, Date.now());
    const { log, parts, head } = commitOf(
      this.#scope,
      [decided],
      known,
      rewind.lostSequenceNumber,
      this.#saltOf,
    );
    await marks?.write(rewind.mark);
    try {
      await hooks.aroundCommit(() => this.#database().send([...log, ...parts.flat()]), true);
    } catch (error) {
      // It will never be there; one that was given up before it may be.
      if (mark && failureOf(error) === 'collision') await marks?.write(mark);
      throw error;
    }
    this.#commits += 1;
    await this.mark({
      ...known,
      head: { ...head, eventSequenceNumber: rewind.lostEventSequenceNumber + 1 },
    });
    hooks.afterCommit(decided.change.audit, head.sequenceNumber);
  }

  #database(): Database {
    return new Database(this.#options.organization, this.#options.databases);
  }
}
