import type { Env } from '../../core/env.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { limitedOrganizations } from './store.ts';

/** Have the writers of a database's organizations resolve alerts of tablets whose limit is over. For the scheduled handler. */
export async function endSignInLimits(env: Env, db: D1Database, now: number): Promise<void> {
  for (const organization of await limitedOrganizations(db, now)) {
    // Failures are logged by the writer or on the way to it, and the next run tries again.
    await execute(env, organization, ofService('endSignInLimit', {}));
  }
}
