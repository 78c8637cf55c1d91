import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { dateFilter } from '../../core/http/dates.ts';
import { deepLink } from '../../core/http/link.ts';
import { list } from '../../core/http/list.ts';
import { dateRange, listParts, totalOf } from '../../core/http/list-statements.ts';
import { several, text } from '../../core/http/schema.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import type { EntityKind } from '../../log/event/store.ts';
import { gateReferenceView, gatesNamed, presentGateReference } from '../gate/store.ts';
import {
  ALERTS,
  type AlertOfPallets,
  type AlertParams,
  type AlertType,
  englishMessage,
  NAMED_MAXIMUM,
  type StillAboard,
} from './rules.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  ALERT_TYPES,
  alert,
  DEPARTURE_ALERT_TYPES,
  LOAD_ALERT_TYPES,
  type NewAlert,
} from './table.ts';

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

/** A pallet or unknown marker that an open alert covers. */
export interface AlertPallet {
  alertUuid: string;
  alertType: AlertOfPallets;
  gateUuid: string | null;
  /** Null for an unknown marker. */
  wmsId: string | null;
  /** Null for a pallet without a marker. */
  markerCode: number | null;
  /**
   * The number of pallets that the alert covers. At most one more than the rows of the query, so that the read does
   * not grow with the alert.
   */
  remaining: number;
}

/** SQL: the rows of `AlertPallet` for the rows of `found`, which has the columns of `alert_pallet`. */
const rowsOf = ({
  organization,
}: Scope): SQL => sql`SELECT l.uuid AS "alertUuid", l.alert_type AS "alertType",
    l.gate_uuid AS "gateUuid", nullif(found.wms_id, '') AS "wmsId", nullif(found.marker_code, 0) AS "markerCode",
    (SELECT count(*) FROM (SELECT 1 FROM alert_pallet other WHERE other.organization_uuid = ${organization}
      AND other.alert_uuid = l.uuid LIMIT (SELECT count(*) + 1 FROM found))) AS remaining
  FROM found CROSS JOIN alert l ON l.uuid = found.alert_uuid AND +l.organization_uuid = ${organization}`;

/**
 * Read the open alerts that cover these pallets. `wmsIds` and `codes` are `IN` conditions. An unknown marker is found by
 * its code, a pallet also by its WMS id: it may have another marker since. The conditions are evaluated only if an open
 * alert covers any pallet.
 */
export function aboardQuery(scope: Scope, wmsIds: SQL, codes: SQL): SQL<AlertPallet> {
  const own = sql`organization_uuid = ${scope.organization}`;
  const part = (index: SQL, given: SQL): SQL => sql`SELECT alert_uuid, wms_id, marker_code
    FROM alert_pallet INDEXED BY ${index} WHERE EXISTS (SELECT 1 FROM alert_pallet WHERE ${own}) AND ${own} AND ${given}`;
  return sql`WITH found AS MATERIALIZED (
    ${part(sql`alert_pallet_wms_id`, sql`wms_id <> '' AND wms_id ${wmsIds}`)}
    UNION ${part(sql`alert_pallet_marker_code`, sql`marker_code <> 0 AND marker_code ${codes}`)})
  ${rowsOf(scope)}`;
}

/** A row of `readAtGateQuery`. Only the open alert about readings at the gate has no pallet. */
export type AlertAtGate = AlertPallet | (Omit<AlertPallet, 'remaining'> & { remaining: null });

/**
 * The same for readings at a gate. A further row is the open alert that counts readings at this gate without work, if
 * there is one.
 */
export const readAtGateQuery = (
  scope: Scope,
  gateUuid: SQL,
  wmsIds: SQL,
  codes: SQL,
): SQL<AlertAtGate> => sql`${aboardQuery(scope, wmsIds, codes)}
  UNION ALL SELECT uuid, alert_type, gate_uuid, NULL, NULL, NULL FROM alert
  WHERE organization_uuid = ${scope.organization} AND gate_uuid = ${gateUuid} AND status = 'OPEN'
    AND alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST'`;

/**
 * Read the open alert about readings at a gate without work, if a load that starts there expects one of the pallets.
 * `manifests` is an `IN` condition on manifest uuids. The load is at the gate of its manifests.
 */
export const expectedHereQuery = (
  { organization }: Scope,
  manifests: SQL,
): SQL<{ uuid: string }> => sql`SELECT l.uuid
  FROM alert l INDEXED BY alert_open_gate WHERE l.organization_uuid = ${organization} AND l.status = 'OPEN'
    AND l.alert_type = 'SCAN_WITHOUT_ACTIVE_MANIFEST'
    AND l.gate_uuid IN (SELECT m.gate_uuid FROM manifest m
      WHERE m.uuid ${manifests} AND +m.organization_uuid = ${organization})
    AND EXISTS (SELECT 1 FROM alert_pallet p CROSS JOIN asset_loading a ON a.organization_uuid = p.organization_uuid
        AND a.wms_id = p.wms_id AND a.closed = 0 AND a.manifest_uuid ${manifests}
      WHERE p.organization_uuid = ${organization} AND p.alert_uuid = l.uuid AND p.wms_id <> ''
        AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING'))`;

export const alertList = list({
  table: 'alert',
  view: alertView,
  sorting: {
    columns: {
      createDate: { expression: sql`alert.create_date`, stable: true },
      raisedDate: { expression: sql`alert.create_date`, stable: true },
      updateDate: { expression: sql`alert.update_date`, stable: false },
      resolvedDate: { expression: sql`alert.resolved_date`, stable: false },
    },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: {
    alertType: several(z.enum(ALERT_TYPES)).optional(),
    severity: several(z.enum(ALERT_SEVERITIES)).optional(),
    status: several(z.enum(ALERT_STATUSES)).optional(),
    gateExternalId: several(text(1, 255))
      .optional()
      .describe('At any of these gates, by external id or UUID'),
    manifestExternalId: several(text(1, 255)).optional(),
    shipmentExternalId: several(text(1, 255)).optional(),
    trackIdentifier: several(text(1, 255)).optional(),
    raisedDateAfter: dateFilter.optional(),
    raisedDateBefore: dateFilter.optional(),
  },
  rows({ organization }, query) {
    const parts = listParts(sql`alert.status`, query.status);
    return {
      conditions: [sql`alert.organization_uuid = ${organization}`],
      parts,
      count: totalOf(organization, 'alert', parts),
      filtering: [
        query.alertType && sql`alert.alert_type ${inList(query.alertType)}`,
        query.severity && sql`alert.severity ${inList(query.severity)}`,
        query.gateExternalId && sql`alert.gate_uuid ${gatesNamed(organization, query.gateExternalId)}`,
        query.manifestExternalId && sql`alert.manifest_external_id ${inList(query.manifestExternalId)}`,
        query.shipmentExternalId && sql`alert.shipment_external_id ${inList(query.shipmentExternalId)}`,
        query.trackIdentifier && sql`alert.track_identifier ${inList(query.trackIdentifier)}`,
        dateRange(sql`alert.create_date`, query.raisedDateAfter, query.raisedDateBefore),
      ],
    };
  },
});
