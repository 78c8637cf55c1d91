import type { AskResult } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';
import type { Statement } from '../lib/sql.ts';
import { type Commit, commitOf } from './commit.ts';
import type { RecordedAnswer } from './idempotency.ts';
import { type Merged, merged, shareOf } from './merged.ts';
import { Reads } from './reads.ts';
import type { Learning } from './recall.ts';
import { type Deciding, following, together } from './share.ts';
import type { Waiting } from './waiting.ts';
import type { WriterState } from './writer-state.ts';

/**
 * The statements of one commit that several commands share. The first reads of the next commands follow, and then the reads of
 * a place to remember.
 */
export class Batch {
  readonly statements: readonly Statement[];
  readonly #shared: readonly Deciding[];
  readonly #riding: Reads;
  readonly #learning: Learning | undefined;
  readonly #commit: Commit;
  readonly #merged: readonly Merged[];
  /** The writer's state after this commit, except for the end of the logs and the names. */
  readonly #following: WriterState;

  constructor(
    scope: Scope,
    shared: readonly Deciding[],
    { next, learning }: { next: readonly Waiting[]; learning: Learning | undefined },
    saltOf: (purpose: string) => string,
  ) {
    const before = shared[0]!.state;
    this.#shared = shared;
    this.#commit = commitOf(scope, shared, before, before.head.sequenceNumber, saltOf);
    this.#merged = merged(this.#commit.parts, together(shared.map(({ waiting }) => waiting)).length);
    this.#following = following(shared.at(-1)!);
    this.statements = [...this.#commit.log, ...this.#merged.map(({ statement }) => statement)];
    this.#learning = learning;
    this.#riding = new Reads(
      next.filter(({ command }) => !command.exclusive),
      this.#following,
    );
  }

  /** All statements, in the order in which they are sent. */
  get all(): Statement[] {
    return [...this.statements, ...this.#riding.statements, ...(this.#learning?.statements ?? [])];
  }

  /** Whether any of the commands emits events. */
  get emits(): boolean {
    return this.#commit.emits;
  }

  /** The writer's state after the commit, from the results of `all`. */
  state(results: readonly AskResult[]): WriterState {
    const { head, names } = this.#commit;
    const { eventSequenceNumber = head.eventSequenceNumber } = this.#answers(results).at(-1)!;
    return { ...this.#following, head: { ...head, eventSequenceNumber }, names };
  }

  /**
   * Give the next commands the rows of their reads in this batch, and remember the place that it has read. `commits` is the
   * number of commits at the time of the reads.
   */
  passOn(results: readonly AskResult[], commits: number): void {
    const read = results.slice(this.statements.length);
    this.#riding.take(read, commits, (waiting, own) => waiting.count(own));
    const place = read.slice(this.#riding.statements.length);
    this.#learning?.take(place);
    this.#shared[0]!.waiting.count(place);
  }

  /**
   * For each command its answer as JSON text, and its share of the cost of the statements. The first command bears the
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

  /** The recorded answers. Other writes of a commit return no rows. */
  #answers(results: readonly AskResult[]): RecordedAnswer[] {
    return results.slice(0, this.statements.length).flatMap(({ rows }) => rows as RecordedAnswer[]);
  }
}
