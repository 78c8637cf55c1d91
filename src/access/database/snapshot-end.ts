import { MINUTE_MS } from '../../core/lib/time.ts';
import { rowsFrom } from './rows.ts';
import { dropTriggers } from './triggers.ts';

/** An export counts as abandoned if no page was read for this long. */
export const EXPORT_KEPT_MS = 5 * MINUTE_MS;
/** The maximum number of triggers that a run of the schedule drops. A snapshot has about 130 of them. */
const TRIGGERS_AT_ONCE = 40;

/**
 * End the snapshot: drop the triggers and delete the preserved rows. May be repeated. Returns whether that was all. If
 * only some triggers are dropped, the row of the snapshot stays, so that the others are found.
 */
export async function endSnapshot(
  db: D1Database,
  uuid: string,
  maximum = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const drops = await dropTriggers(db, 'export', uuid, maximum);
  const isAll = drops.length < maximum;
  const rest = [
    db.prepare('DELETE FROM export_row WHERE export_uuid = ?').bind(uuid),
    db.prepare('DELETE FROM export WHERE uuid = ?').bind(uuid),
  ];
  // Without some of its triggers, the snapshot must not be read any more.
  const ended = db.prepare('UPDATE export SET renewed_date = 0 WHERE uuid = ?').bind(uuid);
  await db.batch([...(isAll ? rest : [ended]), ...drops]);
  return isAll;
}

/** End an abandoned snapshot of a database, or drop some of its triggers. For the scheduled handler. */
export async function endLateSnapshot(db: D1Database, now: number): Promise<void> {
  const [late] = await rowsFrom(
    db
      .prepare('SELECT uuid FROM export WHERE renewed_date < ? ORDER BY renewed_date LIMIT 1')
      .bind(now - EXPORT_KEPT_MS),
  );
  if (late) await endSnapshot(db, String(late['uuid']), TRIGGERS_AT_ONCE);
}

/** The current snapshots of an organization. */
export const snapshotsOf = (db: D1Database, organization: string): Promise<Record<string, unknown>[]> =>
  rowsFrom(db.prepare('SELECT uuid FROM export WHERE organization_uuid = ?').bind(organization));

/** The number of current snapshots of a database. */
export async function runningSnapshots(db: D1Database): Promise<number> {
  const [row] = await rowsFrom(db.prepare('SELECT count(*) AS count FROM export'));
  return Number(row!['count']);
}
