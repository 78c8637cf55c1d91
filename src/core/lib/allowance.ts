import { around } from './around.ts';

/** An allowance is used up. The work is not done, and the next invocation continues it. */
export class UsedUp extends Error {}

/** The number of D1 statements that some work may make. */
export class Allowance {
  #left: number;

  constructor(statements: number) {
    this.#left = statements;
  }

  /** Take some statements before they are sent. @throws `UsedUp` if there are not enough; then none is taken */
  take(statements: number): void {
    if (statements > this.#left) throw new UsedUp('The allowance of D1 statements is used up.');
    this.#left -= statements;
  }

  /** Do some work with an equal share, if the rest has to do for so many. Statements that it did not need come back. */
  async share<T>(of: number, work: (share: Allowance) => Promise<T>): Promise<T> {
    const share = new Allowance(Math.floor(this.#left / of));
    this.take(share.#left);
    try {
      return await work(share);
    } finally {
      this.#left += share.#left;
      share.#left = 0;
    }
  }
}

/** A database whose statements take from an allowance. Each statement of a batch counts. */
export const allowed = (real: D1Database, allowance: Allowance): D1Database =>
  around(real, async (statements, send) => {
    allowance.take(statements);
    return send();
  });
