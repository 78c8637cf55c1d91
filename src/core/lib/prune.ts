/** The maximum number of rows that one statement deletes. D1 allows a statement 30 seconds. */
const PRUNE_ROWS = 5_000;

/**
 * Delete the rows of all organizations that are older than `before` (epoch milliseconds). For the scheduled handler.
 */
export async function pruneRows(
  db: D1Database,
  table:
    | 'idempotency'
    | 'scan'
    | 'event'
    | 'operation'
    | 'operation_item'
    | 'dead_letter'
    | 'session'
    | 'ended_session'
    | 'sign_in_attempt'
    | 'gate_turn'
    | 'gate_tablet',
  column: 'expires_date' | 'create_date' | 'event_date' | 'finish_date' | 'revoked_date',
  before: number,
  /** A further condition on the rows. */
  condition = 'TRUE',
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { meta } = await db
      .prepare(
        `DELETE FROM ${table} WHERE rowid IN
          (SELECT rowid FROM ${table} WHERE ${column} < ?1 AND ${condition} LIMIT ${PRUNE_ROWS})`,
      )
      .bind(before)
      .run();
    deleted += meta.changes;
    if (meta.changes < PRUNE_ROWS) return deleted;
  }
}
