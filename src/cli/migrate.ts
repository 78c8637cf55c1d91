/** Applies migrations to the local databases before they are served. */
import { createHash, createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rendered } from './migration-text.ts';

const D1_FOLDER = 'miniflare-D1DatabaseObject';
const CONFIG = resolve(import.meta.dirname, '../../wrangler.toml');
const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');
/** The same table as `wrangler d1 migrations apply` uses, so that either continues where the other stopped. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Matches the configuration's databases that belong to no environment. Loading wrangler for this would take a second.
 */
const DATABASE = /^\[\[d1_databases\]\]\nbinding = "(\w+)"\ndatabase_name = .*\ndatabase_id = "(.+)"/gm;

/** The databases of the configuration, by the names of their bindings. */
const databases = (): { binding: string; id: string }[] =>
  [...readFileSync(CONFIG, 'utf8').matchAll(DATABASE)].map(([, binding, id]) => ({
    binding: binding!,
    id: id!,
  }));

/**
 * Apply the missing migrations to the databases in a state directory: to each database all of them or none. This writes
 * SQLite's files directly, in a tenth of a second. Wrangler's command starts a worker for each migration, and takes two
 * seconds for each database even if no migration is missing.
 * @throws with SQLite's message, or for a database of an earlier commit with another schema
 */
export function migrate(state: string, migrations = MIGRATIONS): void {
  const names = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  let expected: ReadonlyMap<string, string> | undefined;
  for (const { binding, id } of databases()) {
    const file = fileOf(state, id);
    mkdirSync(dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    try {
      database.exec(`PRAGMA journal_mode = WAL; ${TABLE} BEGIN;`);
      const isApplied = database.prepare('SELECT 1 FROM d1_migrations WHERE name = ?');
      const missing = names.filter((name) => !isApplied.get(name));
      for (const name of missing) {
        database.exec(readFileSync(join(migrations, name), 'utf8'));
        database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name);
      }
      // A new database has the schema of its migrations.
      if (missing.length < names.length) {
        expected ??= schemaOfAll(migrations, names);
        const other = differenceOf(schemaOf(database), expected);
        if (other !== undefined) throw new OtherSchema(other);
      }
      database.exec('COMMIT');
    } catch (error) {
      if (error instanceof OtherSchema) throw new Error(`${error.message} Delete ${state} to start over.`);
      throw new Error(`The migrations could not be applied to ${binding}.\n${error}`);
    } finally {
      // Rolls back if there was no commit.
      database.close();
    }
  }
}

class OtherSchema extends Error {
  constructor(name: string) {
    super(
      `The stored data has another schema than this version, for example in "${name}". Versions before 1.0.0 do not keep data.`,
    );
  }
}

/** The tables, indexes, views and triggers of a database by name, except the tables of the platform. */
function schemaOf(database: DatabaseSync): Map<string, string> {
  const rows = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; sql: string }[];
  const own = rows.filter(({ name }) => name !== 'd1_migrations' && !name.startsWith('_cf_'));
  return new Map(own.map(({ name, sql }) => [name, rendered(sql).replace(/\s+/g, ' ')]));
}

/** The schema that migrations make. */
function schemaOfAll(folder: string, names: readonly string[]): Map<string, string> {
  const fresh = new DatabaseSync(':memory:');
  for (const name of names) fresh.exec(readFileSync(join(folder, name), 'utf8'));
  const schema = schemaOf(fresh);
  fresh.close();
  return schema;
}

/** The name of a part that only one of two schemas has, or that differs. Undefined for equal schemas. */
const differenceOf = (
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): string | undefined =>
  [...new Set([...one.keys(), ...other.keys()])].find((name) => one.get(name) !== other.get(name));

/** The file, in a state directory, of the database with this binding. */
export const databaseFile = (state: string, binding: string): string =>
  fileOf(state, databases().find((database) => database.binding === binding)!.id);

/** The file in which miniflare keeps a database. It is named like a Durable Object, by an id derived from a name. */
function fileOf(state: string, databaseId: string): string {
  const hmac = (key: Buffer, data: string | Buffer) =>
    createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const key = createHash('sha256').update(D1_FOLDER).digest();
  const name = hmac(key, databaseId);
  const id = Buffer.concat([name, hmac(key, name)]).toString('hex');
  return join(state, 'v3/d1', D1_FOLDER, `${id}.sqlite`);
}
