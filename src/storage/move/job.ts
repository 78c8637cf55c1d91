import type { Env } from '../../core/env.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import type { JobKind } from '../long-job/job.ts';
import { noteMove } from './commands.ts';
import { MoveRunner } from './move-runner.ts';
import type { Relocation } from './store.ts';

/** Moves as long jobs. */
export const moves: JobKind = {
  types: ['ORGANIZATION_MOVE'],
  atOnce: 10,
  begin: (env, job) => new MoveRunner(databasesOf(env), job as Relocation, (moved) => tell(env, moved)),
};

/** Record the move in the organization's log, once however often this is called. */
export async function tell(env: Env, { uuid, organization, input }: Relocation): Promise<void> {
  const { fromName, toName } = input;
  const request = { ...ofService(noteMove.name, { fromName, toName }), idempotencyKey: uuid };
  const outcome = await execute(env, organization, request);
  if (outcome.kind !== 'done') throw new Error('the organization does not take writes yet');
}
