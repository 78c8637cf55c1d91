import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The types of operations. */
export const OPERATION_TYPES = ['COUPLE', 'GET_AND_COUPLE', 'SHIPMENT_BULK_UPSERT', 'SIMULATION'] as const;

/** The states of an operation: the last three are final. */
export const OPERATION_STATUSES = [
  'PENDING',
  'RUNNING',
  'SUCCEEDED',
  'PARTIALLY_SUCCEEDED',
  'FAILED',
] as const;

/** The states of an item: the last two are final. */
export const ITEM_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** Accepted work that is done in the background. Dates in epoch milliseconds. */
export const operation = sqliteTable('operation', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  operationType: text('operation_type', { enum: OPERATION_TYPES }).notNull(),
  status: text('status', { enum: OPERATION_STATUSES }).notNull(),
  /** JSON of its parameters besides its items. */
  input: text('input').notNull(),
  totalCount: integer('total_count').notNull(),
  succeededCount: integer('succeeded_count').notNull(),
  failedCount: integer('failed_count').notNull(),
  /** JSON of the actor who started it. */
  actor: text('actor').notNull(),
  requestId: text('request_id').notNull(),
  /** When it is next sent to the queue; null once it is finished. */
  dueDate: integer('due_date'),
  /** The number of messages since it last made progress. */
  sentCount: integer('sent_count').notNull(),
  createDate: integer('create_date').notNull(),
  /** When it last made progress. */
  updateDate: integer('update_date').notNull(),
  finishDate: integer('finish_date'),
});

/** Consecutive items of an operation with their results. A row for each item would keep D1 busy for too long. */
export const operationPart = sqliteTable(
  'operation_part',
  {
    organizationUuid: text('organization_uuid').notNull(),
    operationUuid: text('operation_uuid').notNull(),
    /** Index of the first item, from 0 as in the request. */
    firstIndex: integer('first_index').notNull(),
    /** JSON list of `StoredItem`. */
    items: text('items').notNull(),
    createDate: integer('create_date').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.operationUuid, table.firstIndex] })],
);

/** An item has its input until it is done, and then its error, or null if it succeeded. */
export type StoredItem = { identifier: string } & (
  | { input: object }
  | { error: { code: string; message: string } | null }
);
