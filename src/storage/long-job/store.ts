import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { type OneItemOperation, oneItemOperation } from '../../log/operation/store.ts';
import type { JOB_TYPES } from './table.ts';

export type JobType = (typeof JOB_TYPES)[number];

/** The failures and pauses in the progress of a job. */
export interface Pauses {
  /** The number of consecutive failures of a step that were not caused by an outage. */
  failuresCount?: number;
  /** No step is taken before this date (epoch milliseconds). */
  dueDate?: number;
}

/** A job under way. */
export interface LongJob<
  Type extends JobType = JobType,
  Phase extends string = string,
  Input extends object = object,
  Progress extends Pauses = Pauses,
> {
  uuid: string;
  organization: string;
  operationType: Type;
  phase: Phase;
  /** The request. */
  input: Input;
  /** The progress within the phase. */
  progress: Progress;
  /** When the phase began (epoch milliseconds). */
  phaseDate: number;
}

/** Why a job failed. */
export interface JobError {
  code: string;
  message: string;
}

/** Jobs are rows of the service, so only the object without an organization may use them. */
const isOfService = ({ organization }: Scope): SQL => sql`${organization} = ${NO_ORGANIZATION}`;

/** Jobs of these types that have not ended and are not paused. The job that was idle longest comes first. */
export async function openJobs<J extends LongJob>(
  database: Database,
  types: readonly J['operationType'][],
  maximum: number,
): Promise<J[]> {
  type Stored = Omit<J, 'input' | 'progress'> & { input: Json<J['input']>; progress: Json<J['progress']> };
  const rows = await database.all(sql<Stored>`SELECT uuid, organization_uuid AS organization,
      operation_type AS "operationType", phase, input, progress, phase_date AS "phaseDate" FROM long_job
    WHERE finish_date IS NULL AND coalesce(progress ->> 'dueDate', 0) <= ${Date.now()}
      AND operation_type IN (SELECT value FROM json_each(${JSON.stringify(types)}))
      AND ${isOfService(database)} ORDER BY update_date LIMIT ${maximum}`);
  return rows.map((row) => ({ ...row, input: parseJson(row.input), progress: parseJson(row.progress) }) as J);
}

/** When the first paused job is due (epoch milliseconds), or null. */
export async function nextDueDate(database: Database): Promise<number | null> {
  const row = await database.first(sql<{
    dueDate: number | null;
  }>`SELECT min(progress ->> 'dueDate') AS "dueDate"
    FROM long_job WHERE finish_date IS NULL AND ${isOfService(database)}`);
  return row?.dueDate ?? null;
}

/** The unfinished job of an organization. */
export const openJobQuery = (scope: Scope, organization: string): SQL<{ uuid: string }> =>
  sql`SELECT uuid FROM long_job
    WHERE organization_uuid = ${organization} AND finish_date IS NULL AND ${isOfService(scope)}`;

/** The organizations with an unfinished job. */
export async function organizationsWithJobs(database: Database): Promise<Set<string>> {
  const rows = await database.all(sql<{
    organization: string;
  }>`SELECT organization_uuid AS organization FROM long_job
    WHERE finish_date IS NULL AND ${isOfService(database)}`);
  return new Set(rows.map(({ organization }) => organization));
}

/** A job to be stored. An identifier that is an SQL expression with the value NULL fails the batch. */
export interface NewJob {
  uuid: string | SQL;
  organization: string | SQL;
  operationType: JobType;
  phase: string;
  input: object;
  error?: JobError;
  /** Epoch milliseconds. */
  now: number;
}

/** Store a new job. A condition may be added with `AND`. */
export const insertJob = (
  scope: Scope,
  { uuid, organization, operationType, phase, input, error, now }: NewJob,
): SQL => sql`INSERT INTO long_job (uuid, organization_uuid, operation_type, phase, input, progress, error_code,
    error_message, phase_date, create_date, update_date, finish_date)
  SELECT ${uuid}, ${organization}, ${operationType}, ${phase}, ${JSON.stringify(input)}, '{}', ${error?.code ?? null},
    ${error?.message ?? null}, ${now}, ${now}, ${now}, ${phase === 'DONE' ? now : null}
  WHERE ${isOfService(scope)}`;

/** Start to work on a job under this claim. @throws `TakenOver` if the job has ended */
export async function claimJob(databases: Databases, { uuid }: LongJob, claim: string): Promise<void> {
  const database = new Database(NO_ORGANIZATION, databases);
  const [claimed] = await database.all(sql<{ uuid: string }>`UPDATE long_job SET claim = ${claim},
      update_date = ${Date.now()}
    WHERE uuid = ${uuid} AND finish_date IS NULL AND ${isOfService(database)} RETURNING uuid`);
  if (!claimed) throw new TakenOver('the job has ended');
}

/**
 * Store the progress of a job, and other changes in `DB` with it. @throws `TakenOver` if its claim or its phase is not
 * the given one any more
 */
export async function noteProgress(
  databases: Databases,
  { uuid, phase: from }: LongJob,
  claim: string,
  { phase, progress, error }: { phase: string; progress: Pauses; error?: JobError | undefined },
  also: (service: Scope) => readonly SQL[] = () => [],
): Promise<void> {
  const database = new Database(NO_ORGANIZATION, databases);
  const now = Date.now();
  const noted = sql<{ uuid: string }>`UPDATE long_job SET phase = ${phase},
      progress = ${JSON.stringify(progress)}, update_date = ${now},
      phase_date = iif(phase = ${phase}, phase_date, ${now}),
      finish_date = iif(${phase} = 'DONE', ${now}, NULL),
      error_code = coalesce(${error?.code ?? null}, error_code),
      error_message = coalesce(${error?.message ?? null}, error_message)
    WHERE uuid = ${uuid} AND claim = ${claim} AND phase = ${from} AND finish_date IS NULL
      AND ${isOfService(database)}
    RETURNING uuid`;
  const [result] = await database.send([noted, ...also(database)]);
  if (result!.rows.length === 0) throw new TakenOver('another process has taken over the job');
}

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
      finish_date AS "finishDate" FROM long_job
    WHERE uuid = ${uuid} AND ${isOfService(database)}`);
  return row && oneItemOperation(uuid, row);
}
