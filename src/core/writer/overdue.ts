import { type SQL, sql } from 'drizzle-orm';
import { unscopedAsk } from '../lib/database.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { WriterEnv } from './binding.ts';
import { writerOf } from './client.ts';

/**
 * A query over all organizations: the `uuid` of each whose work has waited since a date or longer (epoch
 * milliseconds).
 */
export type Overdue = (before: number) => SQL;

/** Work that is overdue by more than this counts as work without an alarm. */
const LATE_MS = 10 * SECOND_MS;
/** The maximum number of organizations that one run of the schedule wakes. */
const ORGANIZATIONS_MAXIMUM = 500;
/** The maximum number of organizations that are woken at the same time. */
const WOKEN_AT_ONCE = 20;

/** The organizations with overdue work. If there are too many, each run takes a random selection. */
export const overdueQuery = (query: Overdue, now: number): SQL<{ uuid: string }> =>
  sql`SELECT DISTINCT uuid FROM (${query(now - LATE_MS)}) ORDER BY random() LIMIT ${ORGANIZATIONS_MAXIMUM}`;

/**
 * Wake the objects of a database's organizations that have overdue work. Their alarm may be lost with the object's
 * storage, or may never have been set. The work must not wait for the next write. For the scheduled handler.
 */
export async function runOverdueJobs(
  env: WriterEnv,
  db: D1Database,
  overdue: readonly Overdue[],
  now: number,
): Promise<void> {
  const asked = overdue.map((query, index) => [index, overdueQuery(query, now)] as const);
  const rows = await unscopedAsk(db, Object.fromEntries(asked));
  const late = [...new Set(Object.values(rows).flatMap((some) => some.map(({ uuid }) => uuid)))];
  const found = late.slice(0, ORGANIZATIONS_MAXIMUM);
  for (let next = 0; next < found.length; next += WOKEN_AT_ONCE) {
    await Promise.all(
      found.slice(next, next + WOKEN_AT_ONCE).map(async (uuid) => {
        try {
          await writerOf(env, uuid).scheduleJobs(Date.now());
        } catch (error) {
          // The next run finds it again.
          console.warn(JSON.stringify({ organization: uuid, wake: String(error) }));
        }
      }),
    );
  }
}
