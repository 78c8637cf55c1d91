import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The phases of a move in their order; a failed move goes from `ABANDONED` to the end. */
export const PHASES = [
  /** Rows that an earlier move left in the target are deleted. */
  'EMPTYING',
  /** All rows are copied while the organization is in use. */
  'COPYING',
  /** Rows that have changed since are copied again. */
  'CATCHING_UP',
  /** Writes are refused for a moment: the last rows are copied, and all are counted. */
  'FROZEN',
  /** Callers at the old database are redirected. */
  'LEFT',
  /** The organization lives in the other database; its rows in the old one are deleted. */
  'CLEARING',
  'ABANDONED',
  'DONE',
] as const;

/** Moves of organizations to other databases, past and current. Dates in epoch milliseconds. */
export const relocation = sqliteTable('relocation', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  fromName: text('from_name').notNull(),
  toName: text('to_name').notNull(),
  phase: text('phase', { enum: PHASES }).notNull(),
  /** JSON of the progress within its phase. */
  progress: text('progress').notNull(),
  /** The claim of the process that works on it. */
  claim: text('claim'),
  errorCode: text('error_code'),
  errorMessage: text('error_message'),
  phaseDate: integer('phase_date').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  finishDate: integer('finish_date'),
});

/** References to rows that have changed since they were copied. */
export const movedRow = sqliteTable(
  'moved_row',
  {
    organizationUuid: text('organization_uuid').notNull(),
    tableName: text('table_name').notNull(),
    rowKey: text('row_key').notNull(),
    position: integer('position').notNull(),
    changesCount: integer('changes_count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.tableName, table.rowKey] })],
);
