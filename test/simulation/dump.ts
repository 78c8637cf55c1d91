import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** Everything that a store holds: the rows of each table, in their order. */
export async function dump(store: Store): Promise<Record<string, string[]>> {
  const tables = await store.read(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
      AND name <> 'd1_migrations' ORDER BY name`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await store.read(`SELECT * FROM ${name}`);
    rows[name as string] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

/** The same as a name that changes with any of it. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
