import { OPERATOR_LOG, operatorOf } from '../../access/credential/operator.ts';
import { roomFor } from '../../access/database/room.ts';
import { settingsOf } from '../../core/env.ts';
import type { AppContext } from '../../core/http/types.ts';
import { type Submission, writeAs } from '../../core/http/write.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { acceptMove } from './commands.ts';

/** Start moving an organization to another database on behalf of the operator; returns the operation. */
export async function beginMove(
  c: AppContext,
  submission: Submission,
  organizationUuid: string,
  databaseName: string,
): Promise<string> {
  const limit = settingsOf(c.env).DATABASE_LIMIT_BYTES;
  const room = await roomFor(databasesOf(c.env), databaseName, limit);
  const refused = typeof room === 'string' ? null : room;
  const input = { organizationUuid, databaseName, refused };
  const { body } = await writeAs(c, submission, OPERATOR_LOG, operatorOf(c), acceptMove, input);
  return body.operationUuid;
}
