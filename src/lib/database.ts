import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Databases, forwardedTo, guard, isFrozen, isNowhere, MAIN } from './databases.ts';
import { ProblemError, refusal } from './problem.ts';
import { patiently } from './store.ts';
import { SECOND_MS } from './time.ts';

/** One statement of a commit; made by the `Database` below, run by the writer's commit only. */
export type Write = SQL;

/** A table whose rows belong to an organization. */
export type TenantTable = SQLiteTable & { organizationUuid: SQL.Aliased | object };

/** Which rows a statement means: a condition, or the uuids of any number of them. */
export type Rows = SQL | { uuids: readonly string[] };

const dialect = new SQLiteSyncDialect();
/** A parameter may hold 2 MB; rows are sent in chunks well below it. Characters of JSON. */
const CHUNK_LENGTH = 500_000;
/** A statement that changes nothing, however often it is run. */
const READ = /^\s*SELECT\b/i;

/** The row that a statement declares: `sql<Row>`. */
type RowOf<S> = S extends SQL<infer Row> ? Row : never;

/** What is asked of the store, by name; several statements under one name give their rows one after the other. */
export type Asks = Readonly<Record<string, SQL | readonly SQL[] | undefined>>;

/** The rows that asks are answered with; none for what was not asked. */
export type RowsOf<A extends Asks> = {
  readonly [K in keyof A]-?: RowOf<A[K] extends readonly (infer S)[] ? S : NonNullable<A[K]>>[];
};

/** The statements of asks, in their order. */
export const statementsOf = (asks: Asks): SQL[] =>
  Object.values(asks).flatMap((asked): readonly SQL[] =>
    asked === undefined ? [] : isList(asked) ? asked : [asked],
  );

/** The rows of asks, out of the results of their statements. */
export function rowsOf<A extends Asks>(asks: A, results: readonly Result[]): RowsOf<A> {
  let index = 0;
  return Object.fromEntries(
    Object.entries(asks).map(([name, asked]) => {
      const count = asked === undefined ? 0 : isList(asked) ? asked.length : 1;
      const rows = results.slice(index, index + count).flatMap((result) => result.rows);
      index += count;
      return [name, rows];
    }),
  ) as RowsOf<A>;
}

const isList = (asked: SQL | readonly SQL[]): asked is readonly SQL[] => Array.isArray(asked);

/** An expression without parameters, with its text made once. */
export const rendered = <T>(expression: SQL<T>): SQL<T> => {
  const { sql: text, params } = dialect.sqlToQuery(expression);
  if (params.length > 0) throw new Error(`has parameters: ${text}`);
  return sql.raw(text) as SQL<T>;
};

/** The text of an insertion: where into, and the values, in pieces between which what stands in the place of null goes. */
interface Insertion {
  into: SQL;
  values: readonly SQL[];
}

const insertions = new WeakMap<SQLiteTable, Map<string, Insertion>>();

/** The text of an insertion of these keys, `open` those with something in the place of null; made once for each. */
function insertionOf(table: SQLiteTable, keys: readonly string[], open: readonly string[]): Insertion {
  const ofTable = insertions.get(table) ?? new Map<string, Insertion>();
  insertions.set(table, ofTable);
  const name = `${keys}:${open}`;
  const known = ofTable.get(name);
  if (known) return known;
  const columns = getTableColumns(table);
  const names = keys.map((key) => sql.identifier(columns[key]!.name));
  const values = keys
    .map((key) => {
      const given = `json_extract(value, '$.${key}')`;
      return open.includes(key) ? `coalesce(${given}, \0)` : given;
    })
    .join(', ')
    .split('\0');
  const made = {
    into: rendered(
      sql`INSERT INTO ${sql.identifier(getTableName(table))} (organization_uuid, ${sql.join(names, sql`, `)})`,
    ),
    values: values.map((piece) => sql.raw(piece)),
  };
  ofTable.set(name, made);
  return made;
}

/**
 * The rows of one organization, as statements about them are made: nothing here reads or writes. Every statement
 * carries the organization as a parameter.
 *
 * D1 takes 100 parameters a statement, so lists travel as one JSON parameter through `json_each`.
 */
export class Scope {
  readonly organization: string;

  constructor(organization: string) {
    this.organization = organization;
  }

  /**
   * Insert rows, however many, adding the organization to each. No statement for no rows. `otherwise` is what stands
   * where a row has null.
   */
  insert<T extends TenantTable>(
    table: T,
    rows: Omit<InferInsertModel<T>, 'organizationUuid'>[],
    otherwise: { [K in keyof InferInsertModel<T>]?: SQL } = {},
  ): Write[] {
    const keys = Object.keys(getTableColumns(table)).filter(
      (key) => key !== 'organizationUuid' && rows.some((row) => key in row),
    );
    const open = keys.filter((key) => key in otherwise);
    const { into, values } = insertionOf(table, keys, open);
    const others = open.map((key) => (otherwise as Record<string, SQL>)[key]!);
    const given = sql.join(values.flatMap((piece, at) => (at === 0 ? [piece] : [others[at - 1]!, piece])));
    return jsonChunks(rows).map(
      (json) => sql`${into}
        SELECT ${this.organization}, ${given} FROM json_each(${json})`,
    );
  }

