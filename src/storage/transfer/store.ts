import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { HOUR_MS, SECOND_MS } from '../../core/lib/time.ts';
import { type OneItemOperation, oneItemOperation } from '../../log/operation/one-item-store.ts';
import type { JOB_PHASES, JOB_TYPES } from './table.ts';

export type JobPhase = (typeof JOB_PHASES)[number];
export type JobType = (typeof JOB_TYPES)[number];

/** What an import contains, as validated when it was received. */
export interface ImportInput {
  /** The key of the export in the bucket. */
  objectKey: string;
  databaseName: string;
  sequenceNumber: number;
  /** Rows by table. */
  counts: Record<string, number>;
  listTotals: unknown[][];
}

/** The progress of a job. */
export interface JobProgress {
  /** While importing: the number of bytes of the export that have been written. */
  offset?: number;
  /** How often in a row a step failed for a reason of its own, as opposed to an outage. */
  failuresCount?: number;
  /** No step is taken before this date (epoch milliseconds). */
  dueDate?: number;
}

/** A job under way. */
export interface OrganizationJob {
  uuid: string;
  organization: string;
  slug: string;
  operationType: JobType;
  phase: JobPhase;
  /** Null for an erasure. */
  input: ImportInput | null;
  progress: JobProgress;
}

type Stored = Omit<OrganizationJob, 'input' | 'progress'> & {
  input: Json<ImportInput | null>;
  progress: Json<JobProgress>;
};
const belongsToNobody = ({ organization }: Scope): SQL => sql`${organization} = ${NO_ORGANIZATION}`;

/** The longest pause after a failure. */
const PAUSE_MAXIMUM_MS = HOUR_MS;

/** The progress after another failure: the pause doubles from two seconds to an hour. */
export function failedOnce(progress: JobProgress, now: number): JobProgress & { failuresCount: number } {
  const failuresCount = (progress.failuresCount ?? 0) + 1;
  const pause = Math.min(SECOND_MS * 2 ** failuresCount, PAUSE_MAXIMUM_MS);
  return { ...progress, failuresCount, dueDate: now + pause };
}

/** Jobs that have not ended and are not paused, the one that was idle longest first. */
export async function openJobs(database: Database, maximum: number): Promise<OrganizationJob[]> {
  const rows = await database.all(sql<Stored>`SELECT uuid, organization_uuid AS organization, slug,
      operation_type AS "operationType", phase, input, progress FROM organization_job
    WHERE finish_date IS NULL AND coalesce(progress ->> 'dueDate', 0) <= ${Date.now()}
      AND ${belongsToNobody(database)} ORDER BY update_date LIMIT ${maximum}`);
  return rows.map((row) => ({ ...row, input: parseJson(row.input), progress: parseJson(row.progress) }));
}

/** When the next of the paused jobs is due (epoch milliseconds); null where none is paused. */
export async function nextDueDate(database: Database): Promise<number | null> {
  const row = await database.first(sql<{
    dueDate: number | null;
  }>`SELECT min(progress ->> 'dueDate') AS "dueDate"
    FROM organization_job WHERE finish_date IS NULL AND ${belongsToNobody(database)}`);
  return row?.dueDate ?? null;
}

/** Start working on a job under this claim. @throws `TakenOver` where it has ended */
export async function claimJob(databases: Databases, uuid: string, claim: string): Promise<void> {
  const database = new Database(NO_ORGANIZATION, databases);
  const [claimed] = await database.all(sql<{ uuid: string }>`UPDATE organization_job SET claim = ${claim},
      update_date = ${Date.now()}
    WHERE uuid = ${uuid} AND finish_date IS NULL AND ${belongsToNobody(database)} RETURNING uuid`);
  if (!claimed) throw new TakenOver('the job is at its end');
}

/** End a job of an organization that has no row, so that there is nothing to be carried on or cleared. */
export async function endJob(databases: Databases, uuid: string, claim: string): Promise<void> {
  const database = new Database(NO_ORGANIZATION, databases);
  const error = { code: 'importFailed', message: 'The organization has no row.' };
  await database.all(noteStatement(database, uuid, claim, { phase: 'DONE', progress: {}, error }));
}

/** What is recorded of a job. */
export interface JobNote {
  phase: JobPhase;
  progress: JobProgress;
  error?: { code: string; message: string };
}

/** The statement that records the progress of a job. It finds a row unless somebody else has taken over. */
export const noteStatement = (
  scope: Scope,
  uuid: string,
  claim: string,
  { phase, progress, error }: JobNote,
): SQL<{ uuid: string }> => {
  const now = Date.now();
  return sql`UPDATE organization_job SET phase = ${phase}, progress = ${JSON.stringify(progress)},
      update_date = ${now}, finish_date = iif(${phase} = 'DONE', ${now}, NULL),
      error_code = coalesce(${error?.code ?? null}, error_code),
      error_message = coalesce(${error?.message ?? null}, error_message)
    WHERE uuid = ${uuid} AND claim = ${claim} AND finish_date IS NULL AND ${belongsToNobody(scope)}
    RETURNING uuid`;
};

/** The organizations that exist, or are about to exist, with this uuid or slug. */
export const namesakesQuery = (scope: Scope, uuid: string, slug: string): SQL<{ uuid: string }> =>
  sql`SELECT uuid FROM organization WHERE uuid = ${uuid} AND uuid <> ${scope.organization}
    UNION SELECT uuid FROM organization WHERE slug = ${slug} AND uuid <> ${scope.organization}`;

/** A job in the form in which operations show it. */
export async function readJob(
  database: Database,
  uuid: string,
): Promise<OneItemOperation<JobType> | undefined> {
  const row = await database.first(sql<{
    organization: string;
    operationType: JobType;
    errorCode: string | null;
    errorMessage: string | null;
    createDate: number;
    updateDate: number;
    finishDate: number | null;
  }>`SELECT organization_uuid AS organization, operation_type AS "operationType", error_code AS "errorCode",
      error_message AS "errorMessage", create_date AS "createDate", update_date AS "updateDate",
      finish_date AS "finishDate" FROM organization_job
    WHERE uuid = ${uuid} AND ${belongsToNobody(database)}`);
  return row && oneItemOperation(uuid, row);
}
