import { type SQL, sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION, newUuid } from '../../core/lib/id.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { type OneItemOperation, oneItemOperation } from '../../log/operation/one-item-store.ts';
import type { PHASES } from './table.ts';

export type Phase = (typeof PHASES)[number];

/** The progress of a move within its phase. */
export interface MoveProgress {
  /** While copying: the index of the table, and the position in it. */
  table?: number;
  after?: readonly (string | number)[];
}

/** A move under way. */
export interface Relocation {
  uuid: string;
  organization: string;
  fromName: string;
  toName: string;
  phase: Phase;
  progress: MoveProgress;
  /** Epoch milliseconds. */
  phaseDate: number;
}

const columns = sql`uuid, organization_uuid AS organization, from_name AS "fromName", to_name AS "toName", phase,
  progress, phase_date AS "phaseDate"`;
type Stored = Omit<Relocation, 'progress'> & { progress: Json<MoveProgress> };
const belongsToNobody = ({ organization }: Scope): SQL => sql`${organization} = ${NO_ORGANIZATION}`;

/** Moves that have not ended, the one that was idle longest first. */
export async function openRelocations(database: Database, maximum: number): Promise<Relocation[]> {
  const rows = await database.all(sql<Stored>`SELECT ${columns} FROM relocation
    WHERE finish_date IS NULL AND ${belongsToNobody(database)} ORDER BY update_date LIMIT ${maximum}`);
  return rows.map((row) => ({ ...row, progress: parseJson(row.progress) }));
}

/** The unfinished move of an organization. */
export const openRelocationQuery = (scope: Scope, organization: string): SQL<{ uuid: string }> =>
  sql`SELECT uuid FROM relocation
    WHERE organization_uuid = ${organization} AND finish_date IS NULL AND ${belongsToNobody(scope)}`;

/** Organizations with a move, an import or an erasure under way. */
export async function onTheirWay(database: Database): Promise<Set<string>> {
  const rows = await database.all(sql<{ organization: string }>`
    SELECT organization_uuid AS organization FROM relocation
      WHERE finish_date IS NULL AND ${belongsToNobody(database)}
    UNION SELECT organization_uuid FROM organization_job WHERE finish_date IS NULL`);
  return new Set(rows.map(({ organization }) => organization));
}

/** A move whose record was lost, and the phase to continue it with. */
export type Forgotten = Pick<Relocation, 'fromName' | 'toName' | 'phase'>;

/** Record a lost move again, unless the organization has one under way. */
export async function noteForgotten(
  database: Database,
  organization: string,
  { fromName, toName, phase }: Forgotten,
): Promise<void> {
  const now = Date.now();
  await database.send([
    sql`INSERT INTO relocation (uuid, organization_uuid, from_name, to_name, phase, progress, error_code, error_message,
        phase_date, create_date, update_date)
      SELECT ${newUuid()}, ${organization}, ${fromName}, ${toName}, ${phase}, '{}', 'moveForgotten',
        'A database was put back to before the move.', ${now}, ${now}, ${now}
      WHERE ${belongsToNobody(database)}
        AND NOT EXISTS (SELECT 1 FROM relocation WHERE organization_uuid = ${organization} AND finish_date IS NULL)
        AND NOT EXISTS (SELECT 1 FROM organization_job
          WHERE organization_uuid = ${organization} AND finish_date IS NULL)`,
  ]);
}

/** Where an organization lives according to `DB`. */
export const locationQuery = (
  scope: Scope,
  organization: string,
): SQL<{ databaseName: string | null; slug: string }> =>
  sql`SELECT database_name AS "databaseName", slug FROM organization
    WHERE uuid = ${organization} AND uuid <> ${scope.organization} AND ${livesSomewhere}`;

/** Why a move failed. */
export interface MoveError {
  code: string;
  message: string;
}

/** Start working on a move under this claim. */
export async function claimRelocation(
  databases: Databases,
  { uuid }: Relocation,
  claim: string,
): Promise<void> {
  const database = new Database(NO_ORGANIZATION, databases);
  await database.send([
    sql`UPDATE relocation SET claim = ${claim}, update_date = ${Date.now()}
      WHERE uuid = ${uuid} AND finish_date IS NULL AND ${belongsToNobody(database)}`,
  ]);
}

/** Record the progress of a move that is in the given phase. @throws `TakenOver` */
export async function noteProgress(
  databases: Databases,
  { uuid, phase: from }: Relocation,
  phase: Phase,
  progress: MoveProgress,
  { begins, claim, error }: { begins: boolean; claim: string; error?: MoveError },
): Promise<void> {
  const database = new Database(NO_ORGANIZATION, databases);
  const now = Date.now();
  const [noted] = await database.all(
    sql<{
      uuid: string;
    }>`UPDATE relocation SET phase = ${phase}, progress = ${JSON.stringify(progress)}, update_date = ${now},
      phase_date = iif(${Number(begins)}, ${now}, phase_date),
      error_code = coalesce(${error?.code ?? null}, error_code),
      error_message = coalesce(${error?.message ?? null}, error_message),
      finish_date = iif(${phase} = 'DONE', ${now}, NULL)
    WHERE uuid = ${uuid} AND claim = ${claim} AND phase = ${from} AND finish_date IS NULL
      AND ${belongsToNobody(database)}
    RETURNING uuid`,
  );
  if (!noted) throw new TakenOver('the move is carried on by somebody else');
}

/** A move in the form in which operations show it. */
export async function readRelocation(
  database: Database,
  uuid: string,
): Promise<OneItemOperation<'ORGANIZATION_MOVE'> | undefined> {
  const row = await database.first(sql<{
    organization: string;
    errorCode: string | null;
    errorMessage: string | null;
    createDate: number;
    updateDate: number;
    finishDate: number | null;
  }>`SELECT organization_uuid AS organization, error_code AS "errorCode", error_message AS "errorMessage",
      create_date AS "createDate", update_date AS "updateDate", finish_date AS "finishDate" FROM relocation
    WHERE uuid = ${uuid} AND ${belongsToNobody(database)}`);
  return row && oneItemOperation(uuid, { ...row, operationType: 'ORGANIZATION_MOVE' });
}
