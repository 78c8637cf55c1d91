import { refusal } from '../lib/problem.ts';
import { isUnavailable } from '../lib/store.ts';
import type { CommandRequest } from './command.ts';
import type { EarlierAnswer } from './idempotency.ts';

/** Full jitter below 10 ms, 20 ms, 40 ms … 640 ms. */
export const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** Math.min(attempt, 7)));

/** The answer (503) if the store or a full queue prevents a command. */
export const unavailable = (detail: string): EarlierAnswer => ({
  kind: 'refused',
  refusal: refusal('temporarilyUnavailable', detail),
  replayed: false,
});

/** The answer if the object's own storage fails: the same, or a defect if the storage is not the cause. */
export const unstored = (error: unknown): EarlierAnswer | { kind: 'defect' } =>
  isUnavailable(error)
    ? unavailable('The database did not answer. Send the same request again.')
    : { kind: 'defect' };

/** Log why a command failed. */
export function logFailure({ requestId, name }: CommandRequest, error: unknown): void {
  console.error(JSON.stringify({ requestId, command: name, error: String(error) }));
}
