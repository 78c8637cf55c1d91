import { createHash } from 'node:crypto';
import type { Store } from './store.ts';

/** The tables of the service. */
export async function tablesOf(store: Store): Promise<{ name: string; hasRowid: boolean }[]> {
  const tables = await store.read(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
      AND name NOT LIKE '_cf_%' AND name <> 'd1_migrations' ORDER BY name`,
  );
  return tables.map(({ name, sql }) => ({
    name: name as string,
    hasRowid: !/WITHOUT ROWID/i.test(sql as string),
  }));
}

/** A value of a row as JSON. Bytes become an object; D1 returns them as a list. */
export const asJson = (value: unknown): unknown =>
  value instanceof Uint8Array || Array.isArray(value) ? { hex: Buffer.from(value).toString('hex') } : value;

/** The shown columns of a table. Its id is derived. */
const SHOWN: Record<string, string> = { recent_answer: 'organization_uuid, command_id, body' };

/** The rows of each table of a store. */
export async function dump(store: Store): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { name } of await tablesOf(store)) {
    const found = await store.read(`SELECT ${SHOWN[name] ?? '*'} FROM ${name}`);
    rows[name] = found.map((row) => JSON.stringify(row, (_, value) => asJson(value))).sort();
  }
  return rows;
}

/** A short hash that changes with any part of a value. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
