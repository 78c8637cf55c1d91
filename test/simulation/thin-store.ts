import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Random } from '../e2e/crash/random.ts';
import { createTables, MIGRATIONS } from '../migrations.ts';
import type { Row, Statement, Store } from './store.ts';

/** The limits of D1 (developers.cloudflare.com/d1/platform/limits). */
const PARAMETERS_MAXIMUM = 100;
const STATEMENT_BYTES_MAXIMUM = 100_000;
const STATEMENTS_CACHED = 5_000;
/** D1's names for extended result codes of SQLite. All other codes become SQLITE_ERROR. */
const CONSTRAINTS = new Map([
  [275, 'CHECK'],
  [787, 'FOREIGNKEY'],
  [1299, 'NOTNULL'],
  [1555, 'PRIMARYKEY'],
  [1811, 'TRIGGER'],
  [2067, 'UNIQUE'],
]);

/** Changes the text of a migration, to remove a guard. */
export type Patch = (file: string, text: string) => string;

/**
 * As much of D1 as the service uses, on SQLite in memory. There is one session and no network, and nothing
 * is lost.
 */
export class ThinStore implements Store {
  #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #random: Random;

  /** `random` replaces the random functions of SQL. */
  constructor(random: Random, patch: Patch = (_, text) => text) {
    this.#random = random;
    this.#db = this.#open();
    createTables(
      this.#db,
      MIGRATIONS.map(({ file, text }) => patch(`migrations/${file}`, text)),
    );
  }

  async batch(statements: readonly Statement[]): Promise<Row[][]> {
    this.#db.exec('BEGIN');
    try {
      const results = statements.map(({ text, params }) => this.#run(text, params));
      this.#db.exec('COMMIT');
      return results;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw asD1(error);
    }
  }

  async read(text: string, ...params: unknown[]): Promise<Row[]> {
    return this.#run(text, params);
  }

  async snapshot(): Promise<unknown> {
    return this.#db.serialize();
  }

  /** Free the memory. The store cannot be used any more. */
  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  async restore(snapshot: unknown): Promise<void> {
    this.close();
    this.#db = this.#open();
    this.#db.deserialize(snapshot as Uint8Array);
  }

  #open(): DatabaseSync {
    const db = new DatabaseSync(':memory:');
    db.function('randomblob', (size) =>
      Uint8Array.from({ length: Number(size) }, () => this.#random.below(256)),
    );
    db.function('random', () => this.#random.below(2 ** 32));
    return db;
  }

  #run(text: string, params: readonly unknown[]): Row[] {
    if (params.length > PARAMETERS_MAXIMUM) throw new Error(`too many SQL variables: ${params.length}`);
    if (text.length > STATEMENT_BYTES_MAXIMUM) throw new Error('statement too long');
    let statement = this.#statements.get(text);
    if (!statement) {
      if (this.#statements.size > STATEMENTS_CACHED) this.#statements.clear();
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement.all(...params.map(bound)) as Row[];
  }
}

/** Numbers are bound as reals, as in D1. */
function bound(value: unknown): SQLInputValue {
  if (value === undefined) throw new Error("D1_TYPE_ERROR: Type 'undefined' not supported for value");
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}

/** An error of SQLite with the message that D1 gives it. */
function asD1(error: unknown): Error {
  const { message, errcode } = error as { message: string; errcode?: number };
  const constraint = CONSTRAINTS.get(errcode ?? 0);
  const code = constraint ? `SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_${constraint})` : 'SQLITE_ERROR';
  return new Error(`D1_ERROR: ${message}: ${code}`, { cause: new Error(`${message}: ${code}`) });
}
