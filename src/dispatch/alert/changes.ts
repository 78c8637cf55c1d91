import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { isoDateOrNull } from '../../core/lib/time.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { ALERTS } from './message-rules.ts';
import { alertEntity, insertAlerts } from './store.ts';
import { alert, type NewAlert } from './table.ts';

/** Raise alerts. An alert gets a new uuid, unless it has one already. */
export function raiseAlerts(context: Context, alerts: readonly (NewAlert & { uuid?: string })[]): ChangePart {
  if (alerts.length === 0) return { writes: [], audit: [] };
  const raised = alerts.map((about) => ({ ...about, uuid: about.uuid ?? newUuid() }));
  return {
    writes: insertAlerts(context.scope, raised, context.now),
    audit: raised.map(({ uuid, gate, plannedDate, params, ...about }) =>
      audited(uuid, 'ALERT_RAISED', [
        { field: 'status', oldValue: null, newValue: 'OPEN' },
        ...changedFields(null, {
          ...about,
          severity: ALERTS[about.alertType].severity,
          params,
          gate: gate?.externalIdentifier ?? null,
          plannedDate: isoDateOrNull(plannedDate),
        }),
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

/** Resolve open alerts from `openAlertsQuery`. `also` sets further columns. */
export function resolvedAlerts(
  { scope, now }: Context,
  open: readonly { uuid: string }[],
  also: { plannedDate?: null } = {},
): ChangePart {
  if (open.length === 0) return { writes: [], audit: [] };
  const set = { status: 'RESOLVED', resolvedDate: now, updateDate: now, ...also } as const;
  return {
    writes: [scope.update(alert, set, { uuids: open.map(({ uuid }) => uuid) })],
    audit: open.map(({ uuid }) =>
      audited(uuid, 'ALERT_RESOLVED', [{ field: 'status', oldValue: 'OPEN', newValue: 'RESOLVED' }]),
    ),
  };
}

/** Open alerts again, because what resolved them was undone. */
export function reopenedAlerts(context: Context, resolved: readonly { uuid: string }[]): ChangePart {
  if (resolved.length === 0) return { writes: [], audit: [] };
  const { scope, now } = context;
  const set = { status: 'OPEN', resolvedDate: null, updateDate: now } as const;
  return {
    writes: [scope.update(alert, set, { uuids: resolved.map(({ uuid }) => uuid) })],
    audit: resolved.map(({ uuid }) =>
      audited(uuid, 'ALERT_RAISED', [{ field: 'status', oldValue: 'RESOLVED', newValue: 'OPEN' }]),
    ),
    events: emit(
      context,
      'ALERT_RAISED',
      alertEntity,
      resolved.map(({ uuid }) => ({ uuid, externalIdentifier: null })),
    ),
  };
}

/**
 * Resolve alerts about a departure that no longer apply. The departure is removed from them, so they can be raised for it
 * again. An alert that a person resolved keeps its departure and is not raised for it again.
 */
export const settledDepartures = (context: Context, open: readonly { uuid: string }[]): ChangePart =>
  resolvedAlerts(context, open, { plannedDate: null });

const audited = (uuid: string, action: AuditAction, changes: FieldChange[]) =>
  auditing('ALERT', () => null)(action, { uuid }, changes);
