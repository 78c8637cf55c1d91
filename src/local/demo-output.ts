/** Write a line for the person who watches. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Seconds since a moment of `performance.now()`, for reading. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}

/** Work on all items, so many at once. After a failure no further item is begun. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One generator feeds all workers: the first that throws leaves its loop, which closes it for the others.
  const queue = (function* () {
    yield* items;
  })();
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

/** The same as a phase with a name: says how far it is, and how long it took. */
export async function phase<T>(
  name: string,
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const start = performance.now();
  const step = Math.max(1, Math.ceil(items.length / 5));
  let done = 0;
  await eachAtOnce(items, limit, async (item) => {
    await work(item);
    done += 1;
    if (done % step === 0 && done < items.length) say(`  ${name}: ${done} of ${items.length}`);
  });
  say(`  ${name}: ${done} of ${items.length} in ${secondsSince(start)}`);
}
