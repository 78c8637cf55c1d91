import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The stored answers of commands with an Idempotency-Key. A repeat gets its answer from here. */
export const idempotency = sqliteTable(
  'idempotency',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The caller's Idempotency-Key. */
    key: text('key').notNull(),
    /** SHA-256 of method, path, query and canonical body. */
    fingerprint: text('fingerprint').notNull(),
    commandId: text('command_id').notNull(),
    /** The JSON of the first answer; null for a refusal. */
    body: text('body'),
    /** JSON of the refusal; null if the command took effect. */
    refusal: text('refusal'),
    /** Epoch milliseconds. */
    createDate: integer('create_date').notNull(),
    /** Epoch milliseconds after which the row may be pruned. */
    expiresDate: integer('expires_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.key] })],
);

/** The stored answers of commands without a key, for retries inside the service. */
export const recentAnswer = sqliteTable('recent_answer', {
  /** Made of the time and random bits of the command id, and the number of ids that are taken. */
  id: integer('id').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  commandId: text('command_id').notNull(),
  /** The JSON of the answer. */
  body: text('body').notNull(),
  /** Epoch milliseconds. */
  createDate: integer('create_date').notNull(),
});

/** Rewinds: numbers that the audit log skipped because the store had been restored to an earlier state. */
export const storeRewind = sqliteTable(
  'store_rewind',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The number of the audit record that declares it: the first after the gap. */
    sequenceNumber: integer('sequence_number').notNull(),
    /** How many numbers were skipped before it. */
    skippedCount: integer('skipped_count').notNull(),
    /** The last allocated marker code, or null. */
    lastMarkerCode: integer('last_marker_code'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.sequenceNumber] })],
);
