/** The slot of a listening page: its user, and since when (epoch milliseconds). */
export interface ListenerSlot {
  user: string;
  since: number;
}

/**
 * The page to close for a new page of `user` when all slots are taken. It is the oldest page of the user with the most
 * slots. That user must be left with at least as many slots as `user` then has. Otherwise it is the oldest page of
 * `user`. So a user displaces only pages of users with more slots, or own pages. Two users never displace each
 * other in turn. Undefined if `user` has no slot and no other user has more than one: the new page must then wait.
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
