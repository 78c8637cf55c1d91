import type { Env } from './env.ts';
import { overdueOperations, sendOperations } from './operation/duty.ts';
import { dispatchWebhooks, overdueWebhooks } from './webhook/dispatch.ts';
import type { Duty } from './writer/duties.ts';
import type { Overdue } from './writer/overdue.ts';

/** Everything an organization's object sees to beside commands. */
export const duties: readonly Duty<Env>[] = [sendOperations, dispatchWebhooks];

/** What duties should have seen to. */
export const overdue: readonly Overdue[] = [overdueOperations, overdueWebhooks];
