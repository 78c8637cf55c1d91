import type { Env } from '../../core/env.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { limitedOrganizations } from './store.ts';

/**
 * Let the writers of a database's organizations resolve alerts of tablets whose limit is over. The
 * scheduled handler calls it.
 */
export async function endSignInLimits(env: Env, db: D1Database, now: number): Promise<void> {
  for (const organization of await limitedOrganizations(db, now)) {
    // The writer or its client logs failures. The next run tries again.
    await execute(env, organization, ofService('endSignInLimit', {}));
  }
}
