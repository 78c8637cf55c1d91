import type { Refusal } from '../lib/problem.ts';
import { isRefusal } from './command.ts';

/** The outcome for one of several things that a command names. */
export interface ItemResult {
  name: string;
  /** Why it was left as it is; null where it was changed. */
  refused: string | null;
}

/**
 * Decide on each of several things independently: one that is refused does not hold up the others. Returns those to be
 * changed, and the outcome of each in the order in which they were named.
 */
export function decideItems<T extends object>(
  uuids: readonly string[],
  decide: (uuid: string) => { name: string; of: T | Refusal },
): { taken: T[]; became: ItemResult[] } {
  const decided = [...new Set(uuids)].map(decide);
  return {
    taken: decided.flatMap(({ of }) => (isRefusal(of) ? [] : [of])),
    became: decided.map(({ name, of }) => ({ name, refused: isRefusal(of) ? (of.detail ?? of.code) : null })),
  };
}
