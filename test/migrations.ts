import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const FOLDER = resolve(import.meta.dirname, '../migrations');

/** The migrations, in the order in which they are applied. */
export const MIGRATIONS: readonly { file: string; text: string }[] = readdirSync(FOLDER)
  .sort()
  .map((file) => ({ file, text: readFileSync(resolve(FOLDER, file), 'utf8') }));

/** An empty SQLite database in memory with the tables of the service. */
export function migratedDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const { text } of MIGRATIONS) database.exec(text);
  return database;
}

/**
 * The statements of a text, split at each semicolon outside of `BEGIN … END`. It ignores comments and quotes, as the
 * query API of D1 does at its worst.
 */
export function naiveStatements(sql: string): string[] {
  const statements: string[] = [];
  let open = '';
  for (const part of sql.split(/(?<=;)/)) {
    open += part;
    const count = (word: RegExp): number => open.match(word)?.length ?? 0;
    if (count(/\sBEGIN\s/g) > count(/\sEND[;\s]/g)) continue;
    statements.push(open);
    open = '';
  }
  return [...statements, open].filter((statement) => statement.trim() !== '');
}
