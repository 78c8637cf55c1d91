import { fold } from '../../../core/lib/text.ts';

/** The most names that a question offers. */
const OFFERED = 5;

/** How many typing errors a name may have. Short names, such as DHL and DPD, differ by few letters. */
const errorsIn = (name: string): number => (name.length < 5 ? 0 : name.length < 8 ? 1 : 2);

/**
 * The known names that a typed name may mean: equal except for case and blanks, or with few letters missing, added,
 * replaced or swapped. The most similar name comes first.
 */
export function similarNames(typed: string, known: readonly string[]): string[] {
  const key = (name: string): string => fold(name).replaceAll(/\s+/g, ' ').trim();
  const wanted = key(typed);
  return known
    .filter((name) => name !== typed)
    .map((name) => ({ name, errors: distance(wanted, key(name)) }))
    .filter(({ errors }) => errors <= errorsIn(wanted))
    .sort((one, other) => one.errors - other.errors)
    .slice(0, OFFERED)
    .map(({ name }) => name);
}

/** The edit distance of two texts (optimal string alignment). Swapping two neighbours is one error. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, index) => index),
  ];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length]!;
}
