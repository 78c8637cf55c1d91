import { sql } from 'drizzle-orm';
import { changedFields, type FieldChange } from '../../core/lib/changes.ts';
import { newUuid } from '../../core/lib/id.ts';
import { rowsTable } from '../../core/lib/sql.ts';
import { isoDateOrNull } from '../../core/lib/time.ts';
import type { AuditAction } from '../../core/writer/audit-actions.ts';
import { auditing } from '../../core/writer/audited.ts';
import { type ChangePart, type Context, mergeChanges } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { ALERTS } from './rules.ts';
import { type AlertPallet, alertEntity, insertAlerts } from './store.ts';
import { alert, alertPallet, type NewAlert } from './table.ts';

/** Raise alerts. An alert gets a new uuid, unless it has one already. */
export function raisedAlertsChange(
  context: Context,
  alerts: readonly (NewAlert & { uuid?: string })[],
): ChangePart {
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
export function resolvedAlertsChange(
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
export function reopenedAlertsChange(context: Context, resolved: readonly { uuid: string }[]): ChangePart {
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
export const settledDeparturesChange = (context: Context, open: readonly { uuid: string }[]): ChangePart =>
  resolvedAlertsChange(context, open, { plannedDate: null });

const audited = (uuid: string, action: AuditAction, changes: FieldChange[]) =>
  auditing('ALERT', () => null)(action, { uuid }, changes);

/** A pallet, or an unknown marker. A pallet without a marker has no code. */
export interface PalletOrMarker {
  wmsId: string | null;
  markerCode: number | null;
}

/** Store the pallets that new or open alerts cover. */
export const coveredPalletsChange = (
  { scope }: Context,
  pallets: readonly (PalletOrMarker & { alertUuid: string })[],
): ChangePart => ({
  writes: scope.insert(
    alertPallet,
    pallets.map(({ alertUuid, wmsId, markerCode }) => ({
      alertUuid,
      wmsId: wmsId ?? '',
      markerCode: markerCode ?? 0,
    })),
  ),
  audit: [],
});

/**
 * Count further readings at a gate without work in its open alert. This raises no event: one alert is one message.
 */
export function countedReadingsChange(
  { scope, now }: Context,
  alertUuid: string,
  further: number,
): ChangePart {
  const set = { count: sql`count + ${further}`, updateDate: now };
  return { writes: further === 0 ? [] : [scope.update(alert, set, { uuids: [alertUuid] })], audit: [] };
}

/**
 * These pallets are accounted for, so their alerts do not cover them any more. An alert is resolved with its last
 * pallet. The rows come from `aboardQuery` and are read in the same commit.
 */
export function readAgainChange(context: Context, rows: readonly AlertPallet[]): ChangePart {
  if (rows.length === 0) return { writes: [], audit: [] };
  const resolved = [...Map.groupBy(rows, ({ alertUuid }) => alertUuid)].filter(
    ([, settled]) => settled.length === settled[0]!.remaining,
  );
  const done = new Set(resolved.map(([uuid]) => uuid));
  const left = rows.filter(({ alertUuid }) => !done.has(alertUuid));
  const given = left.map(({ alertUuid, wmsId, markerCode }) => [alertUuid, wmsId ?? '', markerCode ?? 0]);
  return mergeChanges({ value: null }, [
    {
      writes:
        left.length === 0
          ? []
          : [
              context.scope.remove(
                alertPallet,
                sql`(alert_uuid, wms_id, marker_code) IN (SELECT value ->> 0, value ->> 1, value ->> 2
                  FROM ${rowsTable(JSON.stringify(given))})`,
              ),
            ],
      audit: [],
    },
    resolvedAlertsChange(
      context,
      resolved.map(([uuid]) => ({ uuid })),
    ),
  ]);
}
