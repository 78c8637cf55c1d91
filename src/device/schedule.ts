import type { Env } from '../env.ts';
import { execute, ofService } from '../writer/client.ts';
import { silentOrganizations } from './store.ts';

/** Have the writers of a database's organizations take note of devices that fell silent. For the scheduled handler. */
export async function noteSilences(env: Env, db: D1Database, now: number): Promise<void> {
  for (const organization of await silentOrganizations(db, now)) {
    // What fails is logged by the writer or on the way to it, and found again by the next run.
    await execute(env, organization, ofService('noteSilence', {}));
  }
}
