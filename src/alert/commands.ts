import { sql } from 'drizzle-orm';
import { refusal } from '../lib/problem.ts';
import { viewOf } from '../lib/view.ts';
import { command, mergeChanges } from '../writer/command.ts';
import { resolvedAlerts } from './changes.ts';
import { alertView, openAlertsQuery } from './store.ts';
import { alert } from './table.ts';

/**
 * Resolve an alert: somebody has looked at what it is about. That itself stays as it is: a record of an invalid loading
 * goes by `removeInvalidLoading`, which resolves its alert as well. An alert that is resolved stays so.
 */
export const resolveAlert = command('resolveAlert', {
  ask: ({ scope }, { uuid }: { uuid: string }) => ({
    known: sql`SELECT 1 FROM alert WHERE uuid = ${uuid} AND +organization_uuid = ${scope.organization}`,
    open: openAlertsQuery(scope, sql`uuid = ${uuid} AND +status = 'OPEN'`),
  }),
  decide(context, { uuid }, { known, open }) {
    if (known.length === 0) return refusal('alertEventNotFound', 'There is no such alert.');
    return mergeChanges(answerOf(context.scope, uuid), [resolvedAlerts(context, open)]);
  },
});

const answerOf = viewOf(alertView, alert);
