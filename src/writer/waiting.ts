import type { SQL } from 'drizzle-orm';
import { type Asks, type Result, rowsOf, statementsOf } from '../lib/asks.ts';
import type { Database } from '../lib/database.ts';
import type { Refusal } from '../lib/problem.ts';
import type { Scope } from '../lib/scope.ts';
import type { Rendered } from '../lib/sql.ts';
import type { AnyCommand, Change, CommandRequest, Context, Cost } from './command.ts';
import { type EarlierAnswer, earlierAnswer, earlierAnswerQuery } from './idempotency.ts';
import { type Known, nextMarkerCodeOf } from './known.ts';

/** What a command that waits is answered. */
export type Answer = EarlierAnswer | { kind: 'defect' };

/** Rows by the name they were asked under. */
type Rows = Record<string, unknown[]>;

/** What a command begins with. */
interface Read {
  /** What it was answered before, where it was. */
  earlier: EarlierAnswer | undefined;
  rows: Rows;
  /** How many commits there had been when it was read: it is current until the next. */
  commits: number;
}

/** A command that waits for its outcome. */
export class Waiting {
  readonly request: CommandRequest;
  readonly command: AnyCommand;
  /** Called once, with the answer. */
  readonly settle: (answer: Answer) => void;
  readonly cost: Cost = { bookmark: null, roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
  /** What it touches, where that is said: see `Command`. */
  readonly touches: readonly string[] | undefined;
  attempts = 0;
  /** Whether it has failed before: then it goes by itself, and looks whether it took effect. */
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

  /** What it asks and decides with. */
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
   * The statements that it begins with; none where it decides on what is known, or fails to ask: then it fails to decide,
   * too. Whoever reads anyway looks for an earlier answer, too: so a repeat is known without a collision.
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

  /** One call to D1 by itself. */
  async send<Row>(database: Database, statements: readonly (SQL<Row> | Rendered)[]): Promise<Result<Row>[]> {
    const results = await database.send(statements);
    this.charge(database, results);
    return results;
  }

  /** Take on what statements of a call have cost. */
  charge(database: Database, results: readonly Result[]): void {
    this.cost.bookmark = database.bookmark;
    this.cost.roundTrips += 1;
    this.count(results);
  }

  /** Take on what statements have cost that were sent along with another call. */
  count(results: readonly Result[]): void {
    for (const { rowsRead, rowsWritten } of results) {
      this.cost.rowsRead += rowsRead;
      this.cost.rowsWritten += rowsWritten;
    }
  }

  /** Take the results of `statements`, read after so many commits. */
  take(known: Known, [record, ...asked]: readonly Result[], commits: number): void {
    const earlier = record && earlierAnswer(record.rows as never, this.request);
    this.read = { earlier, rows: rowsOf(this.#asks(known), asked) as Rows, commits };
  }

  /** What it asks further, on the rows that it began with. */
  more(known: Known, now: number): Asks {
    return this.command.askMore(this.context(known, now), this.request.input, this.#rows(known) as never);
  }

  /** What it decides, with the results of what it asked further. */
  decide(known: Known, now: number, more: Asks, results: readonly Result[]): Change | Refusal {
    const rows = { ...this.#rows(known), ...rowsOf(more, results) };
    return this.command.decide(this.context(known, now), this.request.input, rows as never);
  }

  /** Forget what was read, for another attempt. */
  retry(): void {
    this.isRetry = true;
    this.read = undefined;
    this.#asked = undefined;
  }

  /** The rows that it begins with. */
  #rows(known: Known): Rows {
    return this.read?.rows ?? (rowsOf(this.#asks(known), []) as Rows);
  }

  /** Made once for each attempt, and anew for other settings. */
  #asks(known: Known): Asks {
    if (!this.#asked || this.#asked.by !== known.organization) {
      const asks = this.command.ask(this.context(known, Date.now()), this.request.input);
      this.#asked = { asks, by: known.organization };
    }
    return this.#asked.asks;
  }
}
