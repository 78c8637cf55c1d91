import { type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compact, compactUuid } from '../lib/compact.ts';
import type { Dated } from '../lib/date-search.ts';
import type { Scope } from '../lib/scope.ts';

/** The types of entities that a record can be about. A module that audits another type adds it here. */
export const ENTITY_TYPES = [
  'ORGANIZATION',
  'API_KEY',
  'ACCESS_TOKEN',
  'OPERATOR',
  'USER',
  'AUTHORITY',
  'GATE',
  'GATE_TABLET',
  'GATE_WORKER',
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
  'PHOTO',
  'OPERATION',
  'DEAD_LETTER',
  'WEBHOOK',
  'DATABASE',
] as const;
/** The kinds of actors that make requests. */
export const ACTOR_TYPES = ['API_KEY', 'ACCESS_TOKEN', 'USER', 'TABLET', 'OPERATOR', 'SYSTEM'] as const;

/** A short number for each organization, for tables with many small rows. It differs between databases. */
export const organizationNumber = sqliteTable('organization_number', {
  number: integer('number').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
});

/** SQL for the number of an organization. */
export const numberOf = ({ organization }: Scope): SQL =>
  sql`(SELECT number FROM organization_number WHERE organization_uuid = ${organization})`;

/**
 * An SQL condition: a row of `audit_record` is about the entity with this uuid. The index holds only the last bytes of
 * the uuid, which are selective enough.
 */
export const isAbout = (scope: Scope, uuid: string): SQL =>
  sql`audit_record.sequence_number IN (SELECT sequence_number FROM audit_record
    WHERE organization_number = ${numberOf(scope)} AND substr(entity_uuid, 13) = substr(${compactUuid(uuid)}, 13))
    AND audit_record.entity_uuid = ${compactUuid(uuid)}`;

/**
 * An SQL condition: a row of `audit_record` is about an entity with this external id at that time. The index holds only
 * the first records with an external id. Without the names of the indexes, SQLite would walk the log.
 */
export const isNamed = (scope: Scope, externalId: string | SQL): SQL =>
  sql`audit_record.sequence_number IN (SELECT named.sequence_number FROM audit_record first INDEXED BY audit_record_name
      CROSS JOIN audit_record named INDEXED BY audit_record_entity_uuid
        ON named.organization_number = first.organization_number
        AND substr(named.entity_uuid, 13) = substr(first.entity_uuid, 13) AND named.entity_uuid = first.entity_uuid
      WHERE first.organization_number = ${numberOf(scope)} AND first.entity_external_id = ${externalId}
        AND first.named_before IS NULL)
    AND audit_record.entity_external_id = ${externalId}`;

/** Records of an organization by their dates, which ascend with their numbers. */
export const recordsByDate = (scope: Scope): Dated => ({
  table: sql`audit_record`,
  number: sql`audit_record.sequence_number`,
  date: sql`audit_record.event_date`,
  where: sql`audit_record.organization_number = ${numberOf(scope)}`,
});

/** An action on a type of entity, shared by all organizations. */
export const auditAction = sqliteTable('audit_action', {
  number: integer('number').primaryKey(),
  action: text('action').notNull(),
  entityType: text('entity_type', { enum: ENTITY_TYPES }).notNull(),
});

/** An actor in an organization, with name and e-mail address at that time. */
export const auditActor = sqliteTable('audit_actor', {
  number: integer('number').primaryKey(),
  organizationNumber: integer('organization_number').notNull(),
  actorType: text('actor_type', { enum: ACTOR_TYPES }).notNull(),
  actorUuid: text('actor_uuid'),
  actorDisplayName: text('actor_display_name').notNull(),
  ipAddress: text('ip_address'),
  /** For a person: the commitment that is hashed instead of name and address. Null for other actors. */
  commitment: compact('commitment'),
  /** Null after the person was erased. */
  salt: compact('salt'),
});

/**
 * A record of the audit log of an organization: who changed what, in order. Derivable values are not stored; the view
 * `audit_log` shows complete records. The primary key is part of the writer's fence: two commits decided on the same
 * state want the same sequence number, and only one gets it.
 */
export const auditRecord = sqliteTable(
  'audit_record',
  {
    organizationNumber: integer('organization_number').notNull(),
    sequenceNumber: integer('sequence_number').notNull(),
    eventDate: integer('event_date').notNull(),
    actionNumber: integer('action_number').notNull(),
    actorNumber: integer('actor_number').notNull(),
    entityUuid: compact('entity_uuid').notNull(),
    entityExternalId: text('entity_external_id'),
    requestId: compact('request_id').notNull(),
    hash: compact('hash').notNull(),
    changes: text('changes').notNull(),
    /** Null if it can be derived from date and hash. */
    uuid: text('uuid'),
    /** Null if it equals the hash of the record before. */
    previousHash: text('previous_hash'),
    /** For a record about a person: JSON of its `PersonCommitment`. */
    person: text('person'),
    /** 1 if the record before it about this entity has the same external id. Null for others and for older records. */
    namedBefore: integer('named_before'),
  },
  (table) => [primaryKey({ columns: [table.organizationNumber, table.sequenceNumber] })],
);

/** The complete records of the audit log. This is a view; its trigger inserts into `audit_record`. */
export const auditLog = sqliteTable('audit_log', {
  organizationUuid: text('organization_uuid').notNull(),
  sequenceNumber: integer('sequence_number').notNull(),
  uuid: text('uuid').notNull(),
  eventDate: integer('event_date').notNull(),
  action: text('action').notNull(),
  actorType: text('actor_type', { enum: ACTOR_TYPES }).notNull(),
  actorUuid: text('actor_uuid'),
  actorDisplayName: text('actor_display_name').notNull(),
  entityType: text('entity_type', { enum: ENTITY_TYPES }).notNull(),
  entityUuid: text('entity_uuid').notNull(),
  entityExternalId: text('entity_external_id'),
  requestId: text('request_id').notNull(),
  ipAddress: text('ip_address'),
  previousHash: text('previous_hash').notNull(),
  hash: text('hash').notNull(),
  /** JSON array of `ShortChange`. */
  shortChanges: text('short_changes').notNull(),
  actorCommitment: text('actor_commitment'),
  actorSalt: text('actor_salt'),
  /** JSON of a `PersonCommitment`. */
  person: text('person'),
});
