import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The answers of commands: a repeat is answered from here. */
export const idempotency = sqliteTable(
  'idempotency',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** `key:` + the caller's Idempotency-Key, or `command:` + the command id where there was none. */
    key: text('key').notNull(),
    /** SHA-256 of method, path, query and canonical body. */
    fingerprint: text('fingerprint').notNull(),
    commandId: text('command_id').notNull(),
    /** JSON that the first answer was made from; null for a refusal. */
    body: text('body'),
    /** JSON of the refusal; null where the command took effect. */
    refusal: text('refusal'),
    /** Epoch milliseconds. */
    createDate: integer('create_date').notNull(),
    /** Epoch milliseconds after which the row may be pruned. */
    expiresDate: integer('expires_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.key] })],
);

/** Rewinds: numbers that the audit log skipped because the store had been restored to an earlier state. */
export const storeRewind = sqliteTable(
  'store_rewind',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The number of the audit record that declares it: the first behind the gap. */
    sequenceNumber: integer('sequence_number').notNull(),
    /** How many numbers before it were skipped. */
    skippedCount: integer('skipped_count').notNull(),
    /** The last marker code that had been handed out; null where there was none. */
    lastMarkerCode: integer('last_marker_code'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.sequenceNumber] })],
);
