import { type SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';

const dialect = new SQLiteSyncDialect();
/** A parameter may hold 2 MB; rows are sent in chunks well below it. Characters of JSON. */
const CHUNK_LENGTH = 500_000;

/** A statement as D1 is given it. */
export interface Rendered {
  text: string;
  params: unknown[];
}

/** Render a statement. */
export function render(statement: SQL): Rendered {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  return { text, params };
}

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

/**
 * What stands in a JSON array, as rows `key` and `value`, to be read in more than one column: `json_each` by itself makes
 * the text of a value anew for each of them.
 */
export const eachOf = (json: string): SQL =>
  sql`(WITH given AS MATERIALIZED (SELECT key, value FROM json_each(${json})) SELECT key, value FROM given)`;

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
