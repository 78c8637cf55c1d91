import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Json } from '../../core/lib/json.ts';
import type { GateReference } from '../gate/rules.ts';
import { ALERTS, type AlertKind, type AlertParams, type AlertType } from './rules.ts';

export const ALERT_TYPES = Object.keys(ALERTS) as [AlertType, ...AlertType[]];
/** Some types of alerts in alphabetical order, as the conditions of indexes name them. */
export const alertTypes = (isMeant: (kind: AlertKind) => boolean): AlertType[] =>
  ALERT_TYPES.filter((alertType) => isMeant(ALERTS[alertType])).sort();
/** The types of alerts about the departure of a shipment. */
export const DEPARTURE_ALERT_TYPES = alertTypes(({ about }) => about === 'DEPARTURE');
/** The types of alerts about a load. `recordUuid` is its uuid. The index `alert_open_load` has these types. */
export const LOAD_ALERT_TYPES = alertTypes(({ about }) => about === 'LOAD' || about === 'DEPARTURE');
export const ALERT_SEVERITIES = ['WARNING', 'CRITICAL'] as const;
export const ALERT_STATUSES = ['OPEN', 'RESOLVED'] as const;

/** An event that a person has to check, raised at `createDate`. Dates are epoch milliseconds. */
export const alert = sqliteTable('alert', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  alertType: text('alert_type', { enum: ALERT_TYPES }).notNull(),
  severity: text('severity', { enum: ALERT_SEVERITIES }).notNull(),
  status: text('status', { enum: ALERT_STATUSES }).notNull(),
  /** JSON object of the facts that its message needs beside the other columns (`ALERTS`). */
  params: text('params').$type<Json<AlertParams[AlertType]>>().notNull(),
  /** The number of readings that it covers. */
  count: integer('count').notNull().default(1),
  gateUuid: text('gate_uuid'),
  trackIdentifier: text('track_identifier'),
  markerCode: integer('marker_code'),
  manifestExternalId: text('manifest_external_id'),
  shipmentExternalId: text('shipment_external_id'),
  /** The loading record, webhook, shipment or manifest that the alert is about. */
  recordUuid: text('record_uuid'),
  /** The device or tablet that the alert is about. */
  deviceUuid: text('device_uuid'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  resolvedDate: integer('resolved_date'),
  /** The planned departure that the alert is about. Null after the departure no longer applied, so that it can be reported again. */
  plannedDate: integer('planned_date'),
});

/**
 * The pallets and unknown markers that an open alert covers. A pallet leaves as soon as it is accounted for. If the
 * alert is resolved, a trigger deletes the others.
 */
export const alertPallet = sqliteTable(
  'alert_pallet',
  {
    organizationUuid: text('organization_uuid').notNull(),
    alertUuid: text('alert_uuid').notNull(),
    /** Empty for an unknown marker. */
    wmsId: text('wms_id').notNull(),
    /** 0 for a pallet without a marker. */
    markerCode: integer('marker_code').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationUuid, table.alertUuid, table.wmsId, table.markerCode] }),
  ],
);

/** A new alert. Fields that do not apply are missing or null. */
export type NewAlert = { [T in AlertType]: { alertType: T; params: AlertParams[T] } }[AlertType] & {
  gate?: Pick<GateReference, 'uuid' | 'externalIdentifier'> | null;
  trackIdentifier?: string | null;
  markerCode?: number | null;
  manifestExternalId?: string | null;
  shipmentExternalId?: string | null;
  recordUuid?: string;
  deviceUuid?: string;
  /** Only of an alert about a planned departure (epoch milliseconds). */
  plannedDate?: number;
};
