import { sql } from 'drizzle-orm';
import { missing } from '../../core/lib/missing.ts';
import { inList } from '../../core/lib/sql.ts';
import { viewOf } from '../../core/lib/view.ts';
import { command, decideItems, mergeChanges } from '../../core/writer/command.ts';
import { resolvedAlertsChange } from './changes.ts';
import { alertView, openAlertsQuery } from './store.ts';
import { alert } from './table.ts';

/**
 * Resolve an alert after its cause was taken care of. Its subject does not change.
 * `removeInvalidLoading` removes an invalid loading and also resolves its alert. A resolved alert
 * stays resolved.
 */
export const resolveAlert = command('resolveAlert', {
  ask: ({ scope }, { uuid }: { uuid: string }) => ({
    known: sql`SELECT 1 FROM alert WHERE uuid = ${uuid} AND +organization_uuid = ${scope.organization}`,
    open: openAlertsQuery(scope, sql`uuid = ${uuid} AND +status = 'OPEN'`),
  }),
  decide(context, { uuid }, { known, open }) {
    if (known.length === 0) return missing('alertEventNotFound', uuid);
    return mergeChanges(answerOf(context.scope, uuid), [resolvedAlertsChange(context, open)]);
  },
});

/** Resolve many alerts in one commit. An alert that is already resolved counts as done. The items have uuids as names. */
export const resolveAlerts = command('resolveAlerts', {
  exclusive: true,
  ask: ({ scope }, { uuids }: { uuids: string[] }) => ({
    known: sql<{ uuid: string; status: string }>`SELECT uuid, status FROM alert
      WHERE uuid ${inList(uuids)} AND +organization_uuid = ${scope.organization}`,
  }),
  decide(context, { uuids }, { known }) {
    const { taken, became } = decideItems(uuids, (uuid) => {
      const found = known.find((one) => one.uuid === uuid);
      return { name: uuid, of: found ?? missing('alertEventNotFound', uuid) };
    });
    const open = taken.filter(({ status }) => status === 'OPEN');
    return { ...resolvedAlertsChange(context, open), answer: { value: { became } } };
  },
});

const answerOf = viewOf(alertView, alert);
