import type { SQL } from 'drizzle-orm';
import { type AskResult, type Asks, type RowsOf, rowsOfAsks, statementsOf } from './asks.ts';
import {
  BETWEEN,
  betweenDatabases,
  type Databases,
  forwardedTo,
  guard,
  isFrozen,
  isNowhere,
  MAIN,
} from './databases.ts';
import { missing } from './missing.ts';
import { ProblemError } from './problem.ts';
import { Scope } from './scope.ts';
import { forD1, type Rendered, render, type Statement } from './sql.ts';
import { outage, retried } from './store.ts';

/** Matches a statement that only reads. */
const READ = /^\s*SELECT\b/i;

/**
 * The only access to an organization's rows. It throws if a statement does not carry the organization. It sends each
 * batch to the database that holds the organization (`guard`). It counts round trips and rows, which are charged to the
 * request.
 */
export class Database extends Scope {
  readonly #databases: Databases;
  readonly #from: string;
  readonly #retryReads: boolean;
  readonly #at: string | undefined;
  #session: { databaseName: string; session: D1DatabaseSession } | undefined;
  /** The number of calls to D1 so far. */
  roundTrips = 0;
  /** Rows that D1 read and wrote for these calls, as billed. */
  rowsRead = 0;
  rowsWritten = 0;

  /**
   * `retryReads`: retry reads while the store fails, for callers that cannot start again. `from`: the bookmark of an
   * earlier answer. The nearest replica that is at least as recent may then answer; without a bookmark the primary
   * answers. `at`: the name of the database, for statements that belong to no organization.
   */
  constructor(
    organization: string,
    databases: Databases,
    {
      retryReads = false,
      from = 'first-primary',
      at,
    }: { retryReads?: boolean; from?: string; at?: string } = {},
  ) {
    super(organization);
    this.#at = at;
    this.#databases = databases;
    this.#from = from;
    this.#retryReads = retryReads;
  }

  /**
   * The position of the last statement in the log of its database (`x-d1-bookmark`); null before the first statement.
   */
  get bookmark(): string | null {
    const bookmark = this.#session?.session.getBookmark() ?? null;
    return bookmark === null || this.#session!.databaseName === MAIN
      ? bookmark
      : `${this.#session!.databaseName}:${bookmark}`;
  }

  #render(statement: Statement): Rendered {
    const made = render(statement);
    if (!made.params.includes(this.organization)) {
      throw new Error(`statement without organization: ${made.text}`);
    }
    return made;
  }

  /** Run statements in one transaction and one round trip: all of them take effect or none. */
  async send<Row>(statements: readonly Statement<Row>[]): Promise<AskResult<Row>[]> {
    if (statements.length === 0) return [];
    const rendered = statements.map((statement) => this.#render(statement));
    const reads = rendered.every(({ text }) => READ.test(text));
    const ask = () => this.#sendWhereItLives<Row>(rendered, !reads);
    const results = await (reads && this.#retryReads ? retried(ask) : ask());
    return results.map(({ results: rows, meta }) => {
      this.rowsRead += meta.rows_read;
      this.rowsWritten += meta.rows_written;
      return { rows, rowsRead: meta.rows_read, rowsWritten: meta.rows_written };
    });
  }

  /**
   * Send a batch to the last known database of the organization. If the guard names another database, send it there.
   */
  async #sendWhereItLives<Row>(statements: readonly Rendered[], writes: boolean): Promise<D1Result<Row>[]> {
    const deadline = Date.now() + BETWEEN.maximumMs;
    for (let calls = 1; ; calls += 1) {
      const databaseName = this.#at ?? this.#databases.databaseNameOf(this.organization);
      try {
        return await this.#sendTo<Row>(databaseName, statements, writes);
      } catch (error) {
        if (isFrozen(error)) throw outage('The organization is about to move.');
        if (isNowhere(error)) {
          this.#databases.remember(this.organization, MAIN);
          throw new ProblemError(missing('organizationNotFound', this.organization));
        }
        const other = forwardedTo(error);
        if (other === undefined) throw error;
        if (Date.now() > deadline) throw betweenDatabases();
        this.#databases.remember(this.organization, other);
        // One redirection is usual. More mean that the organization is being moved.
        if (calls > 1) await new Promise((resolve) => setTimeout(resolve, BETWEEN.pauseMs));
      }
    }
  }

  async #sendTo<Row>(
    databaseName: string,
    rendered: readonly Rendered[],
    writes: boolean,
  ): Promise<D1Result<Row>[]> {
    if (this.#session?.databaseName !== databaseName) {
      const session = this.#databases.named(databaseName).withSession(constraintIn(databaseName, this.#from));
      this.#session = { databaseName, session };
    }
    const { session } = this.#session;
    const guarding = guard(this.organization, databaseName, writes);
    const statements = rendered.map((statement) => prepared(session, statement));
    this.roundTrips += 1;
    await this.#databases.reserve(statements.length + 1);
    if (guarding === undefined) return session.batch<Row>(statements);
    const results = await session.batch<Row>([
      session.prepare(guarding).bind(this.organization),
      ...statements,
    ]);
    return results.slice(1);
  }

  /** Wait until the invocation may make this many D1 queries (`QueryBudget`). For calls that bypass this class. */
  async reserve(queries: number): Promise<void> {
    await this.#databases.reserve(queries);
  }

  /** The rows of several reads, in one round trip. */
  async ask<A extends Asks>(asks: A): Promise<RowsOf<A>> {
    return rowsOfAsks(asks, await this.send(statementsOf(asks)));
  }

  /** The rows of one statement. */
  async all<Row>(statement: SQL<Row>): Promise<Row[]> {
    const [result] = await this.send([statement]);
    return result!.rows;
  }

  /** The first row of one statement. */
  async first<Row>(statement: SQL<Row>): Promise<Row | undefined> {
    return (await this.all(statement))[0];
  }
}

function prepared(session: D1DatabaseSession, statement: Statement): D1PreparedStatement {
  const { text, params } = forD1(statement);
  return session.prepare(text).bind(...params);
}

/**
 * The session constraint for a read in a database: the bookmark if it belongs to that database, else the primary. A
 * bookmark names its database, except for `DB`.
 */
function constraintIn(databaseName: string, from: string): string {
  const [bookmark, name = MAIN] = from.split(':').reverse();
  return name === databaseName ? bookmark! : 'first-primary';
}

/**
 * Read from one database without the scope of an organization. Used by schedules, which look for organizations with
 * work, and by look-ups (`look-up.ts`). It retries while the store fails.
 */
export const unscoped = async <Row>(db: D1Database, statement: SQL<Row>): Promise<Row[]> =>
  (await unscopedAsk(db, { rows: statement })).rows;

/** The same for several reads, in one round trip. */
export async function unscopedAsk<A extends Asks>(db: D1Database, asks: A): Promise<RowsOf<A>> {
  const session = db.withSession('first-primary');
  const statements = statementsOf(asks).map((statement) => prepared(session, statement));
  const results = await retried(() => session.batch(statements));
  return rowsOfAsks(
    asks,
    results.map(({ results: rows, meta }) => ({
      rows,
      rowsRead: meta.rows_read,
      rowsWritten: meta.rows_written,
    })),
  );
}
