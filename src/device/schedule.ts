import type { Env } from '../env.ts';
import { execute, ofService } from '../writer/client.ts';
import { silentOrganizations } from './store.ts';

/** Have the writers of all organizations take note of devices that fell silent. For the scheduled handler. */
export async function noteSilences(env: Env, now: number): Promise<void> {
  for (const organization of await silentOrganizations(env.DB, now)) {
    // What fails is logged by the writer or on the way to it, and found again by the next run.
    await execute(env, organization, ofService('noteSilence', {}));
  }
}
