import type { Env } from './env.ts';
import { overdueRelocations, relocate } from './move/job.ts';
import { overdueOperations, sendOperations } from './operation/job.ts';
import { keepRetention, overdueRetention } from './retention/job.ts';
import { overdueTransfers, transfer } from './transfer/job.ts';
import { eraseFromLog, overdueErasures } from './user/erase-job.ts';
import { dispatchWebhooks, overdueWebhooks } from './webhook/dispatch.ts';
import type { Job } from './writer/jobs.ts';
import type { Overdue } from './writer/overdue.ts';

/** The background jobs of an organization's object. */
export const jobs: readonly Job<Env>[] = [
  sendOperations,
  dispatchWebhooks,
  relocate,
  transfer,
  eraseFromLog,
  keepRetention,
];

/** Queries for organizations with overdue jobs, which the schedule wakes. */
export const overdue: readonly Overdue[] = [
  overdueOperations,
  overdueWebhooks,
  overdueRelocations,
  overdueErasures,
  overdueTransfers,
  overdueRetention,
];
