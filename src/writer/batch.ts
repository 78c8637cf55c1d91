import type { SQL } from 'drizzle-orm';
import type { Result } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import type { Rendered } from '../lib/sql.ts';
import { type Commit, commitOf } from './commit.ts';
import type { RecordedAnswer } from './idempotency.ts';
import type { Known } from './known.ts';
import { type Merged, merged, shareOf } from './merged.ts';
import { Reads } from './reads.ts';
import { type Deciding, following, together } from './share.ts';
import type { Waiting } from './waiting.ts';

/** A commit of commands that share it, and the first reads of those behind them, which ride at its end. */
export class Batch {
  readonly statements: readonly (SQL | Rendered)[];
  readonly #shared: readonly Deciding[];
  readonly #riding: Reads;
  readonly #commit: Commit;
  readonly #merged: readonly Merged[];
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
    this.#merged = merged(this.#commit.parts, together(shared.map(({ waiting }) => waiting)).length);
    this.#following = following(shared.at(-1)!);
    this.statements = [...this.#commit.log, ...this.#merged.map(({ statement }) => statement)];
    this.#riding = new Reads(
      next.filter(({ command }) => !command.goesAlone),
      this.#following,
    );
  }

  /** What is sent. */
  get all(): (SQL | Rendered)[] {
    return [...this.statements, ...this.#riding.statements];
  }

  /** Whether any of the commands tells of events. */
  get emits(): boolean {
    return this.#commit.emits;
  }

  /** What is known once it is committed. */
  known(results: readonly Result[]): Known {
    const { head, names } = this.#commit;
    const { eventSequenceNumber = head.eventSequenceNumber } = this.#answers(results).at(-1)!;
    return { ...this.#following, head: { ...head, eventSequenceNumber }, names };
  }

  /** Give those behind what they have asked, read after so many commits. */
  passOn(results: readonly Result[], commits: number): void {
    const read = results.slice(this.statements.length);
    this.#riding.take(read, commits, (waiting, own) => waiting.count(own));
  }

  /** Each command with its answer, and its share of what the statements have cost; the log is the first's. */
  results(all: readonly Result[]): { waiting: Waiting; body: string; own: Result[] }[] {
    const log = all.slice(0, this.#commit.log.length);
    const parts = this.#merged.map((part, at) => ({ part, result: all[log.length + at]! }));
    const bodies = new Map(this.#answers(all).map(({ commandId, body }) => [commandId, body]));
    return this.#shared.map(({ waiting, request }, place) => ({
      waiting,
      body: bodies.get(request.commandId)!,
      own: [
        ...(place === 0 ? log : []),
        ...parts
          .filter(({ part }) => part.of.includes(place))
          .map(({ part, result }) => shareOf(part, place, result)),
      ],
    }));
  }

  /** What was recorded; of the writes of a commit nothing else returns rows. */
  #answers(results: readonly Result[]): RecordedAnswer[] {
    return results.slice(0, this.statements.length).flatMap(({ rows }) => rows as RecordedAnswer[]);
  }
}
