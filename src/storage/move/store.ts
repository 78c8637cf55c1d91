import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../core/lib/database.ts';
import { newUuid } from '../../core/lib/id.ts';
import { livesSomewhere } from '../../core/lib/look-up.ts';
import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { insertJob, type LongJob, openJobQuery, type Pauses } from '../long-job/store.ts';
import type { MOVE_PHASES } from '../long-job/table.ts';

export type Phase = (typeof MOVE_PHASES)[number];

/** The databases of a move, by their names. */
export interface Route {
  fromName: string;
  toName: string;
}

/** The progress of a move within its phase. */
export interface MoveProgress extends Pauses {
  /** While emptying the target: the number of tables whose changes are being recorded. */
  captured?: number;
  /** While copying: the index of the table, and the place in it (`access/database/walk.ts`). */
  table?: number;
  place?: { part: number; after: readonly (string | number)[] };
  /** While catching up: how many times all changed rows were copied. */
  rounds?: number;
}

/** A move under way, or a restore, which brings the rows of an export to another database. */
export type Relocation = LongJob<'ORGANIZATION_MOVE' | 'ORGANIZATION_RESTORE', Phase, Route, MoveProgress>;

/** The refusal while an organization is being moved. */
export const moveUnderWay = (organization: string): Refusal =>
  refusal(
    'moveUnderWay',
    `${named('Organization', organization)} is being moved. Try again when the move has finished.`,
    { facts: { name: organization } },
  );

/** A move whose record was lost, and the phase to continue it with. */
export interface Forgotten extends Route {
  phase: Phase;
}

/** Record a lost move again, unless the organization has a job under way. */
export async function noteForgotten(
  database: Database,
  organization: string,
  { fromName, toName, phase }: Forgotten,
): Promise<void> {
  const again = insertJob(database, {
    uuid: newUuid(),
    organization,
    operationType: 'ORGANIZATION_MOVE',
    phase,
    input: { fromName, toName },
    error: { code: 'moveForgotten', message: 'A database was restored to a state from before the move.' },
    now: Date.now(),
  });
  await database.send([sql`${again} AND NOT EXISTS (${openJobQuery(database, organization)})`]);
}

/** Where an organization lives according to `DB`. */
export const locationQuery = (
  scope: Scope,
  organization: string,
): SQL<{ databaseName: string | null; slug: string }> =>
  sql`SELECT database_name AS "databaseName", slug FROM organization
    WHERE uuid = ${organization} AND uuid <> ${scope.organization} AND ${livesSomewhere}`;
