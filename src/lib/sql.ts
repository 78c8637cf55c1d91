import { is, SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';

const dialect = new SQLiteSyncDialect();
/** A parameter may hold 2 MB; rows are sent in chunks well below it. Characters of JSON. */
const CHUNK_LENGTH = 500_000;

/** A statement as text, and what stands at its question marks. */
export interface Rendered {
  text: string;
  params: unknown[];
}

/** JSON of an array with each of which a statement does the same by itself: see `joined`. */
class Each {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Render a statement that is not yet. */
export function render(statement: SQL | Rendered): Rendered {
  if (!is(statement, SQL)) return statement;
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, params };
}

/** A statement as D1 is given it. */
export function sent(statement: SQL | Rendered): Rendered {
  const { text, params } = render(statement);
  return { text, params: params.map(bound) };
}

const bound = (param: unknown): unknown => (param instanceof Each ? param.json : param);

/**
 * One statement that does what two do one after the other: what it is given to do the same with each of is all that they
 * may differ in, and either may come first. Undefined for others.
 */
export function joined(one: Rendered, other: Rendered): Rendered | undefined {
  if (one.text !== other.text) return undefined;
  const open = one.params.findIndex((param) => param instanceof Each);
  if (!one.params.every((param, at) => at === open || param === other.params[at])) return undefined;
  const [first, second] = [one.params[open], other.params[open]];
  if (!(first instanceof Each && second instanceof Each)) return undefined;
  if (first.json.length + second.json.length > CHUNK_LENGTH) return undefined;
  const items = [first, second].map(({ json }) => json.slice(1, -1)).filter((text) => text !== '');
  return { text: one.text, params: one.params.with(open, new Each(`[${items.join(',')}]`)) };
}

/** What makes the text of an expression with `nameOf` instead of question marks, by their place. */
export const detacher = (nameOf: (place: number) => string): ((expression: SQL) => Rendered) => {
  const naming = Object.assign(new SQLiteSyncDialect(), { escapeParam: nameOf });
  return (expression) => {
    const { sql: text, params } = naming.sqlToQuery(expression);
    return { text, params: params.map(bound) };
  };
};

/** An expression without parameters, with its text made once. */
export const rendered = <T>(expression: SQL<T>): SQL<T> => {
  const { text, params } = render(expression);
  if (params.length > 0) throw new Error(`has parameters: ${text}`);
  return sql.raw(text) as SQL<T>;
};

/** `IN (…)` over a list of any length, as one parameter. */
export function inList(values: readonly (string | number)[]): SQL {
  return sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** `IN (…)` over the values of a JSON array, for a statement that does the same with each of them. */
export const inEach = (json: string): SQL => sql`IN (SELECT value FROM json_each(${new Each(json)}))`;

/** What stands in a JSON array, as a table `given` of rows `key` and `value`: for a statement that does the same with each. */
export const givenEach = (json: string): SQL =>
  sql`given AS MATERIALIZED (SELECT key, value FROM json_each(${new Each(json)}))`;

/**
 * The same as a subquery, to be read in more than one column: `json_each` by itself makes the text of a value anew for each
 * of them.
 */
export const eachOf = (json: string): SQL => sql`(WITH ${givenEach(json)} SELECT key, value FROM given)`;

/** The same in a statement that is text already, and what stands at its question mark. */
export const EACH_OF = render(eachOf('[]')).text;
export const eachIn = (json: string): unknown => new Each(json);

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
