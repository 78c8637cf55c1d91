import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What a move goes through, in this order; from `ABANDONED` to the end where it fails. */
export const PHASES = [
  /** What an earlier move left behind in the database it goes to is taken away. */
  'EMPTYING',
  /** All rows are copied, while the organization works. */
  'COPYING',
  /** Rows that have changed meanwhile are copied again. */
  'CATCHING_UP',
  /** The organization takes no writes: the last rows are copied, and all are counted. */
  'FROZEN',
  /** Who asks at the old place is sent on. */
  'LEFT',
  /** The organization lives in the other database; what is left in the old one is taken away. */
  'CLEARING',
  'ABANDONED',
  'DONE',
] as const;

/** Organizations that are, or were, moved to another database. Dates in epoch milliseconds. */
export const relocation = sqliteTable('relocation', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  fromName: text('from_name').notNull(),
  toName: text('to_name').notNull(),
  phase: text('phase', { enum: PHASES }).notNull(),
  /** JSON of how far it has come in its phase. */
  progress: text('progress').notNull(),
  /** Who carries it on. */
  claim: text('claim'),
  errorCode: text('error_code'),
  errorMessage: text('error_message'),
  phaseDate: integer('phase_date').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  finishDate: integer('finish_date'),
});

/** Rows that have changed since they were copied. */
export const movedRow = sqliteTable('moved_row', {
  organizationUuid: text('organization_uuid').notNull(),
  tableName: text('table_name').notNull(),
  rowKey: text('row_key').notNull(),
  position: integer('position').notNull(),
  changesCount: integer('changes_count').notNull(),
});
