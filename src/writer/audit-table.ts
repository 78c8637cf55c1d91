import { type SQL, sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { kept, keptUuid } from '../lib/kept.ts';
import type { Scope } from '../lib/scope.ts';

/** What a record can be about: a module that audits another kind of thing names it here. */
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
  'OPERATION',
  'DEAD_LETTER',
  'WEBHOOK',
  'DATABASE',
] as const;
/** Who can be behind a request. */
export const ACTOR_TYPES = ['API_KEY', 'ACCESS_TOKEN', 'USER', 'TABLET', 'OPERATOR', 'SYSTEM'] as const;

/** What organizations are called where a row has to be short; another database has other numbers. */
export const organizationNumber = sqliteTable('organization_number', {
  number: integer('number').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
});

/** The number of an organization, as an expression. */
export const numberOf = ({ organization }: Scope): SQL =>
  sql`(SELECT number FROM organization_number WHERE organization_uuid = ${organization})`;

/** Whether a record of `audit_record` is about the thing with this uuid: an index has the last bytes, which is enough. */
export const isAbout = (scope: Scope, uuid: string): SQL =>
  sql`audit_record.sequence_number IN (SELECT sequence_number FROM audit_record
    WHERE organization_number = ${numberOf(scope)} AND substr(entity_uuid, 13) = substr(${keptUuid(uuid)}, 13))
    AND audit_record.entity_uuid = ${keptUuid(uuid)}`;

/** What was done to what kind of thing, in all organizations. */
export const auditAction = sqliteTable('audit_action', {
  number: integer('number').primaryKey(),
  action: text('action').notNull(),
  entityType: text('entity_type', { enum: ENTITY_TYPES }).notNull(),
});

/** Who did something in an organization, as they were called then, and from where. */
export const auditActor = sqliteTable('audit_actor', {
  number: integer('number').primaryKey(),
  organizationNumber: integer('organization_number').notNull(),
  actorType: text('actor_type', { enum: ACTOR_TYPES }).notNull(),
  actorUuid: text('actor_uuid'),
  actorDisplayName: text('actor_display_name').notNull(),
  ipAddress: text('ip_address'),
  /** Of a person: what records are hashed with in place of name and address. Null in records of before. */
  commitment: kept('commitment'),
  /** Null once the person was erased. */
  salt: kept('salt'),
});

/**
 * A record of the log of an organization: who changed what, in order. Nothing stands in it that follows from something
 * else; the view `audit_log` shows it whole. Its primary key is the fence of the writer: two commits decided on the same state
 * want the same sequence number, and only one can have it.
 */
export const auditRecord = sqliteTable(
  'audit_record',
  {
    organizationNumber: integer('organization_number').notNull(),
    sequenceNumber: integer('sequence_number').notNull(),
    eventDate: integer('event_date').notNull(),
    actionNumber: integer('action_number').notNull(),
    actorNumber: integer('actor_number').notNull(),
    entityUuid: kept('entity_uuid').notNull(),
    entityExternalId: text('entity_external_id'),
    requestId: kept('request_id').notNull(),
    hash: kept('hash').notNull(),
    changes: text('changes').notNull(),
    /** Null where it follows from date and hash. */
    uuid: text('uuid'),
    /** Null where it is the hash of the record before. */
    previousHash: text('previous_hash'),
    /** JSON of `PersonCommitment`, of a record about a person. */
    person: text('person'),
    /** Whose erasure vouches for what is left of a record that was hashed with what identified a person. */
    erasedUserUuid: kept('erased_user_uuid'),
  },
  (table) => [primaryKey({ columns: [table.organizationNumber, table.sequenceNumber] })],
);
