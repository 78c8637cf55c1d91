import { sql } from 'drizzle-orm';
import { refusal } from '../lib/problem.ts';
import { type Command, mergeChanges } from '../writer/command.ts';
import { resolveAlerts } from './changes.ts';
import { alertView } from './store.ts';

/**
 * Resolve an alert: somebody has looked at what it is about. That itself stays as it is: a record of an invalid loading
 * goes by `removeInvalidLoading`, which resolves its alert as well. An alert that is resolved stays so.
 */
export const resolveAlert: Command<{ uuid: string }> = async (context, { uuid }) => {
  const { database } = context;
  const found = sql`uuid = ${uuid} AND +organization_uuid = ${database.organization}`;
  const known = await database.first(sql`SELECT 1 FROM alert WHERE ${found}`);
  if (!known) return refusal('alertEventNotFound', 'There is no such alert.');
  const answer = sql`SELECT ${alertView} FROM alert WHERE ${found}`;
  return mergeChanges(answer, [await resolveAlerts(context, sql`uuid = ${uuid} AND +status = 'OPEN'`)]);
};
