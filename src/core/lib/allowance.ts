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
export function allowed(real: D1Database, allowance: Allowance): D1Database {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const sent = async <T>(statements: number, send: () => Promise<T>): Promise<T> => {
    allowance.take(statements);
    return send();
  };
  const statement = (original: D1PreparedStatement): D1PreparedStatement => {
    const made = {
      bind: (...values: unknown[]) => statement(original.bind(...values)),
      first: (...column: [string]) => sent(1, () => original.first(...column)),
      run: () => sent(1, () => original.run()),
      all: () => sent(1, () => original.all()),
    } as unknown as D1PreparedStatement;
    originals.set(made, original);
    return made;
  };
  const session = (of: D1Database | D1DatabaseSession) => ({
    prepare: (text: string) => statement(of.prepare(text)),
    batch: (batch: D1PreparedStatement[]) =>
      sent(batch.length, () => of.batch(batch.map((each) => originals.get(each)!))),
  });
  return {
    ...session(real),
    withSession: (constraint?: string) => {
      const opened = real.withSession(constraint);
      return { ...session(opened), getBookmark: () => opened.getBookmark() };
    },
  } as unknown as D1Database;
}
