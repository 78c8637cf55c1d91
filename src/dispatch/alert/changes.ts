import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { alertEntity, insertAlerts } from './store.ts';
import { alert, type NewAlert } from './table.ts';

/** Raise alerts. An alert gets a new uuid, unless it has one already. */
export function raiseAlerts(context: Context, alerts: readonly (NewAlert & { uuid?: string })[]): ChangePart {
  if (alerts.length === 0) return { writes: [], audit: [] };
  const raised = alerts.map((about) => ({ ...about, uuid: about.uuid ?? newUuid() }));
  return {
    writes: insertAlerts(context.scope, raised, context.now),
    audit: raised.map(({ uuid, gate, ...about }) =>
      audited(uuid, 'ALERT_RAISED', [
        { field: 'status', oldValue: null, newValue: 'OPEN' },
        ...changedFields(null, { ...about, gate: gate?.externalIdentifier ?? null }),
      ]),
    ),
    events: emit(
      context,
      'ALERT_RAISED',
      alertEntity,
      raised.map(({ uuid }) => ({ uuid, externalIdentifier: null })),
    ),
  };
}

/** Resolve open alerts from `openAlertsQuery`. */
export function resolvedAlerts({ scope, now }: Context, open: readonly { uuid: string }[]): ChangePart {
  if (open.length === 0) return { writes: [], audit: [] };
  const set = { status: 'RESOLVED', resolvedDate: now, updateDate: now } as const;
  return {
    writes: [scope.update(alert, set, { uuids: open.map(({ uuid }) => uuid) })],
    audit: open.map(({ uuid }) =>
      audited(uuid, 'ALERT_RESOLVED', [{ field: 'status', oldValue: 'OPEN', newValue: 'RESOLVED' }]),
    ),
  };
}

const audited = (uuid: string, action: AuditAction, changes: FieldChange[]) =>
  auditing('ALERT', () => null)(action, { uuid }, changes);
