import { sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import type { Overdue } from '../../core/writer/each.ts';
import { type Job, ON_REQUEST } from '../../core/writer/jobs.ts';
import { type JobType, type LongJob, nextDueDate, openJobs } from './store.ts';

/** How long a run works on a job. */
const PIECE_MS = 2 * SECOND_MS;
/** The statements of a run. Cloudflare allows 1,000 in one invocation, and other jobs of the object need some. */
const RUN_STATEMENTS = 900;
/** The maximum number of statements of one step of a job. */
export const STEP_STATEMENTS = 60;
/** How soon jobs are tried again if none of them made progress. */
const AGAIN_MS = 2 * SECOND_MS;

/** Work on a job. `step` returns whether it was the last step, and throws if it has to be repeated. */
interface Steps {
  step(): Promise<boolean>;
}

/** Long jobs that are carried out alike. */
export interface JobKind {
  types: readonly JobType[];
  /** The maximum number of jobs that one run works on at the same time. */
  atOnce: number;
  /** Begin to work on a job of one of the types. */
  begin(env: Env, job: LongJob): Steps;
}

/** Continue accepted jobs, a piece of each. A job of the operator's object. The other objects have nothing to do. */
export const longJobs = (kinds: readonly JobKind[]): Job<Env> =>
  async function carryOnLongJobs({ env, database }) {
    if (database.organization !== NO_ORGANIZATION) return ON_REQUEST;
    const open = await Promise.all(
      kinds.map(async ({ types, atOnce, begin }) =>
        (await openJobs(database, types, atOnce)).map((job) => ({ job, begin: () => begin(env, job) })),
      ),
    );
    const found = open.flat();
    if (found.length === 0) return (await nextDueDate(database)) ?? ON_REQUEST;
    const stepsMaximum = Math.floor(RUN_STATEMENTS / STEP_STATEMENTS / found.length);
    const carried = await Promise.all(
      found.map(({ job, begin }) => carryOn(database, job, begin, stepsMaximum)),
    );
    return Date.now() + (carried.some((succeeded) => succeeded) ? 0 : AGAIN_MS);
  };

/** Work on a job for some steps or a while. Returns whether that succeeded. */
async function carryOn(
  database: Database,
  job: LongJob,
  begin: () => Steps,
  stepsMaximum: number,
): Promise<boolean> {
  const until = Date.now() + PIECE_MS;
  try {
    const begun = begin();
    for (let steps = 1; ; steps += 1) {
      await database.reserve(STEP_STATEMENTS);
      if ((await begun.step()) || steps >= stepsMaximum || Date.now() > until) break;
    }
    return true;
  } catch (error) {
    console.warn(JSON.stringify({ job: job.uuid, phase: job.phase, error: String(error) }));
    return false;
  }
}

/** Finds the operator's object if a job has not been continued for too long. */
export const overdueLongJobs: Overdue = (before) => sql`SELECT ${NO_ORGANIZATION} AS uuid FROM long_job
  WHERE finish_date IS NULL AND update_date <= ${before}`;
