import type { ProblemCode, Refusal, RefusalFacts } from '../lib/problem.ts';
import { isRefusal } from './command.ts';

/** The outcome for one item of a command. */
export interface ItemResult {
  name: string;
  /** Why the item was not changed; null if it was changed. */
  refused: string | null;
  /** The problem code of a refused item. A page has turned it into a sentence if it is missing. */
  code?: ProblemCode;
  facts?: RefusalFacts;
}

/**
 * Decide on each of several items independently: a refused item does not block the others. Returns the items to change,
 * and the outcome of each in the order of the request.
 */
export function decideItems<T extends object>(
  uuids: readonly string[],
  decide: (uuid: string) => { name: string; of: T | Refusal },
): { taken: T[]; became: ItemResult[] } {
  const decided = [...new Set(uuids)].map(decide);
  return {
    taken: decided.flatMap(({ of }) => (isRefusal(of) ? [] : [of])),
    became: decided.map(({ name, of }) =>
      isRefusal(of)
        ? { name, refused: of.detail, code: of.code, ...(of.facts ? { facts: of.facts } : {}) }
        : { name, refused: null },
    ),
  };
}
