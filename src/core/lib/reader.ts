/**
 * Readers of bytes that somebody else wrote: request bodies, files, lists, images. A reader declares the most work of
 * one read, charges its budget before it does the work, and refuses at the limit. So a small input cannot cost more
 * than its limits. `test/unit/readers` has the worst inputs of each reader.
 */

/** A declared reader. `K`: the kinds of its work, as plurals such as `levels`, `cells` or `characters`. */
export interface Reader<K extends string = string> {
  readonly name: string;
  /** The most work of one read. */
  readonly limits: Readonly<Record<K, number>>;
  /** A budget for one read. */
  budget(): Budget<K>;
}

/** A read needs more work than its reader allows. */
export class OverBudget extends Error {
  readonly kind: string;
  readonly maximum: number;
  constructor(reader: string, kind: string, maximum: number) {
    super(`The reader "${reader}" reads at most ${maximum} ${kind}.`);
    this.kind = kind;
    this.maximum = maximum;
  }
}

/** All declared readers by name. Filled when their modules are loaded. */
export const READERS = new Map<string, Reader>();

/** Declare a reader. Its name is unique. */
export function declareReader<K extends string>(name: string, limits: Record<K, number>): Reader<K> {
  const reader: Reader<K> = { name, limits, budget: () => new Budget(reader) };
  READERS.set(name, reader as unknown as Reader);
  return reader;
}

/** The work that one read may still do. */
export class Budget<K extends string = string> {
  readonly #reader: Reader<K>;
  readonly #used = new Map<K, number>();

  constructor(reader: Reader<K>) {
    this.#reader = reader;
  }

  /** Pay for work before it is done. @throws `OverBudget` */
  charge(kind: K, amount = 1): void {
    const { name, limits } = this.#reader;
    const used = (this.#used.get(kind) ?? 0) + amount;
    if (used > limits[kind]) throw new OverBudget(name, kind, limits[kind]);
    this.#used.set(kind, used);
  }
}
