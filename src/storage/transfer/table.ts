import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The kinds of transfer jobs. */
export const JOB_TYPES = ['ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE'] as const;

/**
 * The phases of a job: an import starts with the first and goes to `CLEARING` where it fails; an erasure starts with
 * `CLEARING`.
 */
export const JOB_PHASES = [
  /** Rows and objects of the export are written. */
  'IMPORTING',
  /** Everything has arrived, and the organization becomes visible. */
  'ARRIVING',
  /** Everything of it is deleted. */
  'CLEARING',
  'DONE',
] as const;

/** Imports and erasures of organizations, in `DB`. Dates in epoch milliseconds. */
export const organizationJob = sqliteTable('organization_job', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  slug: text('slug').notNull(),
  operationType: text('operation_type', { enum: JOB_TYPES }).notNull(),
  phase: text('phase', { enum: JOB_PHASES }).notNull(),
  /** JSON of the request. */
  input: text('input').notNull(),
  /** JSON of the progress within its phase. */
  progress: text('progress').notNull(),
  /** The claim of the process that works on it. */
  claim: text('claim'),
  errorCode: text('error_code'),
  errorMessage: text('error_message'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  finishDate: integer('finish_date'),
});
