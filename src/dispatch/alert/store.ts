import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import type { EntityKind } from '../../log/event/store.ts';
import { gateReferenceView, presentGateReference } from '../gate/store.ts';
import { ALERTS, type AlertParams, type AlertType, englishMessage, NAMED_MAXIMUM } from './message-rules.ts';
import type { StillAboard } from './pallet-rules.ts';
import { alert, DEPARTURE_ALERT_TYPES, LOAD_ALERT_TYPES, type NewAlert } from './table.ts';

/** Insert alerts with their new uuids. */
export function insertAlerts(
  scope: Scope,
  alerts: readonly (NewAlert & { uuid: string })[],
  now: number,
): Write[] {
  return scope.insert(
    alert,
    alerts.map(({ gate, params, ...raised }) => ({
      ...raised,
      severity: ALERTS[raised.alertType].severity,
      params: JSON.stringify(params),
      gateUuid: gate?.uuid ?? null,
      status: 'OPEN' as const,
      createDate: now,
      updateDate: now,
    })),
  );
}

/** SQL condition: open alerts about these loading records (`IN` condition). */
export const openAboutRecords = (records: SQL): SQL =>
  // The plus keeps SQLite from walking all open alerts of the organization.
  sql`record_uuid ${records} AND +status = 'OPEN'`;

/** SQL condition: the open alert about a device or tablet. */
export const openAboutDevice = (deviceUuid: string): SQL =>
  sql`device_uuid = ${deviceUuid} AND status = 'OPEN'`;

/** SQL condition on the type of an alert: it is one of these. The types are literals, so that SQLite can use partial indexes. */
export const amongTypes = (types: readonly AlertType[]): SQL =>
  sql.raw(`IN (${types.map((type) => `'${type}'`).join(', ')})`);

/** SQL condition on the type of an alert: it is about the departure of a shipment. */
export const isAboutDeparture = amongTypes(DEPARTURE_ALERT_TYPES);

/** SQL condition on the type of an alert: it is about a load. The text is the condition of the index `alert_open_load`. */
export const isAboutLoad = amongTypes(LOAD_ALERT_TYPES);

/** SQL condition: the open alerts about the departure of a shipment. */
export const openAboutDeparture = (shipmentUuid: SQL): SQL =>
  sql`record_uuid = ${shipmentUuid} AND +status = 'OPEN' AND +alert_type ${isAboutDeparture}`;

/** SQL condition: the open alerts about missing pallets at the completion of these loads (`IN` condition). */
export const openAboutShort = (loads: SQL): SQL =>
  sql`record_uuid ${loads} AND +status = 'OPEN' AND +alert_type = 'COMPLETED_SHORT'`;

/** Find open alerts with one of these conditions. */
export const openAlertsQuery = (scope: Scope, open: SQL): SQL<{ uuid: string }> => sql`SELECT uuid FROM alert
  WHERE organization_uuid = ${scope.organization} AND ${open} ORDER BY +create_date, uuid`;

/** SQL: JSON of `StillAboard` of an open alert. Null for alerts of other types. */
export const stillAboardView = sql<StillAboard | null>`json(iif(alert.alert_type = 'PALLETS_ABOARD' AND alert.status = 'OPEN',
  (SELECT json_object('count', count(*), 'wmsIds', (SELECT json_group_array(wms_id) FROM (SELECT p.wms_id
      FROM alert_pallet p WHERE p.organization_uuid = alert.organization_uuid AND p.alert_uuid = alert.uuid
        AND p.wms_id <> '' LIMIT ${sql.raw(String(NAMED_MAXIMUM))}))) FROM alert_pallet
    WHERE alert_pallet.organization_uuid = alert.organization_uuid AND alert_pallet.alert_uuid = alert.uuid), NULL))`;

export const alertView = view({
  uuid: alert.uuid,
  alertType: alert.alertType,
  severity: alert.severity,
  status: alert.status,
  params: json<AlertParams[AlertType]>(sql`alert.params`),
  count: alert.count,
  gate: gateReferenceView(sql`alert.organization_uuid`, sql`alert.gate_uuid`),
  trackIdentifier: alert.trackIdentifier,
  markerCode: alert.markerCode,
  manifestExternalId: alert.manifestExternalId,
  shipmentExternalId: alert.shipmentExternalId,
  recordUuid: alert.recordUuid,
  deviceUuid: alert.deviceUuid,
  createDate: alert.createDate,
  updateDate: alert.updateDate,
  resolvedDate: alert.resolvedDate,
  /** Only for pages: the message of the API names the pallets that were aboard at first. */
  stillAboard: stillAboardView,
});
export type StoredAlert = Viewed<typeof alertView>;

/** Read the JSON of one alert. */
export const alertQuery = ({ organization }: Scope, uuid: string) => sql<
  ViewRow<typeof alertView>
>`SELECT ${alertView} AS view
  FROM alert WHERE alert.uuid = ${uuid} AND +alert.organization_uuid = ${organization}`;

/**
 * Read the JSON of the open alerts about loads, latest first. `loads` is a condition on the uuid of a shipment or of a
 * manifest in no shipment. The types are the condition of the index.
 */
export const openLoadAlertsQuery = ({ organization }: Scope, loads: SQL) => sql<
  ViewRow<typeof alertView>
>`SELECT ${alertView} AS view FROM alert INDEXED BY alert_open_load
  WHERE alert.organization_uuid = ${organization} AND alert.record_uuid ${loads} AND alert.status = 'OPEN'
    AND alert.alert_type ${isAboutLoad}
  ORDER BY alert.create_date DESC, alert.uuid DESC`;

/** An alert as the API shows it. `time` writes the dates in its message. */
export function presentAlert(
  links: string,
  { params, stillAboard: _, ...stored }: StoredAlert,
  time?: (date: number) => string,
) {
  return {
    ...stored,
    message: englishMessage({ ...stored, params }, time),
    gate: presentGateReference(links, stored.gate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'alert', stored.uuid),
    raisedDate: isoDate(stored.createDate),
    resolvedDate: isoDateOrNull(stored.resolvedDate),
  };
}

/** How events describe alerts. */
export const alertEntity: EntityKind = {
  type: 'ALERT',
  data: (uuid) => sql`(SELECT ${alertView} FROM alert WHERE alert.uuid = ${uuid})`,
};
