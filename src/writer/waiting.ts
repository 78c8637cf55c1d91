import type { SQL } from 'drizzle-orm';
import { type Asks, type Result, rowsOf, type Scope, statementsOf } from '../lib/database.ts';
import type { AnyCommand, Asking, CommandRequest, Cost } from './command.ts';
import { type Recalled, recalled, recallQuery } from './idempotency.ts';

/** What a command that waits is answered. */
export type Answer = Recalled | { kind: 'defect' };

/** Rows by the name they were asked under. */
type Rows = Record<string, unknown[]>;

/** What a command begins with. */
interface Read {
  /** What it was answered before, where it was. */
  earlier: Recalled | undefined;
  rows: Rows;
  /** How many commits there had been when it was read: it is current until the next. */
  commits: number;
}

/** A command that waits for its outcome. */
export class Waiting {
  readonly request: CommandRequest;
  readonly command: AnyCommand;
  /** Is given the answer, once. */
  readonly settle: (answer: Answer) => void;
  readonly cost: Cost = { bookmark: null, roundTrips: 0, rowsRead: 0 };
  attempts = 0;
  read: Read | undefined;
  /** Whether it has failed before. */
  isRetry = false;
  #asks: Asks;
  /** Its first reads: none where it decides on what the writer knows by itself. */
  statements: readonly SQL[];
  readonly #scope: Scope;

  constructor(scope: Scope, request: CommandRequest, command: AnyCommand, settle: (answer: Answer) => void) {
    this.#scope = scope;
    this.request = request;
    this.command = command;
    this.settle = settle;
    this.#asks = command.ask(this.asking, request.input);
    this.statements = this.#first();
  }

  /** What its asks are made of. */
  get asking(): Asking {
    return { scope: this.#scope, isRetry: this.isRetry };
  }

  /** It has to begin again: by itself from now on, and looking whether it took effect before. */
  retry(): void {
    this.isRetry = true;
    this.read = undefined;
    this.#asks = this.command.ask(this.asking, this.request.input);
    this.statements = this.#first();
  }

  /** Whether it is decided on what the writer knows by itself. */
  get asksNothing(): boolean {
    return this.statements.length === 0;
  }

  /** Take the results of `statements`, read after so many commits. */
  take(results: readonly Result[], commits: number): void {
    const [record, ...asked] = results;
    this.read = {
      earlier: record && recalled(record.rows as never, this.request),
      rows: rowsOf(this.#asks, asked),
      commits,
    };
  }

  /** The rows it begins with. */
  get rows(): Rows {
    return this.read?.rows ?? rowsOf(this.#asks, []);
  }

  /** Whoever reads anyway looks for an earlier answer, too: a repeat is then known without a collision. */
  #first(): SQL[] {
    const asked = statementsOf(this.#asks);
    return asked.length === 0 && !this.isRetry && !this.command.legacy
      ? []
      : [recallQuery(this.#scope, this.request), ...asked];
  }
}
