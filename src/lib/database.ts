import { getTableColumns, getTableName, type InferInsertModel, type SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { patiently } from './store.ts';

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

/**
 * The only way to an organization's rows. Every statement has to carry the organization as a parameter, and
 * is refused here otherwise. Counts its round trips and rows, which the benchmark prints.
 *
 * D1 takes 100 parameters a statement, so lists travel as one JSON parameter through `json_each`.
 */
export class Database {
  readonly organization: string;
  readonly #session: D1DatabaseSession;
  readonly #patient: boolean;
  /** Calls to D1 so far. */
  roundTrips = 0;
  /** Rows that D1 read or wrote for them, as it bills them. */
  rowsRead = 0;
  rowsWritten = 0;

  /** `patient`: what only reads is asked again while the store fails, for who has no way of its own to begin anew. */
  constructor(organization: string, session: D1DatabaseSession, { patient = false } = {}) {
    this.organization = organization;
    this.#session = session;
    this.#patient = patient;
  }

  /** Position of the last statement in D1's log (`x-d1-bookmark`); null before the first one. */
  get bookmark(): string | null {
    return this.#session.getBookmark();
  }

  #prepare(statement: SQL): { text: string; statement: D1PreparedStatement } {
    const { sql: text, params } = dialect.sqlToQuery(statement);
    if (!params.includes(this.organization)) throw new Error(`statement without organization: ${text}`);
    return { text, statement: this.#session.prepare(text).bind(...params) };
  }

  /** All statements in one transaction: either every one of them took effect or none. One round trip. */
  async batch<T extends unknown[][] = Record<string, unknown>[][]>(statements: SQL[]): Promise<T> {
    const prepared = statements.map((statement) => this.#prepare(statement));
    const ask = () => {
      this.roundTrips += 1;
      return this.#session.batch(prepared.map(({ statement }) => statement));
    };
    const again = this.#patient && prepared.every(({ text }) => READ.test(text));
    const results = await (again ? patiently(ask) : ask());
    for (const { meta } of results) {
      this.rowsRead += meta.rows_read;
      this.rowsWritten += meta.rows_written;
    }
    return results.map((result) => result.results) as T;
  }

  /** The rows of one statement. */
  async all<T>(statement: SQL): Promise<T[]> {
    const [rows] = await this.batch<[T[]]>([statement]);
    return rows;
  }

  /** The first row of one statement. */
  async first<T>(statement: SQL): Promise<T | undefined> {
    return (await this.all<T>(statement))[0];
  }

  /** Insert rows, however many, adding the organization to each. No statement for no rows. */
  insert<T extends TenantTable>(table: T, rows: Omit<InferInsertModel<T>, 'organizationUuid'>[]): Write[] {
    const columns = getTableColumns(table);
    const keys = Object.keys(columns).filter(
      (key) => key !== 'organizationUuid' && rows.some((row) => key in row),
    );
    const names = sql.join(
      keys.map((key) => sql.identifier((columns as Record<string, { name: string }>)[key]!.name)),
      sql`, `,
    );
    const values = sql.join(
      keys.map((key) => sql`json_extract(value, ${sql.raw(`'$.${key}'`)})`),
      sql`, `,
    );
    return chunks(rows).map(
      (json) => sql`INSERT INTO ${sql.identifier(getTableName(table))} (organization_uuid, ${names})
        SELECT ${this.organization}, ${values} FROM json_each(${json})`,
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
    return chunks(rows).map(
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

/**
 * The rows of a read that no organization is asked for, asked again while the store fails: the look-ups of a credential, session, account, link or public page's
 * token, which give the scope, and that of the organizations that a schedule has something to do for. Everything else
 * goes through `Database`.
 */
export async function unscoped<T>(session: D1DatabaseSession, statement: SQL): Promise<T[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const prepared = session.prepare(text).bind(...params);
  return (await patiently(() => prepared.all<T>())).results;
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
export function chunks(rows: object[]): string[] {
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
