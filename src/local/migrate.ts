/** The tables of the local database, brought up to date before it is served. */
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { wrangler } from './wrangler.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations');
/** As `wrangler d1 migrations apply` keeps it, so that either goes on where the other stopped. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Apply the migrations that the database in a state directory does not have, all of them or none. Wrangler is not
 * started where there are none, and once otherwise: its own command starts a worker for each of them.
 * @throws with what wrangler said.
 */
export async function migrate(state: string, migrations = MIGRATIONS): Promise<void> {
  const applied = appliedIn(state);
  const missing = readdirSync(migrations).filter((name) => name.endsWith('.sql') && !applied.has(name));
  if (missing.length === 0) return;
  const file = join(state, 'migrate.sql');
  const steps = missing
    .sort()
    .map(
      (name) =>
        `${readFileSync(join(migrations, name), 'utf8')}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`,
    );
  writeFileSync(file, [TABLE, ...steps].join('\n'));
  const applying = wrangler(
    ['d1', 'execute', 'DB', '--local', '--persist-to', state, '--file', file],
    'pipe',
  );
  const [[code], ...said] = await Promise.all([
    once(applying, 'exit'),
    text(applying.stdout!),
    text(applying.stderr!),
  ]);
  rmSync(file);
  if (code !== 0) throw new Error(`The migrations could not be applied.\n${said.join('')}`);
}

/** Names of the migrations that the database has; none where there is no database yet. */
function appliedIn(state: string): Set<string> {
  // Miniflare keeps a file of its own beside those of databases.
  const files = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter(
    (file) => basename(file) !== 'metadata.sqlite',
  );
  const names = files.flatMap((file) => {
    const database = new DatabaseSync(join(state, file), { readOnly: true });
    try {
      const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'").get();
      return has ? database.prepare('SELECT name FROM d1_migrations').all() : [];
    } finally {
      database.close();
    }
  });
  return new Set(names.map(({ name }) => String(name)));
}
