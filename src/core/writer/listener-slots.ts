/** A place taken by a listening page: its user, and since when (epoch milliseconds). */
export interface ListenerSlot {
  user: string;
  since: number;
}

/**
 * The page that gives way to one more page of `user` when all places are taken: the oldest page of the user who holds
 * the most, as long as that user keeps at least as many as the newcomer then has; otherwise the newcomer's own oldest
 * page. So a user who opens many pages displaces only those of users who hold more, and two users never displace each
 * other in turn. Undefined where nobody holds more than one place: then the newcomer has to wait.
 */
export function givesWay<P extends ListenerSlot>(slots: readonly P[], user: string): P | undefined {
  const byUser = new Map<string, P[]>();
  for (const slot of [...slots].sort((one, other) => one.since - other.since)) {
    byUser.set(slot.user, [...(byUser.get(slot.user) ?? []), slot]);
  }
  const own = byUser.get(user) ?? [];
  const [most] = [...byUser.values()].sort((one, other) => other.length - one.length);
  return most !== undefined && most.length > own.length + 1 ? most[0] : own[0];
}
