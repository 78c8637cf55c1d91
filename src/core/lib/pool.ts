import { within } from './within.ts';

/** The limits of a pool. */
export interface Pool {
  /** The number of items that are started at once. */
  atOnce: number;
  /** An item that takes longer than this (milliseconds) no longer keeps the next one waiting. */
  patienceMs: number;
}

/**
 * Run a function for each item, in order, several at once. A slow or failing item does not delay the others.
 * @returns the failures, after all items have ended
 */
export async function inPool<T>(
  items: readonly T[],
  { atOnce, patienceMs }: Pool,
  run: (item: T) => Promise<unknown>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const all: Promise<void>[] = [];
  const queue = items.values();
  const attempt = async (item: T) => {
    try {
      await run(item);
    } catch (error) {
      failures.push(error);
    }
  };
  const work = async () => {
    for (const item of queue) {
      const ended = attempt(item);
      all.push(ended);
      await within(ended, patienceMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await Promise.all(all);
  return failures;
}