  /** Update the organization's rows that are meant. */
  update<T extends TenantTable>(
    table: T,
    set: { [K in keyof InferInsertModel<T>]?: InferInsertModel<T>[K] | SQL },
    rows: Rows,
  ): Write {
    const columns = getTableColumns(table) as Record<string, { name: string }>;
    const assignments = sql.join(
      Object.entries(set).map(([key, value]) => sql`${sql.identifier(columns[key]!.name)} = ${value}`),
      sql`, `,
    );
    return sql`UPDATE ${sql.identifier(getTableName(table))} SET ${assignments} WHERE ${this.#meant(rows)}`;
  }

  /** Update rows of the organization, however many, each to values of its own; all rows set the same columns. */
  updateEach<T extends TenantTable>(
    table: T,
    rows: ({ uuid: string } & { [K in keyof InferInsertModel<T>]?: InferInsertModel<T>[K] })[],
  ): Write[] {
    const columns = getTableColumns(table) as Record<string, { name: string }>;
    const keys = Object.keys(rows[0] ?? {}).filter((key) => key !== 'uuid');
    const assignments = sql.join(
      keys.map(
        (key) =>
          sql`${sql.identifier(columns[key]!.name)} = json_extract(each.value, ${sql.raw(`'$.${key}'`)})`,
      ),
      sql`, `,
    );
    return jsonChunks(rows).map(
      (
        json,
      ) => sql`UPDATE ${sql.identifier(getTableName(table))} SET ${assignments} FROM json_each(${json}) each
        WHERE ${sql.identifier(getTableName(table))}.uuid = json_extract(each.value, '$.uuid')
          AND +organization_uuid = ${this.organization}`,
    );
  }

  /** Delete the organization's rows that are meant. */
  remove(table: TenantTable, rows: Rows): Write {
    return sql`DELETE FROM ${sql.identifier(getTableName(table))} WHERE ${this.#meant(rows)}`;
  }

  /** Rows that are named are found by primary key: the plus keeps SQLite from walking the organization for them. */
  #meant(rows: Rows): SQL {
    return 'uuids' in rows
      ? sql`uuid ${inList(rows.uuids)} AND +organization_uuid = ${this.organization}`
      : sql`organization_uuid = ${this.organization} AND ${rows}`;
  }
}

/** What one statement of a batch came to. */
export interface Result<Row = unknown> {
  rows: Row[];
  /** Rows that D1 read for it, as it bills them. */
  rowsRead: number;
}

/** How long an organization that is between two databases is looked for. */
const BETWEEN_MS = 2 * SECOND_MS;
const BETWEEN_PAUSE_MS = 20;

/** A statement as D1 is given it. */
interface Rendered {
  text: string;
  params: unknown[];
}

/**
 * The only way to an organization's rows: a statement that does not carry the organization is refused here, and each
 * batch is sent to where the organization lives (`guard`). Counts its round trips and rows, which the benchmark prints.
 */
export class Database extends Scope {
  readonly #databases: Databases;
  readonly #from: string;
  readonly #patient: boolean;
  readonly #at: string | undefined;
  #session: { place: string; session: D1DatabaseSession } | undefined;
  /** Calls to D1 so far. */
  roundTrips = 0;
  /** Rows that D1 read or wrote for them, as it bills them. */
  rowsRead = 0;
  rowsWritten = 0;

  /**
   * `patient`: what only reads is asked again while the store fails, for who has no way of its own to begin anew. `from`:
   * the bookmark of an earlier answer, for the nearest replica that has it to answer; else the primary does. `at`: the
   * database, for what belongs to no organization.
   */
  constructor(
    organization: string,
    databases: Databases,
    { patient = false, from = 'first-primary', at }: { patient?: boolean; from?: string; at?: string } = {},
  ) {
    super(organization);
    this.#at = at;
    this.#databases = databases;
    this.#from = from;
    this.#patient = patient;
  }

  /** Position of the last statement in the log of its database (`x-d1-bookmark`); null before the first one. */
  get bookmark(): string | null {
    const bookmark = this.#session?.session.getBookmark() ?? null;
    return bookmark === null || this.#session!.place === MAIN
      ? bookmark
      : `${this.#session!.place}:${bookmark}`;
  }

