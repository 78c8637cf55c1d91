/** A page that listens: of which user, and since when (epoch milliseconds). */
export interface Place {
  user: string;
  since: number;
}

/**
 * Which page gives its place to one more of `user` where all are taken: the oldest of the user who holds the most, as long
 * as that leaves no fewer than the newcomer then has; else the oldest of the newcomer's own. So whoever opens many pages
 * pushes out only those of others who hold more, and two users never take one place from each other in turn. Undefined
 * where nobody holds more than one: then the newcomer has to wait.
 */
export function givesWay<P extends Place>(places: readonly P[], user: string): P | undefined {
  const byUser = new Map<string, P[]>();
  for (const place of [...places].sort((one, other) => one.since - other.since)) {
    byUser.set(place.user, [...(byUser.get(place.user) ?? []), place]);
  }
  const own = byUser.get(user) ?? [];
  const [most] = [...byUser.values()].sort((one, other) => other.length - one.length);
  return most !== undefined && most.length > own.length + 1 ? most[0] : own[0];
}
