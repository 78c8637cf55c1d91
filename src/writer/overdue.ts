import { type SQL, sql } from 'drizzle-orm';
import { unscopedAsk } from '../lib/database.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { WriterEnv } from './binding.ts';
import { writerOf } from './client.ts';

/** Organizations that something waits in since before an instant (epoch milliseconds), as `uuid`; over all of them. */
export type Overdue = (before: number) => SQL;

/** What waits for longer than that waits for an alarm that is not there. */
const LATE_MS = 10 * SECOND_MS;
/** Organizations that one run of the schedule wakes. */
const ORGANIZATIONS_MAXIMUM = 500;
/** Organizations that are woken at the same time. */
const WOKEN_AT_ONCE = 20;

/** Those of whom something is overdue; where they are too many, others in each run. */
export const overdueQuery = (query: Overdue, now: number): SQL<{ uuid: string }> =>
  sql`SELECT DISTINCT uuid FROM (${query(now - LATE_MS)}) ORDER BY random() LIMIT ${ORGANIZATIONS_MAXIMUM}`;

/**
 * Wake the objects of organizations of a database in which something waits that was due: an alarm that was lost with an object's
 * storage, or was never set, must not have it wait for the next write. For the scheduled handler.
 */
export async function wakeOverdue(
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
          await writerOf(env, uuid).wake(Date.now());
        } catch (error) {
          // The next run finds it again.
          console.warn(JSON.stringify({ organization: uuid, wake: String(error) }));
        }
      }),
    );
  }
}
