import { is, SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { uuidStart } from './id.ts';

const dialect = new SQLiteSyncDialect();
/** The maximum characters of JSON in one parameter. D1 takes 2 MB; chunks stay well below that. */
const CHUNK_LENGTH = 500_000;

/** The text of a statement, and the values of its question marks. */
export interface Rendered {
  text: string;
  params: unknown[];
}

/** A statement, rendered or not yet. `Row` is the type of its rows, if declared. */
export type Statement<Row = unknown> = SQL<Row> | Rendered;

/**
 * A parameter that holds a JSON array, for a statement that handles each item independently. Two statements that differ
 * only in this parameter can be merged: see `mergedStatement`.
 */
class RowsParam {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** The text and parameters of a statement. */
export function render(statement: Statement): Rendered {
  if (!is(statement, SQL)) return statement;
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, params };
}

/** The text and parameters of a statement, in the form that D1 takes. */
export function forD1(statement: Statement): Rendered {
  const { text, params } = render(statement);
  return { text, params: params.map(bound) };
}

const bound = (param: unknown): unknown => (param instanceof RowsParam ? param.json : param);

/**
 * Merge two statements into one with the effect of both. They may differ only in the first rows parameter (`inRows`,
 * `withRows`, `rowsTable`, `rowsParam`), and its items are concatenated. Undefined if they differ otherwise, or the
 * parameter would become too long.
 */
export function mergedStatement(one: Rendered, other: Rendered): Rendered | undefined {
  if (one.text !== other.text) return undefined;
  const open = one.params.findIndex((param) => param instanceof RowsParam);
  if (!one.params.every((param, at) => at === open || param === other.params[at])) return undefined;
  const [first, second] = [one.params[open], other.params[open]];
  if (!(first instanceof RowsParam && second instanceof RowsParam)) return undefined;
  if (first.json.length + second.json.length > CHUNK_LENGTH) return undefined;
  const items = [first, second].map(({ json }) => json.slice(1, -1)).filter((text) => text !== '');
  return { text: one.text, params: one.params.with(open, new RowsParam(`[${items.join(',')}]`)) };
}

/** A renderer that writes `nameOf(index)` into the text of an expression instead of each question mark. */
export const detacher = (nameOf: (index: number) => string): ((expression: SQL) => Rendered) => {
  const naming = Object.assign(new SQLiteSyncDialect(), { escapeParam: nameOf });
  return (expression) => {
    const { sql: text, params } = naming.sqlToQuery(expression);
    return { text, params: params.map(bound) };
  };
};

/** An expression without parameters, rendered once. */
export const rendered = <T>(expression: SQL<T>): SQL<T> => {
  const { text, params } = render(expression);
  if (params.length > 0) throw new Error(`has parameters: ${text}`);
  return sql.raw(text) as SQL<T>;
};

/** `IN (…)` over a list of any length, as one parameter. */
export function inList(values: readonly (string | number)[]): SQL {
  return sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** `IN (…)` over the values of a JSON array, in a statement that can be merged with others of its kind. */
export const inRows = (json: string): SQL => sql`IN (SELECT value FROM json_each(${new RowsParam(json)}))`;

/**
 * The items of a JSON array as a table `given` with the columns `key` and `value`, in a statement that can be merged
 * with others of its kind.
 */
export const withRows = (json: string): SQL =>
  sql`given AS MATERIALIZED (SELECT key, value FROM json_each(${new RowsParam(json)}))`;

/**
 * The same as a subquery. It is materialised, because `json_each` alone would serialise a value again for each column
 * that reads it.
 */
export const rowsTable = (json: string): SQL => sql`(WITH ${withRows(json)} SELECT key, value FROM given)`;

/** The text of `rowsTable`, and its parameter, for statements that are built as text. */
export const ROWS_TABLE = render(rowsTable('[]')).text;
export const rowsParam = (json: string): unknown => new RowsParam(json);

/**
 * An SQL condition that finds few rows. Where a view has bounds for the same column, SQLite would otherwise start at the
 * bounds of the view.
 */
export const seeking = (condition: SQL): SQL => sql`likelihood(${condition}, 0.001)`;

/** A UUID version 7 that SQLite generates, for rows inserted by INSERT … SELECT. */
export function sqlUuid(now: number): SQL {
  return sql`${`${uuidStart(now)}-7`} || substr(lower(hex(randomblob(2))), 2) || '-' ||
    substr('89ab', 1 + (abs(random()) % 4), 1) || substr(lower(hex(randomblob(2))), 2) || '-' ||
    lower(hex(randomblob(6)))`;
}

/** Rows as JSON arrays, split so that each array fits one parameter. */
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
