import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** One row for each command that was answered: what its repeat is answered with. */
export const idempotency = sqliteTable(
  'idempotency',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** `key:` + the caller's Idempotency-Key, or `command:` + the command id where there was none. */
    key: text('key').notNull(),
    /** SHA-256 of method, path, query and canonical body. */
    fingerprint: text('fingerprint').notNull(),
    commandId: text('command_id').notNull(),
    /** JSON the first answer was made from; null for a refusal. */
    body: text('body'),
    /** JSON of the refusal; null for an effect. */
    refusal: text('refusal'),
    /** Epoch milliseconds. */
    createDate: integer('create_date').notNull(),
    /** Epoch milliseconds after which the row may be pruned. */
    expiresDate: integer('expires_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.key] })],
);

/** Numbers that the audit log left out, where the store had been put back to an earlier state. */
export const storeRewind = sqliteTable(
  'store_rewind',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The audit record that declares it: the first behind the gap. */
    sequenceNumber: integer('sequence_number').notNull(),
    /** How many numbers before it no record has. */
    skippedCount: integer('skipped_count').notNull(),
    /** The last marker code that had been handed out; null where none was. */
    lastMarkerCode: integer('last_marker_code'),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.sequenceNumber] })],
);
