import { MINUTE_MS } from '../../core/lib/time.ts';
import { rowsFrom } from './rows.ts';
import { dropTriggers } from './triggers.ts';

/** An export counts as abandoned if no page was read for this long. */
export const EXPORT_KEPT_MS = 5 * MINUTE_MS;

/** End the snapshot: drop the triggers and delete the preserved rows. May be repeated. */
export async function endSnapshot(db: D1Database, uuid: string): Promise<void> {
  await db.batch([
    ...dropTriggers(db, 'export', uuid),
    db.prepare('DELETE FROM export_row WHERE export_uuid = ?').bind(uuid),
    db.prepare('DELETE FROM export WHERE uuid = ?').bind(uuid),
  ]);
}

/** End the abandoned snapshots of a database. For the scheduled handler. */
export async function endLateSnapshots(db: D1Database, now: number): Promise<void> {
  const late = await rowsFrom(
    db.prepare('SELECT uuid FROM export WHERE renewed_date < ? LIMIT 100').bind(now - EXPORT_KEPT_MS),
  );
  for (const { uuid } of late) await endSnapshot(db, String(uuid));
}

/** The current snapshots of an organization. */
export const snapshotsOf = (db: D1Database, organization: string): Promise<Record<string, unknown>[]> =>
  rowsFrom(db.prepare('SELECT uuid FROM export WHERE organization_uuid = ?').bind(organization));
