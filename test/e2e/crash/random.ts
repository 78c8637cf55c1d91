/** Random numbers that a seed repeats. */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** A random item. Undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined;
}

/** Mulberry32 is small, and good enough to choose the next action of a client. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, pick: (items) => (items.length === 0 ? undefined : items[below(items.length)]) };
}

/** Returns the items in random order (Fisher and Yates). */
export function shuffle<T>(random: Random, items: readonly T[]): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
