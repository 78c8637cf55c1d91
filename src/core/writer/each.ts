import { databasesOf } from '../lib/databases.ts';
import { inPool } from '../lib/pool.ts';
import { SECOND_MS } from '../lib/time.ts';
import type { WriterEnv } from './binding.ts';
import { execute, ofService } from './client.ts';

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