  #render(statement: SQL): Rendered {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    if (!params.includes(this.organization)) throw new Error(`statement without organization: ${text}`);
    return { text, params };
  }

  /** All statements in one transaction: either every one of them took effect or none. One round trip. */
  async send<Row>(statements: readonly SQL<Row>[]): Promise<Result<Row>[]> {
    const rendered = statements.map((statement) => this.#render(statement));
    const reads = rendered.every(({ text }) => READ.test(text));
    const ask = () => this.#sendWhereItLives<Row>(rendered, !reads);
    const results = await (reads && this.#patient ? patiently(ask) : ask());
    return results.map(({ results: rows, meta }) => {
      this.rowsRead += meta.rows_read;
      this.rowsWritten += meta.rows_written;
      return { rows, rowsRead: meta.rows_read };
    });
  }

  /** Send to where the organization is taken to live, and on to where that turns out to be. */
  async #sendWhereItLives<Row>(statements: readonly Rendered[], writes: boolean): Promise<D1Result<Row>[]> {
    const deadline = Date.now() + BETWEEN_MS;
    for (let calls = 1; ; calls += 1) {
      const place = this.#at ?? this.#databases.placeOf(this.organization);
      try {
        return await this.#sendTo<Row>(place, statements, writes);
      } catch (error) {
        if (isFrozen(error)) throw new Error('D1 DB: the organization is about to move');
        if (isNowhere(error)) {
          this.#databases.remember(this.organization, MAIN);
          throw new ProblemError(refusal('organizationNotFound', 'There is no such organization.'));
        }
        const other = forwardedTo(error);
        if (other === undefined) throw error;
        if (Date.now() > deadline) throw new Error('D1 DB: the organization is between two databases');
        this.#databases.remember(this.organization, other);
        // Once is usual; who is sent to and fro meets it on its way.
        if (calls > 1) await new Promise((resolve) => setTimeout(resolve, BETWEEN_PAUSE_MS));
      }
    }
  }

  async #sendTo<Row>(
    place: string,
    rendered: readonly Rendered[],
    writes: boolean,
  ): Promise<D1Result<Row>[]> {
    if (this.#session?.place !== place) {
      const session = this.#databases.named(place).withSession(constraintIn(place, this.#from));
      this.#session = { place, session };
    }
    const { session } = this.#session;
    const guarding = guard(this.organization, place, writes);
    const statements = rendered.map(({ text, params }) => session.prepare(text).bind(...params));
    this.roundTrips += 1;
    if (guarding === undefined) return session.batch<Row>(statements);
    const results = await session.batch<Row>([
      session.prepare(guarding).bind(this.organization),
      ...statements,
    ]);
    return results.slice(1);
  }

  /** The rows of what is asked, in one round trip. */
  async ask<A extends Asks>(asks: A): Promise<RowsOf<A>> {
    return rowsOf(asks, await this.send(statementsOf(asks)));
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

/** What a read in a database has to see: a bookmark says so of the database that it is of, which it names if not `DB`. */
function constraintIn(place: string, from: string): string {
  const [bookmark, name = MAIN] = from.split(':').reverse();
  return name === place ? bookmark! : 'first-primary';
}

/**
 * The rows of a read in one database that no organization is asked for: that of the organizations that a schedule has
 * something to do for, and look-ups (`look-up.ts`). Asked again while the store fails.
 */
export const unscoped = async <Row>(db: D1Database, statement: SQL<Row>): Promise<Row[]> =>
  (await unscopedAsk(db, { rows: statement })).rows;

/** The rows of several such reads, in one round trip. */
export async function unscopedAsk<A extends Asks>(db: D1Database, asks: A): Promise<RowsOf<A>> {
  const session = db.withSession('first-primary');
  const prepared = statementsOf(asks).map((statement) => {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    return session.prepare(text).bind(...params);
  });
  const results = await patiently(() => session.batch(prepared));
  return rowsOf(
    asks,
    results.map(({ results: rows, meta }) => ({ rows, rowsRead: meta.rows_read })),
  );
}

/** `IN (…)` over a list of any length, as one parameter. */
export function inList(values: readonly (string | number)[]): SQL {
  return sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** A UUID version 7 made by SQLite, for rows that an INSERT … SELECT finds by itself. */
export function sqlUuid(now: number): SQL {
  const time = now.toString(16).padStart(12, '0');
  const prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  return sql`${prefix} || substr(lower(hex(randomblob(2))), 2) || '-' ||
    substr('89ab', 1 + (abs(random()) % 4), 1) || substr(lower(hex(randomblob(2))), 2) || '-' ||
    lower(hex(randomblob(6)))`;
}

/** Rows as JSON arrays that each fit a parameter. */
export function jsonChunks(rows: object[]): string[] {
  const texts: string[] = [];
  let current: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > CHUNK_LENGTH && current.length > 0) {
      texts.push(`[${current.join(',')}]`);
      current = [];
      length = 0;
    }
    current.push(text);
    length += text.length + 1;
  }
  if (current.length > 0) texts.push(`[${current.join(',')}]`);
  return texts;
}
