import type { SQL } from 'drizzle-orm';
import { type Asks, type Result, rowsOf, statementsOf } from '../lib/asks.ts';
import type { Database } from '../lib/database.ts';
import type { Refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import type { Statement } from '../lib/sql.ts';
import type { AnyCommand, Change, CommandRequest, Context, Cost } from './command.ts';
import { type EarlierAnswer, earlierAnswer, earlierAnswerQuery } from './idempotency.ts';
import { type Known, nextMarkerCodeOf } from './known.ts';

/** The answer of a queued command. */
export type Answer = EarlierAnswer | { kind: 'defect' };

/** Rows by the name they were asked under. */
type Rows = Record<string, unknown[]>;

/** The first reads of a command. */
interface Read {
  /** The answer of an earlier attempt, where there was one. */
  earlier: EarlierAnswer | undefined;
  rows: Rows;
  /** How many commits had been made when it was read. It is out of date after the next one. */
  commits: number;
}

/** A command in the queue of the writer, until it has its outcome. */
export class Waiting {
  readonly request: CommandRequest;
  readonly command: AnyCommand;
  /** Called once, with the answer. */
  readonly settle: (answer: Answer) => void;
  readonly cost: Cost = { bookmark: null, roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  /** The names of what it touches; undefined where the command does not say. See `Command.touches`. */
  readonly touches: readonly string[] | undefined;
  attempts = 0;
  /**
   * Whether an attempt has failed. The next one then goes alone, and first looks whether the failed one took effect.
   */
  isRetry = false;
  read: Read | undefined;
  readonly #scope: Scope;
  #asked: { asks: Asks; by: Known['organization'] } | undefined;

  constructor(scope: Scope, request: CommandRequest, command: AnyCommand, settle: (answer: Answer) => void) {
    this.#scope = scope;
    this.request = request;
    this.command = command;
    this.settle = settle;
    this.touches = command.touches?.(request.input);
  }

  /** The context in which it asks and decides. */
  context(known: Known, now: number): Context {
    return {
      scope: this.#scope,
      organization: known.organization,
      nextMarkerCode: nextMarkerCodeOf(known),
      actor: this.request.actor,
      traceparent: this.request.traceparent ?? null,
      now,
      isRetry: this.isRetry,
    };
  }

  /**
   * Its first reads. None where it is decided on what the writer knows, or where `ask` throws (`decide` will then throw
   * too, and be handled). If there are any, the first looks for the answer of an earlier attempt, so that a repeat is
   * recognised without a collision.
   */
  statements(known: Known): SQL[] {
    try {
      const asked = statementsOf(this.#asks(known));
      const unasked = asked.length === 0 && !this.isRetry;
      return unasked ? [] : [earlierAnswerQuery(this.#scope, this.request), ...asked];
    } catch {
      return [];
    }
  }

  /** Send statements for this command alone, and charge it with them. */
  async send<Row>(database: Database, statements: readonly Statement<Row>[]): Promise<Result<Row>[]> {
    const results = await database.send(statements);
    this.charge(database, results);
    return results;
  }

  /** Add a call to D1 and its rows to the cost of this command. */
  charge(database: Database, results: readonly Result[]): void {
    this.cost.bookmark = database.bookmark;
    this.cost.roundTrips += 1;
    this.count(results);
  }

  /** Add rows of statements that rode along with another command's call to the cost of this one. */
  count(results: readonly Result[]): void {
    for (const { rowsRead, rowsWritten } of results) {
      this.cost.rowsRead += rowsRead;
      this.cost.rowsWritten += rowsWritten;
    }
  }

  /** Take the results of `statements`. `commits` is how many commits had been made when they were read. */
  take(known: Known, [record, ...asked]: readonly Result[], commits: number): void {
    const earlier = record && earlierAnswer(record.rows as never, this.request);
    this.read = { earlier, rows: rowsOf(this.#asks(known), asked) as Rows, commits };
  }

  /** Its second reads, which depend on the first rows. */
  more(known: Known, now: number): Asks {
    return this.command.askMore(this.context(known, now), this.request.input, this.#rows(known) as never);
  }

  /** Its decision, on all rows it asked for. */
  decide(known: Known, now: number, more: Asks, results: readonly Result[]): Change | Refusal {
    const rows = { ...this.#rows(known), ...rowsOf(more, results) };
    return this.command.decide(this.context(known, now), this.request.input, rows as never);
  }

  /** Forget what was read, and prepare for another attempt. */
  retry(): void {
    this.isRetry = true;
    this.read = undefined;
    this.#asked = undefined;
  }

  /** The rows of its first reads. */
  #rows(known: Known): Rows {
    return this.read?.rows ?? (rowsOf(this.#asks(known), []) as Rows);
  }

  /** Its first reads, built once for each attempt; built again where the organization's settings changed. */
  #asks(known: Known): Asks {
    if (!this.#asked || this.#asked.by !== known.organization) {
      const asks = this.command.ask(this.context(known, Date.now()), this.request.input);
      this.#asked = { asks, by: known.organization };
    }
    return this.#asked.asks;
  }
}
