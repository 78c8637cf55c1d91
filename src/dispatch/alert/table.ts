import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { GateReference } from '../gate/rules.ts';

export const ALERT_TYPES = [
  'WRONGLY_LOADED',
  'UNKNOWN_LOADING',
  'SCAN_WITHOUT_ACTIVE_MANIFEST',
  'DEVICE_OFFLINE',
  'WEBHOOK_DISABLED',
  'SIGN_IN_LIMIT_REACHED',
  'DEPARTURE_LATE',
  'DEPARTURE_AT_RISK',
  'COMPLETED_SHORT',
] as const;
export const ALERT_SEVERITIES = ['WARNING', 'CRITICAL'] as const;
export const ALERT_STATUSES = ['OPEN', 'RESOLVED'] as const;

/** An event that a person has to check, raised at `createDate`. Dates are epoch milliseconds. */
export const alert = sqliteTable('alert', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  alertType: text('alert_type', { enum: ALERT_TYPES }).notNull(),
  severity: text('severity', { enum: ALERT_SEVERITIES }).notNull(),
  status: text('status', { enum: ALERT_STATUSES }).notNull(),
  message: text('message').notNull(),
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

/** A new alert. Fields that do not apply are null. */
export interface NewAlert {
  alertType: (typeof ALERT_TYPES)[number];
  severity: (typeof ALERT_SEVERITIES)[number];
  message: string;
  gate: Pick<GateReference, 'uuid' | 'externalIdentifier'> | null;
  trackIdentifier: string | null;
  markerCode: number | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  recordUuid: string | null;
  deviceUuid: string | null;
  /** Missing unless the alert is about a planned departure (epoch milliseconds). */
  plannedDate?: number;
}
