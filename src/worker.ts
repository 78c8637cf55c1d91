import { endLateSnapshot } from './access/database/snapshot-end.ts';
import { resealProviders } from './access/oidc/reseal.ts';
import { syncDirectoryLate } from './access/organization/directory.ts';
import { app } from './app.ts';
import { type Env, settingsOf } from './core/env.ts';
import { overridden } from './core/http/method-override.ts';
import { Allowance, allowed, UsedUp } from './core/lib/allowance.ts';
import { bucketOf } from './core/lib/bucket.ts';
import { databasesOf, MAIN } from './core/lib/databases.ts';
import { inPool } from './core/lib/pool.ts';
import { DAY_MS, SECOND_MS } from './core/lib/time.ts';
import { executeEach, runOverdueJobs } from './core/writer/each.ts';
import { pruneAnswers, pruneRecentAnswers } from './core/writer/idempotency.ts';
import { organizationWriter } from './core/writer/object.ts';
import { topics } from './delivery/live/topics.ts';
import { resealWebhooks } from './delivery/webhook/reseal.ts';
import { sweepOrphans } from './dispatch/calibration/objects.ts';
import { silentOrganizations } from './dispatch/device/store.ts';
import { limitedOrganizations } from './dispatch/tablet/store.ts';
import { commands, jobs, overdue, prunes } from './features.ts';
import { declareRewind } from './log/event/rewind.ts';
import { consume } from './queues.ts';
import { planRetention } from './retention/job.ts';
import { sweepMoves } from './storage/move/sweep.ts';
import { planNightlyExports } from './storage/restore/nightly-job.ts';

/** The cron expression of one schedule in wrangler.toml. The other one is daily. */
const EVERY_MINUTE = '* * * * *';

/** The Durable Object of an organization. */
export class OrganizationWriter extends organizationWriter(commands, jobs, topics, declareRewind) {}

/**
 * How many tasks of a schedule run at once, and how long a slow one delays the next. An invocation has six connections,
 * and each task uses one of them at a time.
 */
const TASKS = { atOnce: 4, patienceMs: 20 * SECOND_MS };

/** How many D1 statements a run of a schedule makes. The platform allows an invocation 1,000. */
const STATEMENTS = 950;

type Task = () => Promise<unknown>;

/** The tasks of a schedule in one database. */
type Tasks = (env: Env, databaseName: string, now: number) => Task[];

/** Every minute, before anything else: wake organizations with overdue work. */
const urgent: Tasks = (env, name, now) => [() => runOverdueJobs(env, name, overdue, now)];

/** Complete changes of the directory of organizations, which is in `DB`. */
const directory: Tasks = (env, _, now) => [() => syncDirectoryLate(databasesOf(env), now)];

const everyMinute: Tasks = (env, name, now) => [
  () => endLateSnapshot(databasesOf(env).named(name), now),
  () => executeEach(env, name, silentOrganizations, 'noteSilence', now),
  () => executeEach(env, name, limitedOrganizations, 'endSignInLimit', now),
];

/** Every day another task comes first, so that each is the first to delete rows from time to time. */
const daily: Tasks = (env, name, now) => {
  const db = databasesOf(env).named(name);
  const tasks = [
    ...[pruneAnswers, pruneRecentAnswers, ...prunes].map((prune) => () => prune(db, now)),
    () => sweepOrphans(db, bucketOf(env), now),
    () => planRetention(db, now),
    () => planNightlyExports(db, now),
  ];
  const first = Math.floor(now / DAY_MS) % tasks.length;
  return [...tasks.slice(first), ...tasks.slice(0, first)];
};

/** The bindings with databases that take from an allowance. */
const within = (env: Env, allowance: Allowance): Env => ({
  ...env,
  ...Object.fromEntries(
    databasesOf(env).names.map((name) => [name, allowed(databasesOf(env).named(name), allowance)]),
  ),
});

/** In both schedules: complete moves and the rotation of `SEALING_KEY`. */
const always: Tasks = (env, name) => [
  () => sweepMoves(databasesOf(env), name),
  ...[resealWebhooks, resealProviders].map(
    (reseal) => () => reseal(databasesOf(env), name, settingsOf(env).sealingKeys),
  ),
];

/**
 * Run the tasks of a database one after another, even if one fails. The next run continues tasks for which there were
 * no statements left. @throws the failures at the end
 */
async function inOrder(tasks: readonly Task[], databaseName: string): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      if (error instanceof UsedUp)
        console.warn(JSON.stringify({ database: databaseName, schedule: String(error) }));
      else failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.join('; '));
}

export default {
  fetch: (request, env, context) => app.fetch(overridden(request), env, context),
  queue: consume,
  /**
   * Every minute: overdue work, then silent devices and expired limits. Daily: delete expired rows, and plan archiving and exports.
   * A slow or failing database delays no other one. Databases share the statements of the run, and the next run
   * continues. The time comes from the clock, because locally anyone could send any scheduled time.
   */
  async scheduled({ cron }, env) {
    const { names } = databasesOf(env);
    const now = Date.now();
    const allowance = new Allowance(STATEMENTS);
    const of = (...kinds: Tasks[]) => names.map((name) => ({ name, kinds }));
    const parts = [
      ...(cron === EVERY_MINUTE ? of(urgent) : []),
      { name: MAIN, kinds: [directory] },
      ...of(cron === EVERY_MINUTE ? everyMinute : daily, always),
    ];
    const failures = await inPool([...parts.entries()], TASKS, ([index, { name, kinds }]) =>
      allowance.share(parts.length - index, (share) => {
        const own = within(env, share);
        return inOrder(
          kinds.flatMap((tasks) => tasks(own, name, now)),
          name,
        );
      }),
    );
    if (failures.length > 0)
      throw new AggregateError(failures, `The schedule failed: ${failures.join('; ')}`);
  },
} satisfies ExportedHandler<Env>;
