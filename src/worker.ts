import { endLateSnapshots } from './access/database/snapshot-end.ts';
import { resealProviders } from './access/oidc/reseal.ts';
import { syncDirectoryLate } from './access/organization/directory.ts';
import { pruneSessions } from './access/session/store.ts';
import { app } from './app.ts';
import { commands } from './commands.ts';
import { type Env, settingsOf } from './core/env.ts';
import { databasesOf } from './core/lib/databases.ts';
import { executeEach } from './core/writer/client.ts';
import { pruneIdempotency } from './core/writer/idempotency.ts';
import { organizationWriter } from './core/writer/object.ts';
import { runOverdueJobs } from './core/writer/overdue.ts';
import { topics } from './delivery/live/topics.ts';
import { resealWebhooks } from './delivery/webhook/reseal.ts';
import { pruneDeliveries } from './delivery/webhook/store.ts';
import { sweepOrphans } from './dispatch/calibration/objects.ts';
import { silentOrganizations } from './dispatch/device/store.ts';
import { pruneScans } from './dispatch/loading/scan-store.ts';
import { limitedOrganizations, pruneTablets } from './dispatch/tablet/store.ts';
import { jobs, overdue } from './jobs.ts';
import { declareRewind } from './log/event/rewind.ts';
import { pruneEvents } from './log/event/store.ts';
import { pruneOperations } from './log/operation/store.ts';
import { consume } from './queues.ts';
import { planRetention } from './retention/job.ts';
import { pruneDeadLetters } from './storage/dead-letter/store.ts';
import { sweepMoves } from './storage/move/sweep.ts';

/** The cron expression of one schedule in wrangler.toml. The other one is daily. */
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
  () => executeEach(env, silentOrganizations(db, now), 'noteSilence'),
  () => executeEach(env, limitedOrganizations(db, now), 'endSignInLimit'),
  () => runOverdueJobs(env, db, overdue, now),
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
   * Every minute: notice silent devices and overdue work. Daily: delete expired rows, and plan archiving. The time
   * comes from the clock, because locally anyone could send any scheduled time.
   */
  async scheduled({ cron }, env) {
    const tasks = cron === EVERY_MINUTE ? everyMinute : daily;
    const databases = databasesOf(env);
    await each([
      ...databases.names.flatMap((name) => tasks(env, databases.named(name), Date.now())),
      () => syncDirectoryLate(databases, Date.now()),
      ...databases.names.map((name) => () => sweepMoves(databases, name)),
      ...databases.names.flatMap((name) =>
        [resealWebhooks, resealProviders].map(
          (reseal) => () => reseal(databases, name, settingsOf(env).sealingKeys),
        ),
      ),
    ]);
  },
} satisfies ExportedHandler<Env>;
