import { sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { writerOf } from '../../core/writer/client.ts';
import { ON_REQUEST } from '../../core/writer/job-timing.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';
import { nextDueDate, type OrganizationJob, openJobs } from './store.ts';
import { type Carrying, TransferRunner } from './transfer-runner.ts';

/** The most jobs that one run works on at the same time. */
const JOBS_AT_ONCE = 4;
/** How long a run works on a job. */
const PIECE_MS = 2 * SECOND_MS;
/** How soon a job is tried again after a failure. */
const AGAIN_MS = 2 * SECOND_MS;

/**
 * Continue accepted imports and erasures, a piece of each. A job of the operator's object; those of other organizations
 * sleep.
 */
export const transfer: Job<Env> = async ({ env, database }) => {
  if (database.organization !== NO_ORGANIZATION) return ON_REQUEST;
  const jobs = await openJobs(database, JOBS_AT_ONCE);
  if (jobs.length === 0) return (await nextDueDate(database)) ?? ON_REQUEST;
  const carried = await Promise.all(jobs.map((job) => carryOn(carryingOf(env), job)));
  return Date.now() + (carried.some((went) => went) ? 0 : AGAIN_MS);
};

/** The environment of transfer jobs in the Worker. */
export const carryingOf = (env: Env): Carrying => ({
  databases: databasesOf(env),
  bucket: env.CALIBRATION,
  forget: async (organization) => writerOf(env, organization).forget(),
  wake: async (organization) => writerOf(env, organization).scheduleJobs(Date.now()),
});

/** Work on a job for a while. Returns whether that succeeded. */
async function carryOn(carrying: Carrying, job: OrganizationJob): Promise<boolean> {
  const until = Date.now() + PIECE_MS;
  try {
    const carrier = new TransferRunner(carrying, job);
    while (!(await carrier.step()) && Date.now() < until);
    return true;
  } catch (error) {
    console.warn(JSON.stringify({ job: job.uuid, phase: job.phase, error: String(error) }));
    return false;
  }
}

/** Finds the operator's object where an import or erasure has not been continued for too long. */
export const overdueTransfers: Overdue = (
  before,
) => sql`SELECT ${NO_ORGANIZATION} AS uuid FROM organization_job
  WHERE finish_date IS NULL AND update_date <= ${before}`;
