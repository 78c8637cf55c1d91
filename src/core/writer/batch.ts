import type { SQL } from 'drizzle-orm';
import type { AskResult } from '../lib/asks.ts';
import type { Scope, Write } from '../lib/scope.ts';
import { mergedStatement, type Rendered, render, type Statement } from '../lib/sql.ts';
import { type Commit, commitOf } from './commit.ts';
import type { RecordedAnswer } from './idempotency.ts';
import type { Learning } from './recall.ts';
import { type Deciding, following, together, type Waiting } from './waiting.ts';
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

/** A statement of a batch, and the indexes of its commands. */
export interface Merged {
  statement: Rendered;
  of: readonly number[];
}

/**
 * Merge the statements of several commands into as few as possible. The first `apart` commands have no conflict key in
 * common, so their statements may run in any order. They are grouped by the texts of their statements. Within a group,
 * the first statements are placed together, then the second ones, and so on. Neighbours that differ only in their rows
 * become one statement. Statements of the other commands follow unmerged.
 */
export function merged(parts: readonly (readonly Write[])[], apart: number): Merged[] {
  const statements = parts.map((part) => part.map(render));
  const groups: number[][] = [];
  for (const index of statements.keys()) {
    const group =
      index < apart && groups.find(([first]) => areAlike(statements[first!]!, statements[index]!));
    if (group) group.push(index);
    else groups.push([index]);
  }
  return groups.flatMap((indexes) =>
    statements[indexes[0]!]!.flatMap((_, at) =>
      inOne(indexes.map((index) => ({ statement: statements[index]![at]!, of: [index] }))),
    ),
  );
}

const areAlike = (one: readonly Rendered[], other: readonly Rendered[]): boolean =>
  one.length === other.length && one.every(({ text }, at) => text === other[at]!.text);

/** Merge each statement with the one before it if possible. */
function inOne(all: readonly Merged[]): Merged[] {
  const fewer: Merged[] = [];
  for (const { statement, of } of all) {
    const last = fewer.at(-1);
    const both = last && mergedStatement(last.statement, statement);
    if (both) fewer[fewer.length - 1] = { statement: both, of: [...last.of, ...of] };
    else fewer.push({ statement, of });
  }
  return fewer;
}

/**
 * A command's share of the rows that a merged statement read and wrote: equal parts, and the remainder for the first
 * command.
 */
export function shareOf({ of }: Merged, index: number, { rowsRead, rowsWritten }: AskResult): AskResult {
  const part = (rows: number) => Math.floor(rows / of.length) + (of[0] === index ? rows % of.length : 0);
  return { rows: [], rowsRead: part(rowsRead), rowsWritten: part(rowsWritten) };
}

/** The first reads of queued commands, sent in one call. */
export class Reads {
  readonly statements: readonly SQL[];
  readonly #state: WriterState | undefined;
  readonly #asking: readonly { waiting: Waiting; statements: readonly SQL[] }[];

  /** Without a state, only reads that do not depend on it. */
  constructor(waiting: readonly Waiting[], state: WriterState | undefined) {
    this.#state = state;
    this.#asking = waiting
      .map((one) => ({ waiting: one, statements: one.statements(state) }))
      .filter(({ statements }) => statements.length > 0);
    this.statements = this.#asking.flatMap(({ statements }) => statements);
  }

  /**
   * Give each command its rows. `commits` is the number of commits at the time of the read. `charge` is called with the
   * results of each command.
   */
  take(
    results: readonly AskResult[],
    commits: number,
    charge: (waiting: Waiting, own: readonly AskResult[]) => void,
  ): void {
    let start = 0;
    for (const { waiting, statements } of this.#asking) {
      const own = results.slice(start, start + statements.length);
      start += statements.length;
      waiting.take(this.#state, own, commits);
      charge(waiting, own);
    }
  }
}
