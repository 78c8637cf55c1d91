import type { SQL } from 'drizzle-orm';
import type { Result } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import { type Commit, commitOf, type Head, lastEventQuery } from './commit.ts';
import type { Known } from './known.ts';
import { Reads } from './reads.ts';
import { type Deciding, following } from './share.ts';
import type { Waiting } from './waiting.ts';

/** A commit of commands that share it, and the first reads of those behind them, which ride at its end. */
export class Batch {
  readonly statements: readonly SQL[];
  readonly emits: boolean;
  readonly #shared: readonly Deciding[];
  readonly #riding: Reads;
  readonly #commit: Commit;
  /** What is known then, but for the end of the log. */
  readonly #following: Known;

  constructor(
    scope: Scope,
    shared: readonly Deciding[],
    next: readonly Waiting[],
    saltOf: (purpose: string) => string,
  ) {
    const before = shared[0]!.known;
    this.#shared = shared;
    this.#commit = commitOf(scope, shared, before, before.head.sequenceNumber, saltOf);
    this.#following = following(shared.at(-1)!);
    this.emits = shared.some(({ change }) => (change.events ?? []).length > 0);
    this.statements = [
      ...this.#commit.log,
      ...this.#commit.parts.flat(),
      ...(this.emits ? [lastEventQuery(scope)] : []),
    ];
    this.#riding = new Reads(
      next.filter(({ command }) => !command.goesAlone),
      this.#following,
    );
  }

  /** What is sent. */
  get all(): SQL[] {
    return [...this.statements, ...this.#riding.statements];
  }

  /** What is known once it is committed. */
  known(results: readonly Result[]): Known {
    const { head, names } = this.#commit;
    const events = this.emits
      ? (results[this.statements.length - 1]!.rows[0] as Pick<Head, 'eventSequenceNumber'>)
      : {};
    return { ...this.#following, head: { ...head, ...events }, names };
  }

  /** Give those behind what they have asked, read after so many commits. */
  passOn(results: readonly Result[], commits: number): void {
    const read = results.slice(this.statements.length);
    this.#riding.take(read, commits, (waiting, own) => waiting.count(own));
  }

  /** Each command with the results of its own statements, its answer last; the log is the first's. */
  results(all: readonly Result[]): { waiting: Waiting; own: Result[] }[] {
    const { log, parts } = this.#commit;
    let start = 0;
    return this.#shared.map(({ waiting }, index) => {
      const end = start + parts[index]!.length + (index === 0 ? log.length : 0);
      const own = all.slice(start, end);
      start = end;
      return { waiting, own };
    });
  }
}
