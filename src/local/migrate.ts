/** The tables of the local databases, brought up to date before they are served. */

import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { wrangler } from './wrangler.ts';

const D1_FOLDER = 'miniflare-D1DatabaseObject';
const CONFIG = resolve(import.meta.dirname, '../../wrangler.toml');
const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');
/** As `wrangler d1 migrations apply` keeps it, so that either goes on where the other stopped. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/** Tables of databases in the configuration that belong to no environment. To load wrangler for them takes a second. */
const DATABASE = /^\[\[d1_databases\]\]\nbinding = "(\w+)"\ndatabase_name = .*\ndatabase_id = "(.+)"/gm;

/** The databases of the configuration, by the names of their bindings. */
const databases = (): { binding: string; id: string }[] =>
  [...readFileSync(CONFIG, 'utf8').matchAll(DATABASE)].map(([, binding, id]) => ({
    binding: binding!,
    id: id!,
  }));

/**
 * Apply the migrations that the databases in a state directory do not have, to each all of them or none. Wrangler is not
 * started where there are none, and once for each database otherwise: its own command starts a worker for each of them.
 * @throws with what wrangler said.
 */
export async function migrate(state: string, migrations = MIGRATIONS): Promise<void> {
  const names = readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  for (const { binding, id } of databases()) {
    const applied = appliedIn(join(state, 'v3/d1', D1_FOLDER, `${fileOf(id)}.sqlite`));
    const missing = names.filter((name) => !applied.has(name));
    if (missing.length > 0) await apply(state, binding, missing, migrations);
  }
}

async function apply(state: string, binding: string, missing: string[], migrations: string): Promise<void> {
  const file = join(state, `migrate-${binding}.sql`);
  const steps = missing.map(
    (name) =>
      `${readFileSync(join(migrations, name), 'utf8')}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`,
  );
  writeFileSync(file, [TABLE, ...steps].join('\n'));
  const applying = wrangler(
    ['d1', 'execute', binding, '--local', '--persist-to', state, '--file', file],
    'pipe',
  );
  const [[code], ...said] = await Promise.all([
    once(applying, 'exit'),
    text(applying.stdout!),
    text(applying.stderr!),
  ]);
  rmSync(file);
  if (code !== 0) throw new Error(`The migrations could not be applied to ${binding}.\n${said.join('')}`);
}

/** The name of the object that miniflare keeps a database in, and of its file: the id of a Durable Object by name. */
function fileOf(databaseId: string): string {
  const hmac = (key: Buffer, data: string | Buffer) =>
    createHmac('sha256', key).update(data).digest().subarray(0, 16);
  const key = createHash('sha256').update(D1_FOLDER).digest();
  const name = hmac(key, databaseId);
  return Buffer.concat([name, hmac(key, name)]).toString('hex');
}

/** Names of the migrations that the database in a file has; none where there is no database yet. */
function appliedIn(file: string): Set<string> {
  if (!existsSync(file)) return new Set();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'").get();
    const names = has ? database.prepare('SELECT name FROM d1_migrations').all() : [];
    return new Set(names.map(({ name }) => String(name)));
  } finally {
    database.close();
  }
}
