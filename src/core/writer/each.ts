import { type SQL, sql } from 'drizzle-orm';
import { unscopedAsk } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { inPool } from '../lib/pool.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { WriterEnv } from './binding.ts';
import { execute, ofService, writerOf } from './client.ts';

/** How many objects of a database are called at once, and for how long an object that does not answer delays the next. */
const OBJECTS = { atOnce: 20, patienceMs: 10 * SECOND_MS };

/** Call the objects of organizations of a database. Failures are logged. The next scheduled run tries again. */
export async function callEach(
  env: WriterEnv,
  databaseName: string,
  organizations: readonly string[],
  call: (organization: string) => Promise<unknown>,
): Promise<void> {
  await inPool(organizations, OBJECTS, async (organization) => {
    databasesOf(env).remember(organization, databaseName);
    try {
      await call(organization);
    } catch (error) {
      console.warn(JSON.stringify({ organization, schedule: String(error) }));
    }
  });
}

/** Send a command without input to the writers of the organizations that `find` returns. */
export async function executeEach(
  env: WriterEnv,
  databaseName: string,
  find: (db: D1Database, now: number) => Promise<string[]>,
  name: string,
  now: number,
): Promise<void> {
  const found = await find(databasesOf(env).named(databaseName), now);
  await callEach(env, databaseName, found, (organization) => execute(env, organization, ofService(name, {})));
}

/**
 * A query over all organizations. It returns the `uuid` of each organization with work that was due at `before` (epoch
 * milliseconds) or earlier.
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
 * Wake the Durable Object of each organization in a database that has overdue work. The alarm of such an object may be
 * lost with its storage, or may never have been set. The work must not wait for the next write. For the scheduled handler.
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
