import { type SQL, sql } from 'drizzle-orm';
import { unscopedAsk } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { WriterEnv } from './binding.ts';
import { writerOf } from './client.ts';
import { callEach } from './each.ts';

/**
 * A query over all organizations: the `uuid` of each whose work has waited since a date or longer (epoch
 * milliseconds).
 */
export type Overdue = (before: number) => SQL;

/** Work that is overdue by more than this counts as work without an alarm. */
const LATE_MS = 10 * SECOND_MS;
/** The maximum number of organizations that one run of the schedule wakes. */
const ORGANIZATIONS_MAXIMUM = 500;
/** The organizations with overdue work. If there are too many, each run takes a random selection. */
export const overdueQuery = (query: Overdue, now: number): SQL<{ uuid: string }> =>
  sql`SELECT DISTINCT uuid FROM (${query(now - LATE_MS)}) ORDER BY random() LIMIT ${ORGANIZATIONS_MAXIMUM}`;

/**
 * Wake the objects of a database's organizations that have overdue work. Their alarm may be lost with the object's
 * storage, or may never have been set. The work must not wait for the next write. For the scheduled handler.
 */
export async function runOverdueJobs(
  env: WriterEnv,
  databaseName: string,
  overdue: readonly Overdue[],
  now: number,
): Promise<void> {
  const asked = overdue.map((query, index) => [index, overdueQuery(query, now)] as const);
  const rows = await unscopedAsk(databasesOf(env).named(databaseName), Object.fromEntries(asked));
  const late = [...new Set(Object.values(rows).flatMap((some) => some.map(({ uuid }) => uuid)))];
  await callEach(env, databaseName, late.slice(0, ORGANIZATIONS_MAXIMUM), (organization) =>
    writerOf(env, organization).scheduleJobs(Date.now()),
  );
}
