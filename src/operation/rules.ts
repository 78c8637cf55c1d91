import { SECOND_MS } from '../lib/time.ts';

/** How long an operation may not get on before it is sent to the queue again. */
export const RESEND_MS = 5 * SECOND_MS;

/** What an operation has come to once each of its items has succeeded or failed. */
export function outcomeStatus({
  succeededCount,
  failedCount,
}: {
  succeededCount: number;
  failedCount: number;
}): 'SUCCEEDED' | 'PARTIALLY_SUCCEEDED' | 'FAILED' {
  if (failedCount === 0) return 'SUCCEEDED';
  return succeededCount === 0 ? 'FAILED' : 'PARTIALLY_SUCCEEDED';
}
