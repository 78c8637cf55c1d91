import { sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { ON_REQUEST } from '../../core/writer/job-timing.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';
import { noteMove } from './commands.ts';
import { MoveRunner } from './move-runner.ts';
import { openRelocations, type Relocation } from './store.ts';

/** The most moves that one run works on at the same time. */
const MOVES_AT_ONCE = 10;
/** How long a run works on a move. */
const PIECE_MS = 2 * SECOND_MS;
/** How soon a move is tried again after a failure. */
const AGAIN_MS = 2 * SECOND_MS;

/** Continue accepted moves, a piece of each. A job of the operator's object; those of other organizations sleep. */
export const relocate: Job<Env> = async ({ env, database }) => {
  if (database.organization !== NO_ORGANIZATION) return ON_REQUEST;
  const moves = await openRelocations(database, MOVES_AT_ONCE);
  if (moves.length === 0) return ON_REQUEST;
  const carried = await Promise.all(moves.map((move) => carryOn(env, move)));
  return Date.now() + (carried.some((went) => went) ? 0 : AGAIN_MS);
};

/** Work on a move for a while. Returns whether that succeeded. */
async function carryOn(env: Env, move: Relocation): Promise<boolean> {
  const until = Date.now() + PIECE_MS;
  try {
    const mover = new MoveRunner(databasesOf(env), move, (moved) => tell(env, moved));
    while (!(await mover.step()) && Date.now() < until);
    return true;
  } catch (error) {
    console.warn(JSON.stringify({ move: move.uuid, phase: move.phase, error: String(error) }));
    return false;
  }
}

/** Record the move in the organization's log, once however often this is called. */
async function tell(env: Env, { uuid, organization, fromName, toName }: Relocation): Promise<void> {
  const request = { ...ofService(noteMove.name, { fromName, toName }), commandId: uuid };
  const outcome = await execute(env, organization, request);
  if (outcome.kind !== 'done') throw new Error('the organization does not take writes yet');
}

/** Finds the operator's object where a move has not been continued for too long. */
export const overdueRelocations: Overdue = (before) => sql`SELECT ${NO_ORGANIZATION} AS uuid FROM relocation
  WHERE finish_date IS NULL AND update_date <= ${before}`;
