import { app } from './app.ts';
import { sweepOrphans } from './calibration/objects.ts';
import { commands } from './commands.ts';
import { endLateSnapshots } from './database/snapshot-end.ts';
import { pruneDeadLetters } from './dead-letter/store.ts';
import { noteSilences } from './device/schedule.ts';
import { type Env, settingsOf } from './env.ts';
import { declareRewind } from './event/rewind.ts';
import { pruneEvents } from './event/store.ts';
import { jobs, overdue } from './jobs.ts';
import { databasesOf } from './lib/databases.ts';
import { topics } from './live/topics.ts';
import { pruneScans } from './loading/scan-store.ts';
import { sweepMoves } from './move/sweep.ts';
import { resealProviders } from './oidc/reseal.ts';
import { pruneOperations } from './operation/store.ts';
import { settleLate } from './organization/settle.ts';
import { consume } from './queues.ts';
import { planRetention } from './retention/job.ts';
import { pruneSessions } from './session/store.ts';
import { endSignInLimits } from './tablet/schedule.ts';
import { pruneTablets } from './tablet/store.ts';
import { resealWebhooks } from './webhook/reseal.ts';
import { pruneDeliveries } from './webhook/store.ts';
import { pruneIdempotency } from './writer/idempotency.ts';
import { organizationWriter } from './writer/object.ts';
import { wakeOverdue } from './writer/overdue.ts';

/** The cron expression of one of the schedules in wrangler.toml; the other one is daily. */
const EVERY_MINUTE = '* * * * *';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, jobs, topics, declareRewind) {}

/** Run each task even if another one fails, and throw the failures at the end. */
async function each(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `The schedule failed: ${failures.join('; ')}`);
}

/** The tasks of a schedule in each database. */
type Tasks = (env: Env, db: D1Database, now: number) => (() => Promise<unknown>)[];

const everyMinute: Tasks = (env, db, now) => [
  () => endLateSnapshots(db, now),
  () => noteSilences(env, db, now),
  () => endSignInLimits(env, db, now),
  () => wakeOverdue(env, db, overdue, now),
];

const daily: Tasks = (env, db, now) => [
  ...[
    pruneIdempotency,
    pruneScans,
    pruneDeliveries,
    pruneEvents,
    pruneOperations,
    pruneSessions,
    pruneTablets,
    pruneDeadLetters,
  ].map((prune) => () => prune(db, now)),
  () => sweepOrphans(db, databasesOf(env), env.CALIBRATION, now),
  () => planRetention(db, now),
];

export default {
  fetch: app.fetch,
  queue: consume,
  /**
   * Every minute: notice silent devices and overdue work. Daily: delete what has expired, and plan archiving. The time
   * is that of the clock, not the scheduled time, which anybody could name locally.
   */
  async scheduled({ cron }, env) {
    const tasks = cron === EVERY_MINUTE ? everyMinute : daily;
    const databases = databasesOf(env);
    await each([
      ...databases.names.flatMap((name) => tasks(env, databases.named(name), Date.now())),
      () => settleLate(databases, Date.now()),
      ...databases.names.map((name) => () => sweepMoves(databases, name)),
      ...databases.names.flatMap((name) =>
        [resealWebhooks, resealProviders].map(
          (reseal) => () => reseal(databases, name, settingsOf(env).sealingKeys),
        ),
      ),
    ]);
  },
} satisfies ExportedHandler<Env>;
