import { finishErasures, overdueErasures } from './access/user/erase-job.ts';
import type { Env } from './core/env.ts';
import type { Overdue } from './core/writer/each.ts';
import type { Job } from './core/writer/jobs.ts';
import { dispatchWebhooks, overdueWebhooks } from './delivery/webhook/dispatch.ts';
import { watchDepartures } from './dispatch/departure/job.ts';
import { overdueDepartures } from './dispatch/departure/store.ts';
import { overdueOperations, sendOperations } from './log/operation/job.ts';
import { keepRetention, overdueRetention } from './retention/job.ts';
import { longJobs, overdueLongJobs } from './storage/long-job/job.ts';
import { moves } from './storage/move/job.ts';
import { transfers } from './storage/transfer/job.ts';

/** The background jobs of an organization's object. */
export const jobs: readonly Job<Env>[] = [
  sendOperations,
  dispatchWebhooks,
  longJobs([moves, transfers]),
  finishErasures,
  keepRetention,
  watchDepartures,
];

/** Queries for organizations with overdue jobs, which the schedule wakes. */
export const overdue: readonly Overdue[] = [
  overdueOperations,
  overdueWebhooks,
  overdueLongJobs,
  overdueErasures,
  overdueRetention,
  overdueDepartures,
];
