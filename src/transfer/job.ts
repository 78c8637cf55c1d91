import { sql } from 'drizzle-orm';
import type { Env } from '../env.ts';
import { databasesOf } from '../lib/databases.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { SECOND_MS } from '../lib/time.ts';
import { writerOf } from '../writer/client.ts';
import { type Job, UNTIL_ASKED } from '../writer/jobs.ts';
import type { Overdue } from '../writer/overdue.ts';
import { Carrier, type Carrying } from './carrier.ts';
import { type OrganizationJob, openJobs } from './store.ts';

/** Jobs that one run carries on, side by side. */
const JOBS_AT_ONCE = 4;
/** How long a run carries a job on. */
const PIECE_MS = 2 * SECOND_MS;
/** How soon a job is tried again that could not be carried on. */
const AGAIN_MS = 2 * SECOND_MS;

/** Carry on imports and erasures that were accepted, a piece of each. A job of the operator's object: all others sleep through it. */
export const transfer: Job<Env> = async ({ env, database }) => {
  if (database.organization !== NO_ORGANIZATION) return UNTIL_ASKED;
  const jobs = await openJobs(database, JOBS_AT_ONCE);
  if (jobs.length === 0) return UNTIL_ASKED;
  const carried = await Promise.all(jobs.map((job) => carryOn(carryingOf(env), job)));
  return Date.now() + (carried.some((went) => went) ? 0 : AGAIN_MS);
};

/** What jobs are carried on with in the Worker. */
export const carryingOf = (env: Env): Carrying => ({
  databases: databasesOf(env),
  bucket: env.CALIBRATION,
  forget: async (organization) => writerOf(env, organization).forget(),
  wake: async (organization) => writerOf(env, organization).wake(Date.now()),
});

/** Carry a job on for a while; whether that went well. */
async function carryOn(carrying: Carrying, job: OrganizationJob): Promise<boolean> {
  const until = Date.now() + PIECE_MS;
  try {
    const carrier = new Carrier(carrying, job);
    while (!(await carrier.step()) && Date.now() < until);
    return true;
  } catch (error) {
    console.warn(JSON.stringify({ job: job.uuid, phase: job.phase, error: String(error) }));
    return false;
  }
}

/** That imports or erasures are under way which nobody has carried on for long. */
export const overdueTransfers: Overdue = (
  before,
) => sql`SELECT ${NO_ORGANIZATION} AS uuid FROM organization_job
  WHERE finish_date IS NULL AND update_date <= ${before}`;
