import { refusal } from '../lib/problem.ts';
import type { Recalled } from './idempotency.ts';

/** The text of an error and of what caused it: D1 reports SQLite's message in either. */
const messages = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messages(error.cause ?? '')}` : String(error);

/** A constraint refused the batch: somebody else was first, or has what this command wants. */
export const isCollision = (error: unknown): boolean =>
  /SQLITE_CONSTRAINT|constraint failed/i.test(messages(error));

/** The caller's key is taken, and nothing before it in the batch was: what the writer knows is current. */
export const isRepeat = (error: unknown): boolean =>
  /UNIQUE constraint failed: idempotency\./i.test(messages(error));

/** D1 was not reached, or was lost on the way: whether the batch took effect is not known. */
export const isTransient = (error: unknown): boolean =>
  /network connection lost|reset|transient|timed? ?out|overloaded|internal error|SQLITE_BUSY/i.test(
    messages(error),
  );

/** Full jitter below 10 ms, 20 ms, 40 ms … 640 ms. */
export const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** Math.min(attempt, 7)));

/** The answer to whom the store, or the queue, keeps from being served. */
export const unavailable = (detail: string): Recalled => ({
  kind: 'refused',
  refusal: refusal('temporarilyUnavailable', detail),
  replayed: false,
});
