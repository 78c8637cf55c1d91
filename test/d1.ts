/** Makes a call of D1, or replaces it. `texts` are the texts of its statements. */
export type AroundCall = <T>(texts: readonly string[], ask: () => Promise<T>) => Promise<T>;

/** A statement of a wrapped database, with the statement and text behind it. */
interface Wrapped {
  real: D1PreparedStatement;
  text: string;
}

/**
 * A D1 binding with a function around each call: a batch, or a statement that is sent by itself. `onBind` gets the
 * parameters of each statement.
 */
export function wrappedD1(
  real: D1Database,
  around: AroundCall,
  onBind: (values: readonly unknown[]) => void = () => undefined,
): D1Database {
  const statements = new WeakMap<object, Wrapped>();
  const wrapped = (statement: D1PreparedStatement, text: string): D1PreparedStatement => {
    const wrapper = {
      bind: (...values: unknown[]) => {
        onBind(values);
        return wrapped(statement.bind(...values), text);
      },
      first: (...column: [string]) => around([text], () => statement.first(...column)),
      run: () => around([text], () => statement.run()),
      all: () => around([text], () => statement.all()),
    } as unknown as D1PreparedStatement;
    statements.set(wrapper, { real: statement, text });
    return wrapper;
  };
  const over = (session: D1Database | D1DatabaseSession) => ({
    prepare: (text: string) => wrapped(session.prepare(text), text),
    batch: (batch: D1PreparedStatement[]) => {
      const known = batch.map((statement) => statements.get(statement)!);
      return around(
        known.map(({ text }) => text),
        () => session.batch(known.map(({ real: statement }) => statement)),
      );
    },
    getBookmark: () => (session as D1DatabaseSession).getBookmark(),
  });
  return {
    ...over(real),
    withSession: (constraint?: string) => over(real.withSession(constraint)),
  } as unknown as D1Database;
}
