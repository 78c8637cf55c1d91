import { sendOperations } from './operation/duty.ts';
import { dispatchWebhooks } from './webhook/dispatch.ts';
import type { Duty } from './writer/duties.ts';

/** Everything an organization's object sees to beside commands. */
export const duties: readonly Duty[] = [sendOperations, dispatchWebhooks];
