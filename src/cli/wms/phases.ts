import { say } from '../demo/output.ts';

/** Process all items, at most `limit` at a time. After a failure no further item is started. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One generator feeds all workers. The first worker that throws leaves its loop. This closes the
  // generator for the others.
  const queue = (function* () {
    yield* items;
  })();
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

/** Like `eachAtOnce`, but prints the progress and the duration under a name. */
export async function phase<T>(
  name: string,
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const progress = progressOf(name, items.length);
  await eachAtOnce(items, limit, async (item) => {
    await work(item);
    progress.step();
  });
  progress.end();
}

/**
 * A phase whose items are grouped in lanes. Lanes run in parallel. The items of a lane run one after the
 * other, in their order. After a failure no further item is started.
 */
export async function phaseInLanes<T>(
  name: string,
  items: readonly T[],
  laneOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const progress = progressOf(name, items.length);
  const lanes = Map.groupBy(items, laneOf);
  let failed = false;
  await eachAtOnce(lanes.values(), lanes.size, async (lane) => {
    for (const item of lane) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
      progress.step();
    }
  });
  progress.end();
}

function progressOf(name: string, total: number): { step(): void; end(): void } {
  const start = performance.now();
  const interval = Math.max(1, Math.ceil(total / 5));
  let done = 0;
  return {
    step() {
      done += 1;
      if (done % interval === 0 && done < total) say(`  ${name}: ${done} of ${total}`);
    },
    end() {
      say(`  ${name}: ${done} of ${total} in ${secondsSince(start)}`);
    },
  };
}

/** Seconds since a moment of `performance.now()`, for reading. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}
