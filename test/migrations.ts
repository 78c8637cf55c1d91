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
