import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bounded, boundedOnce, type Extent } from '../../../../src/core/lib/bounded.ts';
import { render } from '../../../../src/core/lib/sql.ts';

const db = new DatabaseSync(':memory:');

/** The list of these items within an extent, in SQL. */
function listed(list: typeof bounded, items: readonly string[], extent: Extent): unknown {
  const rows = sql<{ item: never }>`SELECT json_object('name', value) AS item
    FROM json_each(${JSON.stringify(items)}) ORDER BY key`;
  const { text, params } = render(sql`SELECT ${list(rows, extent)} AS list`);
  return db.prepare(text).get(...(params as string[]))!['list'];
}

/** The same list, computed item by item. */
function expected(items: readonly string[], { items: most, bytes }: Extent): string {
  const texts = items.map((name) => JSON.stringify({ name }));
  const lengthTo = (end: number) => Buffer.byteLength(texts.slice(0, end).join(''));
  const shown = texts.filter((_, at) => at < most && lengthTo(at + 1) <= bytes);
  return `{"items":[${shown.join(',')}],"more":${shown.length < texts.length ? 1 : 0}}`;
}

it.each([
  ['bounded', bounded],
  ['boundedOnce', boundedOnce],
] as const)(
  '%s keeps the first items that fit, byte for byte, and says whether there are more',
  (_, list) => {
    const seen = new Set<string>();
    const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '"', '😀'), maxLength: 8 }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(names, fc.nat(6), fc.nat(120), (items, most, bytes) => {
        const extent = { items: most, bytes };
        expect(listed(list, items, extent)).toBe(expected(items, extent));
        seen.add(`${items.length > most} ${Buffer.byteLength(JSON.stringify(items)) > bytes}`);
      }),
      { numRuns: 2_000 },
    );
    expect(seen.size).toBe(4);
  },
);
