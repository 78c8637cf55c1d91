import type { SQL } from 'drizzle-orm';
import { type AskResult, type Asks, rowsOfAsks, statementsOf } from '../lib/asks.ts';
import type { Database } from '../lib/database.ts';
import type { Refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import type { Statement } from '../lib/sql.ts';
import {
  type AnyCommand,
  type Change,
  type CommandRequest,
  type Context,
  isRefusal,
  type StoreCost,
} from './command.ts';
import type { Decided } from './commit.ts';
import { type EarlierAnswer, earlierAnswer, earlierAnswerQuery } from './idempotency.ts';
import type { Recalled } from './recall.ts';
import { sizeOf } from './size.ts';
import { nextMarkerCodeOf, type WriterState } from './writer-state.ts';

/** The answer of a queued command. */
export type CommandOutcome = EarlierAnswer | { kind: 'defect' };

/** Rows by the name of their read. */
type Rows = Record<string, unknown[]>;

/** The first reads of a command. */
interface Read {
  /** The answer of an earlier attempt, if there was one. */
  earlier: EarlierAnswer | undefined;
  rows: Rows;
  /** The number of commits at the time of the read. The read is out of date after the next commit. */
  commits: number;
}

/** A command in the writer's queue, until it has its outcome. */
export class Waiting {
  readonly request: CommandRequest;
  /** About the memory of its input, in bytes. */
  readonly bytes: number;
  readonly command: AnyCommand;
  /** Called once, with the answer. */
  readonly finish: (answer: CommandOutcome) => void;
  readonly cost: StoreCost = { bookmark: null, roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  /** The conflict keys of the command, if it has any. See `Command.conflictKeys`. */
  readonly conflictKeys: readonly string[] | undefined;
  attempts = 0;
  /** How many ids of its answer were found taken. */
  takenIds = 0;
  /** Whether an attempt has started, by itself or in another command's commit. Then it may have taken effect. */
  started = false;
  /**
   * Whether an attempt has failed. The next attempt then runs alone, and first checks whether the failed one took
   * effect.
   */
  isRetry = false;
  read: Read | undefined;
  readonly #scope: Scope;
  /** The first reads, and the settings that they were built with. `undefined`: they depend on no settings. */
  #asked: { asks: Asks; by: WriterState['organization'] | undefined } | undefined;

  constructor(
    scope: Scope,
    request: CommandRequest,
    command: AnyCommand,
    finish: (answer: CommandOutcome) => void,
  ) {
    this.#scope = scope;
    this.request = request;
    this.bytes = sizeOf(request.input);
    this.command = command;
    this.finish = finish;
    this.conflictKeys = command.conflictKeys?.(request.input);
  }

  /** Without a state it throws for a command that uses the state. */
  context(state: WriterState | undefined, now: number): Context {
    return {
      scope: this.#scope,
      get organization() {
        return known(state).organization;
      },
      get nextMarkerCode() {
        return nextMarkerCodeOf(known(state));
      },
      actor: this.request.actor,
      traceparent: this.request.traceparent ?? null,
      reason: this.request.reason ?? null,
      now,
      isRetry: this.isRetry,
    };
  }

  /**
   * The first reads. None if it is decided on the writer's state alone, or if `ask` throws: `decide` then throws too,
   * and is handled. The first statement looks for the answer of an earlier attempt, so that a repeat is recognised
   * without a collision. A retry has this statement even if the command reads nothing. Without a state, a
   * command that reads by the organization's settings has no statements.
   */
  statements(state: WriterState | undefined): SQL[] {
    try {
      const asked = statementsOf(this.#asks(state));
      const unasked = asked.length === 0 && !this.isRetry;
      return unasked ? [] : [earlierAnswerQuery(this.#scope, this.request), ...asked];
    } catch {
      return [];
    }
  }

  /** Send statements for this command alone, and charge their cost to it. */
  async send<Row>(database: Database, statements: readonly Statement<Row>[]): Promise<AskResult<Row>[]> {
    const results = await database.send(statements);
    this.charge(database, results);
    return results;
  }

  /** Add a call to D1 and its rows to the cost of this command. */
  charge(database: Database, results: readonly AskResult[]): void {
    this.cost.bookmark = database.bookmark;
    this.cost.roundTrips += 1;
    this.count(results);
  }

  /** Add the rows of statements in another command's call to the cost of this command. */
  count(results: readonly AskResult[]): void {
    for (const { rowsRead, rowsWritten } of results) {
      this.cost.rowsRead += rowsRead;
      this.cost.rowsWritten += rowsWritten;
    }
  }

  /** Take the results of `statements`. `commits` is the number of commits at the time of the read. */
  take(state: WriterState | undefined, [record, ...asked]: readonly AskResult[], commits: number): void {
    const earlier = record && earlierAnswer(record.rows as never, this.request);
    this.read = { earlier, rows: rowsOfAsks(this.#asks(state), asked) as Rows, commits };
  }

  /** Take its first rows from the writer's memory, if it needs nothing else. */
  recall(recalled: Recalled, commits: number): void {
    if (this.isRetry || this.read?.commits === commits) return;
    const rows = recalled.rows(this);
    if (rows) this.read = { earlier: undefined, rows, commits };
  }

  /** The row keys of its first reads. See `Command.rowKeys`. */
  rowKeys(state: WriterState): readonly string[] {
    return this.command.rowKeys?.(this.#rows(state) as never) ?? [];
  }

  /** The second reads, which depend on the first rows. */
  more(state: WriterState, now: number): Asks {
    return this.command.askMore(this.context(state, now), this.request.input, this.#rows(state) as never);
  }

  /** The decision on all rows. */
  decide(state: WriterState, now: number, more: Asks, results: readonly AskResult[]): Change | Refusal {
    const rows = { ...this.#rows(state), ...rowsOfAsks(more, results) };
    return this.command.decide(this.context(state, now), this.request.input, rows as never);
  }

  /** Discard the reads, and prepare for another attempt. */
  retry(): void {
    this.isRetry = true;
    this.read = undefined;
    this.#asked = undefined;
  }

  #rows(state: WriterState): Rows {
    return this.read?.rows ?? (rowsOfAsks(this.#asks(state), []) as Rows);
  }

  /** The first reads, built once per attempt, and again if the organization's settings changed. */
  #asks(state: WriterState | undefined): Asks {
    const by = state?.organization;
    if (!this.#asked || (this.#asked.by !== undefined && this.#asked.by !== by)) {
      const asks = this.command.ask(this.context(state, Date.now()), this.request.input);
      this.#asked = { asks, by };
    }
    return this.#asked.asks;
  }
}

function known(state: WriterState | undefined): WriterState {
  if (!state) throw new Error('the state of the writer is not known yet');
  return state;
}

/**
 * Limits of a shared commit: the number of commands, the number of writes after which no command joins, and the number
 * of conflict keys.
 */
const SHARED_MAXIMUM = 50;
const WRITES_MAXIMUM = 500;
const CONFLICT_KEYS_MAXIMUM = 40;
/** The most memory of the inputs of commands that are read or committed together, in bytes. */
export const SHARED_BYTES_MAXIMUM = 1024 * 1024;

/** A queued command with its decision, and the writer's state at the time of the decision. */
export type Deciding = Decided & { waiting: Waiting; state: WriterState };

/** Two commands with the same value do not share a commit. */
const keyOf = ({ idempotencyKey, commandId }: CommandRequest): string => idempotencyKey ?? commandId;

/** The writer's state after a change is committed, except for the end of the logs and the names. */
export function following({ state, change }: { state: WriterState; change: Change }): WriterState {
  const { organization = state.organization, lastMarkerCode = state.lastMarkerCode } = change.state ?? {};
  return { ...state, organization, lastMarkerCode };
}

/**
 * The first command of a queue, and the following commands that may be read together with it. They are runs of the same
 * command, and no two of them have a conflict key in common. A command that has failed before runs alone.
 */
export function together(queue: readonly Waiting[]): Waiting[] {
  const [first] = queue;
  if (!first?.conflictKeys || first.isRetry) return queue.slice(0, 1);
  const taken = new Set(first.conflictKeys);
  let { bytes } = first;
  const others = queue.slice(1, SHARED_MAXIMUM);
  const end = others.findIndex(({ command, isRetry, conflictKeys = [], bytes: own }) => {
    bytes += own;
    if (command !== first.command || isRetry || bytes > SHARED_BYTES_MAXIMUM) return true;
    if (conflictKeys.some((name) => taken.has(name))) return true;
    for (const name of conflictKeys) taken.add(name);
    return taken.size > CONFLICT_KEYS_MAXIMUM;
  });
  return [first, ...(end === -1 ? others : others.slice(0, end))];
}

/**
 * The first command of a queue with its decision, and the following commands that join its commit. A command joins in
 * two cases. It has no conflict key and no row key in common with the commands before it, and its reads are as of the
 * current commit (`commits`). Or it reads nothing, and is decided on the state after the commands before it. A command that has failed
 * before runs alone.
 */
export function share(first: Deciding, queue: readonly Waiting[], commits: number): Deciding[] {
  const shared = [first];
  if (first.waiting.isRetry) return shared;
  const keys = new Set([keyOf(first.request)]);
  const apart = together(queue).length;
  const shown = new Set(first.waiting.rowKeys(first.state));
  let writes = first.change.writes.length;
  let { bytes } = first.waiting;
  for (const waiting of queue.slice(1, SHARED_MAXIMUM)) {
    bytes += waiting.bytes;
    if (keys.has(keyOf(waiting.request)) || writes > WRITES_MAXIMUM) break;
    if (bytes > SHARED_BYTES_MAXIMUM) break;
    const isRead = shared.length < apart && waiting.read?.commits === commits && !waiting.read.earlier;
    const rowKeys = isRead ? waiting.rowKeys(first.state) : [];
    if (rowKeys.some((name) => shown.has(name))) break;
    for (const name of rowKeys) shown.add(name);
    const decided = decideUnasked(waiting, following(shared.at(-1)!), first.now, isRead);
    if (!decided) break;
    shared.push(decided);
    keys.add(keyOf(waiting.request));
    writes += decided.change.writes.length;
  }
  return shared;
}

/** Decide a command that needs no further read. Undefined if it needs one, is refused, or fails. */
function decideUnasked(
  waiting: Waiting,
  state: WriterState,
  now: number,
  isRead: boolean,
): Deciding | undefined {
  try {
    if (!isRead && waiting.statements(state).length > 0) return undefined;
    const more = waiting.more(state, now);
    if (statementsOf(more).length > 0) return undefined;
    const change = waiting.decide(state, now, more, []);
    return isRefusal(change) ? undefined : { waiting, request: waiting.request, change, now, state };
  } catch {
    // It fails again, and is answered, when it is the first of the queue.
    return undefined;
  }
}
