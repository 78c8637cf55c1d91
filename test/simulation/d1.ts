import type { Statement } from './store.ts';
import type { Domain, World } from './world.ts';

/** The D1 binding of a domain. The history decides when each batch arrives, and with which fault. */
export function bindingOf(world: World, domain: Domain, name: string): D1Database {
  const send = async (statements: readonly Statement[]) => {
    const results = await world.send(domain, name, statements);
    return results.map((rows) => ({
      success: true,
      results: rows,
      meta: { rows_read: 0, rows_written: 0, changes: 0 },
    }));
  };
  const statementOf = (text: string, params: readonly unknown[]): object => {
    const one = async () => (await send([{ text, params }]))[0]!;
    return {
      text,
      params,
      bind: (...values: unknown[]) => statementOf(text, values),
      all: one,
      run: one,
      first: async () => (await one()).results[0] ?? null,
    };
  };
  const session = {
    prepare: (text: string) => statementOf(text, []),
    batch: (statements: Statement[]) => send(statements),
    getBookmark: () => world.bookmark,
  };
  return { ...session, withSession: () => session } as unknown as D1Database;
}
