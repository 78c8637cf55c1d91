import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The types of events. */
export const EVENT_TYPES = [
  'COUPLING_SUCCEEDED',
  'COUPLING_FAILED',
  'OPERATION_COMPLETED',
  'MANIFEST_STATUS_CHANGED',
  'MANIFEST_UPDATED',
  'SHIPMENT_STATUS_CHANGED',
  'SHIPMENT_ARRIVED',
  'ASSET_LOADING_STATUS_CHANGED',
  'UNAUTHORIZED_LOADING_ADDED',
  'UNAUTHORIZED_LOADING_RESOLVED',
  'GATE_STATUS_CHANGED',
  'SIGNATURE_ADDED',
  'ALERT_RAISED',
  'PHOTO_ADDED',
  'STORE_REWOUND',
] as const;

/** The kinds of things that events are about. */
export const EVENT_ENTITY_TYPES = [
  'TRACK',
  'MANIFEST',
  'SHIPMENT',
  'ASSET_LOADING',
  'GATE',
  'ALERT',
  'PHOTO',
  'OPERATION',
  'ORGANIZATION',
] as const;

const columns = {
  uuid: text('uuid').notNull(),
  eventType: text('event_type', { enum: EVENT_TYPES }).notNull(),
  /** Epoch milliseconds. */
  eventDate: integer('event_date').notNull(),
  /** The background operation that it belongs to. */
  operationUuid: text('operation_uuid'),
  entityType: text('entity_type', { enum: EVENT_ENTITY_TYPES }).notNull(),
  entityUuid: text('entity_uuid'),
  entityExternalId: text('entity_external_id'),
  /** JSON of the resource as of that commit (its module's view). */
  data: text('data'),
  /** JSON `{code, message}`. */
  error: text('error'),
  /** The trace context of the request that caused it. */
  traceparent: text('traceparent'),
};

/** The event log of all organizations. */
export const event = sqliteTable('event', {
  /** The number of the organization, and the sequence number: see `rowIdOf`. */
  id: integer('id').primaryKey(),
  ...columns,
});

/** The event log with the organizations of the events. This is a view; its triggers write to `event`. */
export const eventLog = sqliteTable('event_log', {
  organizationUuid: text('organization_uuid').notNull(),
  /** From 1, without gaps. */
  sequenceNumber: integer('sequence_number').notNull(),
  ...columns,
});
