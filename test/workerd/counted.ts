import { wrappedD1 } from '../d1.ts';
import { TOO_MANY } from '../platform/limits.ts';

/** A D1 binding that counts statements as Cloudflare does, and that fails beyond a maximum. */
export function countedD1(real: D1Database, maximum = Number.POSITIVE_INFINITY) {
  const spent = { statements: 0, rowsRead: 0, open: 0, openMaximum: 0 };
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
  return { db: wrappedD1(real, (texts, ask) => charged(texts.length, ask)), spent };
}
