/** The maximum number of rows that one statement deletes. D1 allows a statement 30 seconds. */
export const PRUNE_ROWS = 5_000;
/**
 * The rows of a part of `pruneWalking`, and the maximum number of parts. A part needs a statement to find its end, and one
 * to delete. Four tables with so many rows are more than the 10 GB of a database.
 */
const WALK = { rows: 50_000, times: 100 };

/** Run a statement that deletes at most `PRUNE_ROWS` rows until it finds fewer. @throws if the turn may make no more statements */
export async function pruned(deletion: D1PreparedStatement): Promise<number> {
  for (let deleted = 0; ; ) {
    const { meta } = await deletion.run();
    deleted += meta.changes;
    if (meta.changes < PRUNE_ROWS) return deleted;
  }
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

/** The primary keys of tables without an index on their dates. */
const KEYS = {
  idempotency: ['rowid'],
  operation_part: ['rowid'],
  recent_answer: ['id'],
  scan: ['organization_uuid', 'scan_id'],
} as const;

/** Which rows expire. */
interface Expiry {
  column: 'expires_date' | 'create_date';
  before: number;
  /** A further condition on the rows. */
  condition?: string;
}

/**
 * Delete expired rows of all organizations, and return their number. For the scheduled handler. Each run walks the whole
 * table by its primary key. Reading a row every day costs less than an index entry.
 */
export async function pruneWalking(
  db: D1Database,
  table: keyof typeof KEYS,
  { column, before, condition = 'TRUE' }: Expiry,
): Promise<number> {
  const names = KEYS[table];
  const key = names.join(', ');
  const values = (from: number): string => names.map((_, at) => `?${from + at}`).join(', ');
  const isExpired = `${column} < ?1 AND ${condition}`;
  let deleted = 0;
  let after: unknown[] = [];
  for (let times = 0; times < WALK.times; times += 1) {
    const behind = after.length === 0 ? 'TRUE' : `(${key}) > (${values(2)})`;
    const part = await db
      .prepare(
        `WITH part AS MATERIALIZED (SELECT ${key}, ${isExpired} AS is_expired FROM ${table} WHERE ${behind}
          ORDER BY ${key} LIMIT ${WALK.rows})
        SELECT ${key}, (SELECT sum(is_expired) FROM part) AS expired FROM part
        ORDER BY ${names.map((name) => `${name} DESC`).join(', ')} LIMIT 1`,
      )
      .bind(before, ...after)
      .first<Record<string, string | number>>();
    if (!part) break;
    const last = names.map((name) => part[name]);
    if (Number(part['expired']) > 0) {
      const { meta } = await db
        .prepare(
          `DELETE FROM ${table} WHERE ${behind} AND (${key}) <= (${values(2 + after.length)}) AND ${isExpired}`,
        )
        .bind(before, ...after, ...last)
        .run();
      deleted += meta.changes;
    }
    after = last;
  }
  return deleted;
}
