import { SECOND_MS } from '../../core/lib/time.ts';

/** How long an operation may make no progress before it is sent to the queue again. */
export const RESEND_MS = 5 * SECOND_MS;

/** The final status of an operation once each item has succeeded or failed. */
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
