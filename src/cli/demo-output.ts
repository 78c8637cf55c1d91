/** Write a line for the person who watches. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** Seconds since a moment of `performance.now()`, for reading. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}
