import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What brings an organization into a deployment or takes it out of it. */
export const JOB_TYPES = ['ORGANIZATION_IMPORT', 'ORGANIZATION_ERASURE'] as const;

/** What such a job goes through: an import from the first on, to `CLEARING` where it fails; an erasure from `CLEARING` on. */
export const JOB_PHASES = [
  /** Rows and objects are brought from the export. */
  'IMPORTING',
  /** All is there as it was: it begins to live. */
  'ARRIVING',
  /** What there is of it goes. */
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
  /** JSON of what it is to do. */
  input: text('input').notNull(),
  /** JSON of how far it has come in its phase. */
  progress: text('progress').notNull(),
  /** Who carries it on. */
  claim: text('claim'),
  errorCode: text('error_code'),
  errorMessage: text('error_message'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  finishDate: integer('finish_date'),
});
