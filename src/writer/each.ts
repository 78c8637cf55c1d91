import type { Refusal } from '../lib/problem.ts';
import { isRefusal } from './command.ts';

/** What became of one of several things that a command was asked for. */
export interface Became {
  name: string;
  /** Why nothing was done; null where it was. */
  refused: string | null;
}

/**
 * Decide on each of several things by itself: what is refused of one does not hold up the others. Gives what can be done
 * with, and what became of each, in the order in which they were named.
 */
export function decideEach<T extends object>(
  uuids: readonly string[],
  decide: (uuid: string) => { name: string; of: T | Refusal },
): { taken: T[]; became: Became[] } {
  const decided = [...new Set(uuids)].map(decide);
  return {
    taken: decided.flatMap(({ of }) => (isRefusal(of) ? [] : [of])),
    became: decided.map(({ name, of }) => ({ name, refused: isRefusal(of) ? (of.detail ?? of.code) : null })),
  };
}
