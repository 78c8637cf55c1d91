import type { AskResult } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import type { Statement } from '../lib/sql.ts';
import { type Commit, commitOf } from './commit.ts';
import type { RecordedAnswer } from './idempotency.ts';
import { type Merged, merged, shareOf } from './merged.ts';
import { Reads } from './reads.ts';
import { type Deciding, following, together } from './share.ts';
import type { Waiting } from './waiting.ts';
import type { WriterState } from './writer-state.ts';

/** The statements of one commit shared by several commands, and behind them the first reads of the next commands. */
export class Batch {
  readonly statements: readonly Statement[];
  readonly #shared: readonly Deciding[];
  readonly #riding: Reads;
  readonly #commit: Commit;
  readonly #merged: readonly Merged[];
  /** What the writer will know after this commit, except where the logs end. */
  readonly #following: WriterState;

  constructor(
    scope: Scope,
    shared: readonly Deciding[],
    next: readonly Waiting[],
    saltOf: (purpose: string) => string,
  ) {
    const before = shared[0]!.state;
    this.#shared = shared;
    this.#commit = commitOf(scope, shared, before, before.head.sequenceNumber, saltOf);
    this.#merged = merged(this.#commit.parts, together(shared.map(({ waiting }) => waiting)).length);
    this.#following = following(shared.at(-1)!);
    this.statements = [...this.#commit.log, ...this.#merged.map(({ statement }) => statement)];
    this.#riding = new Reads(
      next.filter(({ command }) => !command.exclusive),
      this.#following,
    );
  }

  /** All statements, in the order in which they are sent. */
  get all(): Statement[] {
    return [...this.statements, ...this.#riding.statements];
  }

  /** Whether any of the commands emits events. */
  get emits(): boolean {
    return this.#commit.emits;
  }

  /** What the writer knows after the commit, from the results of `all`. */
  state(results: readonly AskResult[]): WriterState {
    const { head, names } = this.#commit;
    const { eventSequenceNumber = head.eventSequenceNumber } = this.#answers(results).at(-1)!;
    return { ...this.#following, head: { ...head, eventSequenceNumber }, names };
  }

  /**
   * Hand the commands behind the rows of the reads that rode along. `commits` is how many commits had been made by
   * then.
   */
  passOn(results: readonly AskResult[], commits: number): void {
    const read = results.slice(this.statements.length);
    this.#riding.take(read, commits, (waiting, own) => waiting.count(own));
  }

  /**
   * For each command its answer as JSON text, and its share of what the statements cost. The first command bears the
   * cost of the log.
   */
  results(all: readonly AskResult[]): { waiting: Waiting; body: string; own: AskResult[] }[] {
    const log = all.slice(0, this.#commit.log.length);
    const parts = this.#merged.map((part, at) => ({ part, result: all[log.length + at]! }));
    const bodies = new Map(this.#answers(all).map(({ commandId, body }) => [commandId, body]));
    return this.#shared.map(({ waiting, request }, index) => ({
      waiting,
      body: bodies.get(request.commandId)!,
      own: [
        ...(index === 0 ? log : []),
        ...parts
          .filter(({ part }) => part.of.includes(index))
          .map(({ part, result }) => shareOf(part, index, result)),
      ],
    }));
  }

  /** The recorded answers. No other write of a commit returns rows. */
  #answers(results: readonly AskResult[]): RecordedAnswer[] {
    return results.slice(0, this.statements.length).flatMap(({ rows }) => rows as RecordedAnswer[]);
  }
}
