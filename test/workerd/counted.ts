/** The text of Cloudflare's error for too many queries of an invocation. */
export const TOO_MANY = 'Too many API requests by single worker invocation.';

/** A D1 binding that counts statements as Cloudflare does, and that fails beyond a maximum. */
export function countedD1(real: D1Database, maximum = Number.POSITIVE_INFINITY) {
  const spent = { statements: 0, rowsRead: 0, open: 0, openMaximum: 0 };
  const of = new WeakMap<object, D1PreparedStatement>();
  const charged = async <T>(count: number, ask: () => Promise<T>): Promise<T> => {
    spent.statements += count;
    if (spent.statements > maximum) throw new Error(TOO_MANY);
    spent.open += 1;
    spent.openMaximum = Math.max(spent.openMaximum, spent.open);
    try {
      const answer = await ask();
      for (const one of Array.isArray(answer) ? answer : [answer])
        spent.rowsRead += (one as D1Result | null)?.meta?.rows_read ?? 0;
      return answer;
    } finally {
      spent.open -= 1;
    }
  };
  const wrapped = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapper = {
      bind: (...values: unknown[]) => wrapped(statement.bind(...values)),
      first: (column: string) => charged(1, () => statement.first(column)),
      run: () => charged(1, () => statement.run()),
      all: () => charged(1, () => statement.all()),
    } as unknown as D1PreparedStatement;
    of.set(wrapper, statement);
    return wrapper;
  };
  const over = (made: D1Database | D1DatabaseSession) => ({
    prepare: (text: string) => wrapped(made.prepare(text)),
    batch: (statements: D1PreparedStatement[]) =>
      charged(statements.length, () => made.batch(statements.map((statement) => of.get(statement)!))),
    getBookmark: () => (made as D1DatabaseSession).getBookmark(),
  });
  const db = {
    ...over(real),
    withSession: (constraint?: string) => over(real.withSession(constraint)),
  } as unknown as D1Database;
  return { db, spent };
}
