import { type SQL, sql } from 'drizzle-orm';
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compact } from '../lib/compact.ts';
import type { Dated } from '../lib/date-search.ts';
import type { Scope } from '../lib/scope.ts';
import { isOwnRow, numberOf, rowIdOf } from './numbers.ts';

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

/** SQL: the id of the last row of the log that begins at or before a number. It has the record with this number, if any. */
export const rowAt = (scope: Scope, number: SQL | number): SQL =>
  sql`(SELECT max(id) FROM log WHERE id BETWEEN ${rowIdOf(scope, 0)} AND ${rowIdOf(scope, number)})`;

/** An SQL condition: a row of `audit_log`, or of its alias, has this number. */
export const isRecord = (scope: Scope, number: SQL | number, row: SQL = sql`audit_log`): SQL =>
  sql`${row}.organization_uuid = ${scope.organization} AND ${row}.log_id = ${rowAt(scope, number)}
    AND ${row}.sequence_number = ${number}`;

/** SQL: the key of a thing in the index of the log. It holds only the last bytes of a uuid, which are selective enough. */
export const entityKey = (uuid: SQL | string): SQL => sql`coalesce(substr(unhex(${uuid}, '-'), 13), ${uuid})`;

/** SQL: the ids of the rows of the log that may be about a thing. */
export const rowsAbout = (scope: Scope, uuid: SQL | string): SQL => sql`SELECT log_id FROM log_entity
  WHERE organization_number = ${numberOf(scope)} AND entity_key = ${entityKey(uuid)}`;

/** An SQL condition: a row of `audit_log` is about the entity with this uuid. */
export const isAbout = (scope: Scope, uuid: SQL | string): SQL =>
  sql`audit_log.log_id IN (${rowsAbout(scope, uuid)}) AND audit_log.entity_uuid = ${uuid}`;

/**
 * An SQL condition: a row of `audit_log` is about an entity with this external id at that time. The external id of an
 * allocation is its first marker code, by which its row is found.
 */
export const isNamed = (scope: Scope, externalId: string | SQL): SQL =>
  sql`audit_log.log_id IN (SELECT e.log_id FROM log_name n CROSS JOIN log_entity e
      ON e.organization_number = n.organization_number AND e.entity_key = n.entity_key
      WHERE n.organization_number = ${numberOf(scope)} AND n.name = ${externalId}
      UNION ALL SELECT e.log_id FROM marker_allocation m CROSS JOIN log_entity e
      ON e.organization_number = ${numberOf(scope)} AND e.entity_key = ${entityKey(sql`m.uuid`)}
      WHERE m.organization_uuid = ${scope.organization} AND m.first_marker_code = CAST(${externalId} AS INTEGER))
    AND audit_log.entity_external_id = ${externalId}`;

/** Rows of the log of an organization by their dates, which ascend with their ids. */
export const rowsByDate = (scope: Scope): Dated => ({
  table: sql`log`,
  number: sql`log.id`,
  date: sql`log.event_date`,
  where: isOwnRow(scope, sql`log`),
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
 * The log of organizations: one row for each command, with its audit records and its entries in timelines. The fence of
 * the writer reads the last hash.
 */
export const log = sqliteTable('log', {
  /** The number of the organization, and the sequence number of the first record: see `rowIdOf`. */
  id: integer('id').primaryKey(),
  eventDate: integer('event_date').notNull(),
  actorNumber: integer('actor_number').notNull(),
  requestId: compact('request_id').notNull(),
  /** The hash of each record, of 32 bytes. */
  hashes: blob('hashes').notNull(),
  /** JSON array of `StoredRecord`. */
  records: text('records').notNull(),
  /** JSON array of `StoredEntries`; null for none. */
  entries: text('entries'),
});

/** The index of the log by things. A trigger maintains it. */
export const logEntity = sqliteTable(
  'log_entity',
  {
    organizationNumber: integer('organization_number').notNull(),
    entityKey: compact('entity_key').notNull(),
    logId: integer('log_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationNumber, table.entityKey, table.logId] })],
);

/** The index of the log by external ids. A trigger maintains it. */
export const logName = sqliteTable(
  'log_name',
  {
    organizationNumber: integer('organization_number').notNull(),
    name: text('name').notNull(),
    entityKey: compact('entity_key').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationNumber, table.name, table.entityKey] })],
);

/** The rows of the log with their actors. This is a view; its triggers write to `log`. */
export const commandLog = sqliteTable('command_log', {
  organizationUuid: text('organization_uuid').notNull(),
  /** The number of the first record. */
  sequenceNumber: integer('sequence_number').notNull(),
  eventDate: integer('event_date').notNull(),
  actorType: text('actor_type', { enum: ACTOR_TYPES }).notNull(),
  actorUuid: text('actor_uuid'),
  actorDisplayName: text('actor_display_name').notNull(),
  ipAddress: text('ip_address'),
  actorCommitment: text('actor_commitment'),
  actorSalt: text('actor_salt'),
  requestId: text('request_id').notNull(),
  /** The hashes of the records (hex), one after another. */
  hashes: text('hashes').notNull(),
  /** JSON array of `StoredRecord`. */
  records: text('records').notNull(),
  /** JSON array of `StoredEntries`; null for none. */
  entries: text('entries'),
});
