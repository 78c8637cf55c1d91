/**
 * `npm run deploy:migrate -- ENVIRONMENT [--dry-run]`: applies the missing migrations to each database of an environment
 * of wrangler.toml. D1 imports one file after the other, each with its entry in the table d1_migrations. So a file is
 * applied as a whole or not at all. The first failure ends the program. A second run changes nothing.
 * `--dry-run`: reads which migrations are missing, writes their files to a folder, and prints the commands.
 * `--config FILE`: another configuration than wrangler.toml. Its migrations are in the folder beside it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { commandLine } from './command-line.ts';
import { say } from './demo-output.ts';
import { namesOf, PLACEHOLDER } from './deploy-config.ts';
import { importText } from './migration-text.ts';
import { ask, CONFIG, fail, perform, show } from './wrangler.ts';

const USAGE = 'npm run deploy:migrate -- ENVIRONMENT [--dry-run]';

const { values, positionals } = commandLine(import.meta.filename, {
  allowPositionals: true,
  options: {
    config: { type: 'string', default: CONFIG },
    'dry-run': { type: 'boolean', default: false },
  },
});
const config = resolve(values.config);
const isDry = values['dry-run'];
const [environment] = positionals;
if (environment === undefined || positionals.length > 1) fail(USAGE);

/** A command for one database, in the cloud. */
const execute = (database: string, ...args: string[]): string[] => [
  ...['d1', 'execute', database, '--remote', '--env', environment, ...args],
  ...(config === CONFIG ? [] : ['--config', config]),
];

/** The rows of a query. A failed query ends the program. */
function rowsOf(database: string, sql: string): { name: string }[] {
  const { succeeded, output, report } = ask(execute(database, '--json', '--command', sql));
  if (!succeeded) fail(`${database} could not be read. Wrangler reports:\n${report}`);
  const [{ results }] = JSON.parse(output.slice(output.indexOf('['))) as [{ results: { name: string }[] }];
  return results;
}

/** The names of the applied migrations. A new database has no table of them. */
function appliedTo(database: string): Set<string> {
  const tables = rowsOf(database, "SELECT name FROM sqlite_schema WHERE name = 'd1_migrations'");
  const rows = tables.length === 0 ? [] : rowsOf(database, 'SELECT name FROM d1_migrations');
  return new Set(rows.map(({ name }) => name));
}

function importFile(name: string): string {
  const file = join(home, name);
  writeFileSync(file, importText(name, readFileSync(join(folder, name), 'utf8')));
  return file;
}

/** Apply the missing migrations to a database, or print the commands for them. */
function migrate(database: string): void {
  const applied = appliedTo(database);
  const missing = names.filter((name) => !applied.has(name));
  say(
    `# ${database}: ${missing.length === 0 ? 'no migration is missing' : `missing: ${missing.join(', ')}`}`,
  );
  for (const name of missing) {
    const command = execute(database, '--yes', '--file', importFile(name));
    if (isDry) show(command);
    else if (!perform(command)) stopped(database, name);
  }
  if (isDry || missing.length === 0) return;
  const now = appliedTo(database);
  const lost = missing.filter((name) => !now.has(name));
  if (lost.length > 0)
    fail(`${database} has no entry of ${lost.join(', ')}, although wrangler reported success.`);
}

/**
 * End the program after a failure. The connection may have failed after D1 applied the file. So the applied migrations
 * are read from the database again.
 */
function stopped(database: string, failed: string): never {
  process.stderr.write(`${failed} failed. The file that was sent is ${join(home, failed)}.\n`);
  const applied = appliedTo(database);
  const list = (of: string[]): string => of.join(', ') || 'none';
  const later = databases.slice(databases.indexOf(database) + 1);
  return fail(
    [
      `${database}: applied: ${list(names.filter((name) => applied.has(name)))}`,
      `${database}: not applied: ${list(names.filter((name) => !applied.has(name)))}`,
      ...later.map((name) => `${name}: not looked at`),
      'Remove the cause, then run this again. It continues after the applied migrations.',
    ].join('\n'),
  );
}

const folder = join(dirname(config), 'migrations');
const wanted = namesOf(readFileSync(config, 'utf8'), environment).databases;
if (wanted.length === 0) fail(`wrangler.toml has no environment ${environment}.`);
const placeholders = wanted.filter(({ id }) => PLACEHOLDER.test(id)).map(({ name }) => name);
if (placeholders.length > 0)
  fail(`${placeholders.join(', ')} has no id yet. First run: npm run deploy:setup -- ${environment}`);
const databases = wanted.map(({ name }) => name);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort();
const home = mkdtempSync(join(tmpdir(), 'dispatch-migrations-'));
for (const database of databases) migrate(database);
if (!isDry) rmSync(home, { recursive: true });
