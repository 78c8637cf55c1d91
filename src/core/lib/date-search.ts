import { type SQL, sql } from 'drizzle-orm';
import { seeking } from './sql.ts';
import { MINUTE_MS } from './time.ts';

/**
 * How far back in time a row may be dated, compared with an earlier row. The clocks of two machines differ by less.
 */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** Rows whose dates ascend with their numbers. */
export interface Dated {
  table: SQL;
  /** The column with the number. An index finds a row by it. */
  number: SQL;
  /** The column with the date (epoch milliseconds). */
  date: SQL;
  /** The condition that selects the rows; by default all rows of the table. */
  where?: SQL;
}

/**
 * An SQL expression: a number such that all rows before it are dated before `date`. It is a binary search, so it reads
 * about two rows for each doubling of the table, and no index has to contain the dates.
 */
export function firstSince({ table, number, date, where = sql`TRUE` }: Dated, since: SQL | number): SQL {
  const rowAt = sql`(SELECT min(${number}) FROM ${table} WHERE ${where} AND ${seeking(sql`${number} >= (low + high) / 2`)})`;
  const isAfter = sql`(${number} >= high OR ${date} >= ${since})`;
  return sql`(WITH RECURSIVE search (low, high) AS (
      SELECT coalesce((SELECT min(${number}) FROM ${table} WHERE ${where}), 0),
        coalesce((SELECT max(${number}) FROM ${table} WHERE ${where}), -1) + 1
      UNION ALL
      SELECT iif(${isAfter}, low, ${number} + 1), iif(${isAfter}, (low + high) / 2, high)
      FROM search CROSS JOIN ${table} WHERE low < high AND ${where} AND ${number} = ${rowAt})
    SELECT max(low) FROM search)`;
}

/**
 * An SQL condition: only numbers of rows that may be dated in this range are left. It does not replace the range.
 * `number` is the column with the number in the outer query.
 */
export const numberedIn = (
  rows: Dated,
  { after, before }: { after?: number | undefined; before?: number | undefined },
  number: SQL = rows.number,
): SQL | undefined => {
  const conditions = [
    after === undefined
      ? undefined
      : seeking(sql`${number} >= ${firstSince(rows, after - CLOCK_DIFFERENCE_MS)}`),
    before === undefined
      ? undefined
      : seeking(sql`${number} < ${firstSince(rows, before + CLOCK_DIFFERENCE_MS)}`),
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` AND `);
};
