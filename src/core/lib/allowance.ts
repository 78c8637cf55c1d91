import { around } from './around.ts';

/** An allowance is used up. The work is not done, and the next turn continues it. */
export class UsedUp extends Error {}

/** The number of D1 statements that a turn may make, and how long. */
export class Allowance {
  #left: number;
  readonly #until: number;

  constructor(statements: number, maximumMs: number) {
    this.#left = statements;
    this.#until = Date.now() + maximumMs;
  }

  /** Take some statements before they are sent. @throws `UsedUp` if they or the time are used up; then none is taken */
  take(statements: number): void {
    if (statements > this.#left) throw new UsedUp('The allowance of D1 statements is used up.');
    if (Date.now() > this.#until) throw new UsedUp('The time of the turn is used up.');
    this.#left -= statements;
  }
}

/** A database whose statements take from an allowance. Each statement of a batch counts. */
export const allowed = (real: D1Database, allowance: Allowance): D1Database =>
  around(real, async (statements, send) => {
    allowance.take(statements);
    return send();
  });
