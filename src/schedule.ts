import { z } from 'zod';
import { measure } from './access/database/measure.ts';
import { endLateSnapshot } from './access/database/snapshot-end.ts';
import { type Measurement, storeDayTurn, storeMinuteTurn } from './access/database/store.ts';
import { resealProviders } from './access/oidc/reseal.ts';
import { syncDirectoryLate } from './access/organization/directory.ts';
import { type Env, settingsOf, type TurnMessage } from './core/env.ts';
import { Allowance, allowed, UsedUp } from './core/lib/allowance.ts';
import { bucketOf } from './core/lib/bucket.ts';
import { chunks } from './core/lib/chunks.ts';
import { Database } from './core/lib/database.ts';
import { databasesOf, MAIN } from './core/lib/databases.ts';
import { NO_ORGANIZATION } from './core/lib/id.ts';
import { inPool, type Pool } from './core/lib/pool.ts';
import { reaching } from './core/lib/store.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './core/lib/time.ts';
import { within } from './core/lib/within.ts';
import { executeEach, runOverdueJobs } from './core/writer/each.ts';
import { pruneAnswers, pruneRecentAnswers } from './core/writer/idempotency.ts';
import { resealWebhooks } from './delivery/webhook/reseal.ts';
import { sweepOrphans } from './dispatch/calibration/objects.ts';
import { silentOrganizations } from './dispatch/device/store.ts';
import { limitedOrganizations } from './dispatch/tablet/store.ts';
import { overdue, prunes } from './features.ts';
import { planRetention } from './retention/job.ts';
import { countDatabase } from './storage/metrics/store.ts';
import { sweepMoves } from './storage/move/sweep.ts';
import { planNightlyExports } from './storage/restore/nightly-job.ts';

/** The cron expression of one schedule in wrangler.toml. The other one is daily. */
const EVERY_MINUTE = '* * * * *';

/** How many messages a call of the queue takes. */
const SENT_AT_ONCE = 100;
/**
 * Daily turns start one after another, so that they leave the queue's invocations to the turns of each minute. The queue
 * delays a message by at most 12 hours.
 */
const DAY_STEP_SECONDS = 15;
const DELAY_MAXIMUM_SECONDS = (12 * HOUR_MS) / SECOND_MS;

/** How a turn of a schedule runs. */
interface Schedule {
  /** The turns of the database are this far apart. An older message is dropped, because a newer one exists. */
  periodMs: number;
  /** How long a turn may take. Then the rest is left to the next turn. */
  maximumMs: number;
  /** How its tasks run. An invocation has six connections, and each task uses one of them at a time. */
  pool: Pool;
}
const SCHEDULES: Record<TurnMessage['schedule'], Schedule> = {
  minute: {
    periodMs: MINUTE_MS,
    maximumMs: 50 * SECOND_MS,
    pool: { atOnce: 4, patienceMs: 10 * SECOND_MS },
  },
  day: { periodMs: DAY_MS, maximumMs: 10 * MINUTE_MS, pool: { atOnce: 1, patienceMs: 10 * MINUTE_MS } },
};
/** How long a turn waits for the first answer of the database. */
const ANSWER_MAXIMUM_MS = 10 * SECOND_MS;
/** How many D1 statements a turn makes. The platform allows an invocation 1,000. The rest is for the measurement. */
const STATEMENTS = 950;
/** When a daily turn continues that has work left. The queue limits the number of attempts (wrangler.toml). */
const AGAIN = { delaySeconds: MINUTE_MS / SECOND_MS };

type Task = () => Promise<unknown>;

/** The tasks of a turn of a database. */
type Tasks = (env: Env, databaseName: string, now: number) => Task[];

const everyMinute: Tasks = (env, name, now) => {
  const databases = databasesOf(env);
  return [
    () => runOverdueJobs(env, name, overdue, now),
    () => executeEach(env, name, silentOrganizations, 'noteSilence', now),
    () => executeEach(env, name, limitedOrganizations, 'endSignInLimit', now),
    // The directory of organizations is in `DB`.
    ...(name === MAIN ? [() => syncDirectoryLate(databases, now)] : []),
    () => endLateSnapshot(databases.named(name), now),
    () => sweepMoves(databases, name),
    ...[resealWebhooks, resealProviders].map(
      (reseal) => () => reseal(databases, name, settingsOf(env).sealingKeys),
    ),
  ];
};

const daily: Tasks = (env, name, now) => {
  const db = databasesOf(env).named(name);
  return [
    ...[pruneAnswers, pruneRecentAnswers, ...prunes].map((prune) => () => prune(db, now)),
    () => sweepOrphans(db, bucketOf(env), now),
    () => planRetention(db, now),
    () => planNightlyExports(db, now),
  ];
};

/**
 * Send a message for a turn of each database. The order is random: if the consumers are too slow for all turns, no
 * database is always the last.
 */
export async function sendTurns(cron: string, env: Env): Promise<void> {
  const schedule = cron === EVERY_MINUTE ? 'minute' : 'day';
  const messages = databasesOf(env)
    .names.map((database) => ({ database, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ database }, index) => ({
      body: { database, schedule } satisfies TurnMessage,
      delaySeconds: schedule === 'day' ? Math.min(index * DAY_STEP_SECONDS, DELAY_MAXIMUM_SECONDS) : 0,
    }));
  const sendings = chunks(messages, SENT_AT_ONCE).map((batch) =>
    reaching(() => env.SCHEDULE_QUEUE.sendBatch(batch)),
  );
  const failures = (await Promise.allSettled(sendings)).flatMap((sent) =>
    sent.status === 'rejected' ? [sent.reason] : [],
  );
  if (failures.length > 0)
    throw new AggregateError(failures, `Turns could not be sent: ${failures.join('; ')}`);
}

