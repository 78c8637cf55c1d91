/** The largest number of a list of any length; -Infinity for an empty list. */
export const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);

/** The smallest number of a list of any length; Infinity for an empty list. */
export const smallest = (numbers: readonly number[]): number =>
  numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
