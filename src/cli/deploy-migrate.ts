/**
 * `npm run deploy:migrate -- ENVIRONMENT [--dry-run]`: applies the missing migrations to each database of an environment
 * of wrangler.toml. D1 imports one file per database. It contains the missing migrations, each followed by its entry in the
 * table d1_migrations. So a database gets all missing migrations or none. The first failure ends the program. The next
 * run applies the missing migrations.
 * `--dry-run`: finds the missing migrations, writes the files to a folder, and prints the commands.
 * `--config FILE`: another configuration than wrangler.toml. Its migrations are in the folder beside it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { commandLine } from './command-line.ts';
import { say } from './demo/output.ts';
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

/** The names of the applied migrations. A new database has no table of them. A failed query ends the program. */
function appliedTo(database: string): Set<string> {
  const query = execute(database, '--json', '--command', 'SELECT name FROM d1_migrations');
  const { succeeded, output, report } = ask(query);
  if (report.includes('no such table: d1_migrations')) return new Set();
  if (!succeeded) fail(`${database} could not be read. Wrangler reports:\n${report}`);
  const [{ results }] = JSON.parse(output.slice(output.indexOf('['))) as [{ results: { name: string }[] }];
  return new Set(results.map(({ name }) => name));
}

/** Write the file that D1 imports into a database. */
function writeImport(database: string, missing: readonly string[]): string {
  const file = join(home, `${database}.sql`);
  writeFileSync(
    file,
    missing.map((name) => importText(name, readFileSync(join(folder, name), 'utf8'))).join(''),
  );
  return file;
}

/** Apply the missing migrations to a database, or print the commands for them. */
function migrate(database: string): void {
  const applied = appliedTo(database);
  const missing = names.filter((name) => !applied.has(name));
  say(
    `# ${database}: ${missing.length === 0 ? 'no migration is missing' : `missing: ${missing.join(', ')}`}`,
  );
  if (missing.length === 0) return;
  const file = writeImport(database, missing);
  const command = execute(database, '--yes', '--file', file);
  if (isDry) {
    show(command);
    return;
  }
  if (!perform(command)) stopped(database, file);
  const now = appliedTo(database);
  const lost = missing.filter((name) => !now.has(name));
  if (lost.length > 0)
    fail(`${database} has no entry of ${lost.join(', ')}, although wrangler reported success.`);
}

/**
 * End the program after a failure. The connection may have failed after D1 applied the file. So the applied migrations
 * are read from the database again.
 */
function stopped(database: string, file: string): never {
  process.stderr.write(`The import into ${database} failed. The file that was sent is ${file}.\n`);
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
