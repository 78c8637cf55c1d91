import { app } from './app.ts';
import { sweepOrphans } from './calibration/objects.ts';
import { commands } from './commands.ts';
import { pruneDeadLetters } from './dead-letter/store.ts';
import { noteSilences } from './device/schedule.ts';
import { duties } from './duties.ts';
import type { Env } from './env.ts';
import { declareRewind } from './event/rewind.ts';
import { pruneEvents } from './event/store.ts';
import { telling } from './live/telling.ts';
import { pruneScans } from './loading/scan-store.ts';
import { pruneOperations } from './operation/store.ts';
import { consume } from './queues.ts';
import { pruneSessions } from './session/store.ts';
import { pruneDeliveries } from './webhook/store.ts';
import { pruneIdempotency } from './writer/idempotency.ts';
import { organizationWriter } from './writer/object.ts';

/** One of the schedules in wrangler.toml. */
const EVERY_MINUTE = '* * * * *';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, duties, telling, declareRewind) {}

/** Each by itself: one that fails every day must not let the others' rows grow for ever. */
async function sweepDaily(env: Env, now: number): Promise<void> {
  const failures: unknown[] = [];
  for (const prune of [
    pruneIdempotency,
    pruneScans,
    pruneDeliveries,
    pruneEvents,
    pruneOperations,
    pruneSessions,
    pruneDeadLetters,
    (db: D1Database) => sweepOrphans(db, env.CALIBRATION, now),
  ]) {
    try {
      await prune(env.DB, now);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `The daily sweep failed: ${failures.join('; ')}`);
}

export default {
  fetch: app.fetch,
  queue: consume,
  /**
   * Every minute: see which devices fell silent. Once a day: drop what nobody needs to remember any more. By the time
   * there is, not by the one that it was scheduled for: locally anybody may name one.
   */
  async scheduled({ cron }, env) {
    if (cron === EVERY_MINUTE) return noteSilences(env, Date.now());
    await sweepDaily(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
