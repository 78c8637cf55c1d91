import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a record can be about: a module that audits another kind of thing names it here. */
export const ENTITY_TYPES = [
  'ORGANIZATION',
  'API_KEY',
  'ACCESS_TOKEN',
  'USER',
  'AUTHORITY',
  'GATE',
  'SCANNER',
  'LOCAL_MANAGER',
  'AGENT',
  'MARKER_ALLOCATION',
  'CLIENT',
  'TRACK',
  'MANIFEST',
  'SHIPMENT',
  'ASSET_LOADING',
  'ALERT',
  'PRINTING_BATCH',
  'CALIBRATION',
  'OPERATION',
  'DEAD_LETTER',
  'WEBHOOK',
  'DATABASE',
] as const;
/** Who can be behind a request. */
export const ACTOR_TYPES = ['API_KEY', 'ACCESS_TOKEN', 'USER', 'OPERATOR', 'SYSTEM'] as const;

/**
 * The log of an organization: who changed what, in order. Its primary key is the fence of the writer: two
 * commits decided on the same state want the same sequence number, and only one can have it.
 */
export const auditLog = sqliteTable(
  'audit_log',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** From 1, without gaps. */
    sequenceNumber: integer('sequence_number').notNull(),
    /** Made of date and hash: `recordUuid`. */
    uuid: text('uuid').notNull(),
    /** Epoch milliseconds. */
    eventDate: integer('event_date').notNull(),
    action: text('action').notNull(),
    actorType: text('actor_type', { enum: ACTOR_TYPES }).notNull(),
    actorUuid: text('actor_uuid'),
    actorDisplayName: text('actor_display_name').notNull(),
    entityType: text('entity_type', { enum: ENTITY_TYPES }).notNull(),
    entityUuid: text('entity_uuid').notNull(),
    entityExternalId: text('entity_external_id'),
    /** JSON array of `{field, oldValue, newValue}`. */
    changes: text('changes').notNull(),
    requestId: text('request_id').notNull(),
    ipAddress: text('ip_address'),
    /** Hash of the row before; 64 zeros for the first. */
    previousHash: text('previous_hash').notNull(),
    /** SHA-256 (hex) over the canonical JSON of the row as the API shows it, without `hash`. */
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.sequenceNumber] })],
);