const messageSchema = z.object({ database: z.string(), schedule: z.enum(['minute', 'day']) });

/**
 * The consumer of the schedule queue. Each message is a turn of one database. It has its own statements and time, so a
 * slow or failing database delays no other one. All tasks may be repeated, so a turn may run twice, or overlap with the
 * next one. A failed turn of a minute is not retried, because the next one does the same. A daily turn with work left is
 * retried.
 */
export async function scheduleConsumer(batch: MessageBatch, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const { data: turn } = messageSchema.safeParse(message.body);
      const now = Date.now();
      const isDropped =
        !turn ||
        !databasesOf(env).has(turn.database) ||
        now - message.timestamp.getTime() > SCHEDULES[turn.schedule].periodMs;
      if (isDropped) {
        console.warn(
          JSON.stringify({ queue: 'schedule', message: message.body, dropped: message.timestamp }),
        );
        message.ack();
      } else if (turn.schedule === 'minute') {
        await minuteTurn(env, turn.database, now);
        message.ack();
      } else if (await dayTurn(env, turn.database, now, message.attempts)) message.ack();
      else message.retry(AGAIN);
    }),
  );
}

/** Run the tasks of each minute, and measure the database. */
async function minuteTurn(env: Env, databaseName: string, now: number): Promise<void> {
  const databases = databasesOf(env);
  const main = new Database(NO_ORGANIZATION, databases);
  const size = await answerOf(databaseName, measure(databases.named(databaseName)));
  let measurement: Measurement | undefined;
  const count = async () => {
    const { sealingKeys } = settingsOf(env);
    const db = databases.named(databaseName);
    const counts = await countDatabase(db, databaseName === MAIN ? main : undefined, sealingKeys, now);
    measurement = { ...size!, counts };
  };
  const isComplete =
    size !== undefined &&
    (await run(env, { database: databaseName, schedule: 'minute' }, (own) => [
      // Its statements do not count, so that a database with much work is measured, too.
      count,
      ...everyMinute(own, databaseName, now),
    ]));
  await storing(databaseName, () => storeMinuteTurn(main, { databaseName, now, measurement, isComplete }));
}

/**
 * Run the daily tasks. Every day another task comes first, and so at every attempt. So each is the first to delete rows
 * from time to time. Returns whether no work is left.
 */
async function dayTurn(env: Env, databaseName: string, now: number, attempts: number): Promise<boolean> {
  const databases = databasesOf(env);
  const isComplete =
    (await answerOf(databaseName, measure(databases.named(databaseName)))) &&
    (await run(env, { database: databaseName, schedule: 'day' }, (own) => {
      const tasks = daily(own, databaseName, now);
      const first = (Math.floor(now / DAY_MS) + attempts) % tasks.length;
      return [...tasks.slice(first), ...tasks.slice(0, first)];
    }));
  if (!isComplete) return false;
  const main = new Database(NO_ORGANIZATION, databases);
  await storing(databaseName, () => storeDayTurn(main, databaseName, now));
  return true;
}

/**
 * The first answer of a database. Undefined if it fails or does not arrive in time. Then the turn ends, so that it does
 * not keep an invocation from other databases.
 */
async function answerOf<T>(database: string, asked: Promise<T>): Promise<T | undefined> {
  let answer: T | undefined;
  let failure: unknown = 'The database does not answer.';
  await within(
    asked.then(
      (given) => {
        answer = given;
      },
      (error) => {
        failure = error;
      },
    ),
    ANSWER_MAXIMUM_MS,
  );
  if (answer === undefined) console.error(JSON.stringify({ database, error: String(failure) }));
  return answer;
}

/** Run the tasks of a turn with its own statements and time, even if some fail. Returns whether none failed. */
async function run(env: Env, turn: TurnMessage, tasksOf: (own: Env) => Task[]): Promise<boolean> {
  const { maximumMs, pool } = SCHEDULES[turn.schedule];
  const tasks = tasksOf(limited(env, new Allowance(STATEMENTS, maximumMs)));
  let failures: unknown[] = [new UsedUp('A task takes longer than the turn may take.')];
  const ended = inPool(tasks, pool, (task) => task()).then((all) => {
    failures = all;
  });
  await within(ended, maximumMs);
  for (const failure of failures) {
    const log = failure instanceof UsedUp ? console.warn : console.error;
    log(JSON.stringify({ ...turn, error: String(failure) }));
  }
  return failures.length === 0;
}

/** The bindings with databases that take from an allowance. */
const limited = (env: Env, allowance: Allowance): Env => ({
  ...env,
  ...Object.fromEntries(
    databasesOf(env).names.map((name) => [name, allowed(databasesOf(env).named(name), allowance)]),
  ),
});

/** Store a result in `DB`. Without it the metrics show the result before. */
async function storing(database: string, store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    console.error(JSON.stringify({ database, measurement: String(error) }));
  }
}
