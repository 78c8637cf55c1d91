import type { Env } from '../../core/env.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { silentOrganizations } from './store.ts';

/**
 * Let the writers of a database's organizations record silent devices. The scheduled handler calls
 * it.
 */
export async function noteSilences(env: Env, db: D1Database, now: number): Promise<void> {
  for (const organization of await silentOrganizations(db, now)) {
    // The writer or its client logs failures. The next run tries again.
    await execute(env, organization, ofService('noteSilence', {}));
  }
}
