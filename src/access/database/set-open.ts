import type { AppContext } from '../../core/http/types.ts';
import { refuseMissing, type Submission, writeAs } from '../../core/http/write.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { OPERATOR_LOG, operatorOf } from '../credential/operator.ts';
import { updateDatabase } from './commands.ts';
import type { StoredDatabase } from './store.ts';

/** Open or close a database for new organizations, for the operator. */
export async function setOpen(
  c: AppContext,
  submission: Submission,
  databaseName: string,
  open: boolean,
): Promise<StoredDatabase> {
  if (!databasesOf(c.env).has(databaseName)) return refuseMissing('databaseNotFound', databaseName);
  const input = { databaseName, open };
  const { body } = await writeAs(c, submission, OPERATOR_LOG, operatorOf(c), updateDatabase, input);
  return body;
}
