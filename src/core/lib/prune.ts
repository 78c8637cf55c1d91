import { sql } from 'drizzle-orm';
import { firstSince } from './date-search.ts';
import { forD1 } from './sql.ts';

/** The maximum number of rows that one statement deletes. D1 allows a statement 30 seconds. */
export const PRUNE_ROWS = 5_000;
/**
 * How often a run of the schedule deletes from a table. All tables together stay below the 1,000 statements of an
 * invocation. The next run deletes the rest.
 */
const PRUNES_MAXIMUM = 50;
/** The same for `pruneInOrder`, which needs a statement to find the rows, and one to delete them. */
const IN_ORDER = { rows: 2 * PRUNE_ROWS, times: PRUNES_MAXIMUM / 2 };

/** Run a statement that deletes at most `PRUNE_ROWS` rows until it finds fewer, or often enough. */
export async function pruned(deletion: D1PreparedStatement): Promise<number> {
  let deleted = 0;
  for (let times = 0; times < PRUNES_MAXIMUM; times += 1) {
    const { meta } = await deletion.run();
    deleted += meta.changes;
    if (meta.changes < PRUNE_ROWS) break;
  }
  return deleted;
}

/**
 * Delete the rows of all organizations that are older than `before` (epoch milliseconds), with an index on the date.
 * For the scheduled handler. It is for tables with few rows. Each row costs an index entry.
 */
export function pruneRows(
  db: D1Database,
  table:
    | 'operation'
    | 'dead_letter'
    | 'session'
    | 'ended_session'
    | 'sign_in_attempt'
    | 'gate_turn'
    | 'gate_tablet',
  column: 'expires_date' | 'create_date' | 'finish_date' | 'revoked_date',
  before: number,
): Promise<number> {
  return pruned(
    db
      .prepare(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${column} < ?1 LIMIT ${PRUNE_ROWS})`,
      )
      .bind(before),
  );
}

/** Tables whose rows are deleted in the order in which they were inserted. */
type InOrder = 'idempotency' | 'scan' | 'operation_part';

/** Which rows expire, and where to look for them. */
interface Expiry {
  column: 'expires_date' | 'create_date';
  before: number;
  /** A further condition on the rows. Rows that do not meet it are passed. */
  condition?: string;
  /** Start at the rows that were inserted at this date, instead of at the first row. */
  since?: number;
}

/**
 * Delete expired rows of all organizations, and return their number. For the scheduled handler. `rowid` ascends with the
 * time of insertion. So the expired rows are at the beginning, and no index has to contain their dates. The walk ends
 * where no row of a part is expired. Rows that came from another database are newer than their dates, and are deleted
 * later.
 */
export async function pruneInOrder(
  db: D1Database,
  table: InOrder,
  { column, before, condition = 'TRUE', since }: Expiry,
): Promise<number> {
  let deleted = 0;
  let start = since === undefined ? Number.MIN_SAFE_INTEGER : await firstRowSince(db, table, since);
  for (let times = 0; times < IN_ORDER.times; times += 1) {
    const part = await db
      .prepare(
        `SELECT max(id) AS last, count(*) AS size, coalesce(sum(date < ?2), 0) AS expired FROM
          (SELECT rowid AS id, ${column} AS date FROM ${table} WHERE rowid >= ?1 ORDER BY rowid LIMIT ${IN_ORDER.rows})`,
      )
      .bind(start, before)
      .first<{ last: number | null; size: number; expired: number }>();
    const { last, size, expired } = part!;
    if (last === null || expired === 0) return deleted;
    const { meta } = await db
      .prepare(`DELETE FROM ${table} WHERE rowid BETWEEN ?1 AND ?2 AND ${column} < ?3 AND ${condition}`)
      .bind(start, last, before)
      .run();
    deleted += meta.changes;
    if (size < IN_ORDER.rows) return deleted;
    start = last + 1;
  }
  return deleted;
}

/** The number of the first row that was inserted at this date or later. */
async function firstRowSince(db: D1Database, table: InOrder, date: number): Promise<number> {
  const rows = {
    table: sql.raw(table),
    number: sql.raw(`${table}.rowid`),
    date: sql.raw(`${table}.create_date`),
  };
  const { text, params } = forD1(sql`SELECT ${firstSince(rows, date)} AS first`);
  return (await db
    .prepare(text)
    .bind(...params)
    .first<{ first: number }>())!.first;
}
