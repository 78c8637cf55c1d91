import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The kinds of long jobs, by the operation that the operator follows. */
export const JOB_TYPES = [
  'ORGANIZATION_MOVE',
  'ORGANIZATION_IMPORT',
  'ORGANIZATION_ERASURE',
  'ORGANIZATION_RESTORE',
] as const;

/** The phases of a move in their order. A failed move goes from `ABANDONED` to the end. */
export const MOVE_PHASES = [
  /** The export of a restore is read and verified. A move has no such phase. */
  'CHECKING',
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
  /** The organization lives in the other database. Its rows in the old database are deleted. */
  'CLEARING',
  'ABANDONED',
  'DONE',
] as const;

/**
 * The phases of an import or erasure. An import starts with the first phase, and goes to `CLEARING` if it fails. An
 * erasure starts with `CLEARING`.
 */
export const TRANSFER_PHASES = [
  /** Rows and objects of the export are written. */
  'IMPORTING',
  /** Everything has arrived, and the organization becomes visible. */
  'ARRIVING',
  /** Everything of the organization is deleted. */
  'CLEARING',
  'DONE',
] as const;

const PHASES = [...new Set([...MOVE_PHASES, ...TRANSFER_PHASES])] as [string, ...string[]];

/** Moves, imports, erasures and restores of organizations, past and current, in `DB`. Dates in epoch milliseconds. */
export const longJob = sqliteTable('long_job', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  operationType: text('operation_type', { enum: JOB_TYPES }).notNull(),
  phase: text('phase', { enum: PHASES }).notNull(),
  /** JSON of the request. */
  input: text('input').notNull(),
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
