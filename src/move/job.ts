import { sql } from 'drizzle-orm';
import type { Env } from '../env.ts';
import { databasesOf } from '../lib/databases.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { SECOND_MS } from '../lib/time.ts';
import { execute, ofService } from '../writer/client.ts';
import { type Job, UNTIL_ASKED } from '../writer/jobs.ts';
import type { Overdue } from '../writer/overdue.ts';
import { noteMove } from './commands.ts';
import { Mover } from './mover.ts';
import { openRelocations, type Relocation } from './store.ts';

/** Moves that one run carries on, one after the other. */
const MOVES_AT_ONCE = 10;
/** How long a run carries a move on. */
const PIECE_MS = 2 * SECOND_MS;
/** How soon a move is tried again that could not be carried on. */
const AGAIN_MS = 2 * SECOND_MS;

/**
 * Carry on the moves of organizations that were accepted, a piece of each. A job of the operator's object: all others sleep
 * through it.
 */
export const relocate: Job<Env> = async ({ env, database }) => {
  if (database.organization !== NO_ORGANIZATION) return UNTIL_ASKED;
  const moves = await openRelocations(database, MOVES_AT_ONCE);
  if (moves.length === 0) return UNTIL_ASKED;
  const carried = await Promise.all(moves.map((move) => carryOn(env, move)));
  return Date.now() + (carried.some((went) => went) ? 0 : AGAIN_MS);
};

/** Carry a move on for a while; whether that went well. */
async function carryOn(env: Env, move: Relocation): Promise<boolean> {
  const until = Date.now() + PIECE_MS;
  try {
    const mover = new Mover(databasesOf(env), move, (moved) => tell(env, moved));
    while (!(await mover.step()) && Date.now() < until);
    return true;
  } catch (error) {
    console.warn(JSON.stringify({ move: move.uuid, phase: move.phase, error: String(error) }));
    return false;
  }
}

/** Have the log of an organization say that it was moved, once however often it is told. */
async function tell(env: Env, { uuid, organization, fromName, toName }: Relocation): Promise<void> {
  const request = { ...ofService(noteMove.name, { fromName, toName }), commandId: uuid };
  const outcome = await execute(env, organization, request);
  if (outcome.kind !== 'done') throw new Error('the organization does not take writes yet');
}

/** That moves are under way which nobody has carried on for long. */
export const overdueRelocations: Overdue = (before) => sql`SELECT ${NO_ORGANIZATION} AS uuid FROM relocation
  WHERE finish_date IS NULL AND update_date <= ${before}`;
