import { onlyIf } from '../database/arrival.ts';
import { rowsOf } from '../database/rows.ts';
import { TENANT_ROWS } from '../database/tenant.ts';
import { Database } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { capturing, endCapture } from './capture.ts';
import { openRelocations } from './store.ts';

/**
 * Have nothing be written down any more in a database for moves that are not under way: where one of the databases was
 * put back, a move may be forgotten that had begun to. A move that begins meanwhile has another claim. For the scheduled
 * handler.
 */
export async function sweepCaptures(databases: Databases, name: string): Promise<void> {
  const db = databases.named(name);
  const found = await rowsOf(capturing(db));
  if (found.length === 0) return;
  const open = await openRelocations(new Database(NO_ORGANIZATION, databases), Number.MAX_SAFE_INTEGER);
  const moving = new Set<unknown>(open.map(({ organization }) => organization));
  for (const { organization, claim } of found) {
    if (moving.has(organization)) continue;
    await db.batch([
      db.prepare(onlyIf('arrival_claim IS ?2')).bind(organization, claim),
      ...endCapture(db, String(organization), TENANT_ROWS),
    ]);
  }
}
