import { fromPlatform } from './store.ts';

/** Makes a call to D1 with so many statements. */
type Sending = <T>(statements: number, send: () => Promise<T>) => Promise<T>;

/** Open a session. An error of it is one of the platform. */
function opening<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw fromPlatform(error);
  }
}

/** A database whose calls are made by a function. */
export function around(real: D1Database, sending: Sending): D1Database {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const statement = (original: D1PreparedStatement): D1PreparedStatement => {
    const made = {
      bind: (...values: unknown[]) => statement(original.bind(...values)),
      first: (...column: [string]) => sending(1, () => original.first(...column)),
      run: () => sending(1, () => original.run()),
      all: () => sending(1, () => original.all()),
    } as unknown as D1PreparedStatement;
    originals.set(made, original);
    return made;
  };
  const session = (of: D1Database | D1DatabaseSession) => ({
    prepare: (text: string) => statement(of.prepare(text)),
    batch: (batch: D1PreparedStatement[]) =>
      sending(batch.length, async () => of.batch(batch.map((each) => originals.get(each)!))),
  });
  return {
    ...session(real),
    withSession: (constraint?: string) => {
      const opened = opening(() => real.withSession(constraint));
      return { ...session(opened), getBookmark: () => opened.getBookmark() };
    },
  } as unknown as D1Database;
}
