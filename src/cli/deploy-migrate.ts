/**
 * `npm run deploy:migrate -- ENVIRONMENT [--dry-run]`: applies the missing migrations to each database of an environment
 * of wrangler.toml. D1 imports one file per database. It contains the missing migrations, each followed by its entry in the
 * table d1_migrations. So a database gets all missing migrations or none. It works on 20 databases at once, and
 * continues after a failure. At the end it lists the databases that still lack migrations. The next run applies those.
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
import { ask, CONFIG, fail, show } from './wrangler.ts';

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

/** The number of databases that are worked on at once. An import takes seconds, in which only D1 works. */
const AT_ONCE = 20;

/** Run a function for each item, in order, several at once. Returns the results in order. */
async function forEach<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

/** A command for one database, in the cloud. */
const execute = (database: string, ...args: string[]): string[] => [
  ...['d1', 'execute', database, '--remote', '--env', environment, ...args],
  ...(config === CONFIG ? [] : ['--config', config]),
];

/** A database could not be read. */
class Unreadable extends Error {}

/** The names of the applied migrations. A new database has no table of them. @throws Unreadable */
async function appliedTo(database: string): Promise<Set<string>> {
  const query = execute(database, '--json', '--command', 'SELECT name FROM d1_migrations');
  const { succeeded, output, report } = await ask(query);
  if (report.includes('no such table: d1_migrations')) return new Set();
  if (!succeeded) throw new Unreadable(`${database} could not be read. Wrangler reports:\n${report}`);
  const [{ results }] = JSON.parse(output.slice(output.indexOf('['))) as [{ results: { name: string }[] }];
  return new Set(results.map(({ name }) => name));
}

/** The migrations that a database lacks, or the reason why they are not known. */
async function missingFrom(database: string): Promise<string[] | Unreadable> {
  try {
    const applied = await appliedTo(database);
    return names.filter((name) => !applied.has(name));
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}

/** The command that imports the missing migrations into a database. Writes the file that D1 imports. */
function importOf(database: string, missing: readonly string[]): string[] {
  const file = join(home, `${database}.sql`);
  const texts = missing.map((name) => importText(name, readFileSync(join(folder, name), 'utf8')));
  writeFileSync(file, texts.join(''));
  return execute(database, '--yes', '--file', file);
}

/** Apply the missing migrations to a database. Returns what is left to do; undefined if nothing is. */
async function migrate(database: string, missing: readonly string[]): Promise<string | undefined> {
  const { succeeded, report } = await ask(importOf(database, missing));
  // The connection may have failed after D1 applied the file, so the database decides what is left.
  const left = await missingFrom(database);
  const failure = succeeded ? [] : [`The import into ${database} failed. Wrangler reports:\n${report}`];
  if (left instanceof Unreadable) return [...failure, left.message].join('\n');
  if (left.length === 0) {
    say(`# ${database}: applied: ${missing.join(', ')}`);
    return undefined;
  }
  if (succeeded)
    failure.push(`${database} has no entry of ${left.join(', ')}, although wrangler reported success.`);
  const applied = names.filter((name) => !left.includes(name));
  return [
    ...failure,
    `${database}: applied: ${applied.join(', ') || 'none'}`,
    `${database}: not applied: ${left.join(', ')}`,
  ].join('\n');
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

const found = await forEach(databases, async (database) => ({
  database,
  missing: await missingFrom(database),
}));
const [left, toDo]: [string[], { database: string; missing: string[] }[]] = [[], []];
for (const { database, missing } of found) {
  if (missing instanceof Unreadable) {
    left.push(missing.message);
    continue;
  }
  say(
    `# ${database}: ${missing.length === 0 ? 'no migration is missing' : `missing: ${missing.join(', ')}`}`,
  );
  if (missing.length === 0) continue;
  if (isDry) show(importOf(database, missing));
  else toDo.push({ database, missing });
}
const ended = await forEach(toDo, ({ database, missing }) => migrate(database, missing));
left.push(...ended.filter((each) => each !== undefined));
if (left.length > 0)
  fail(
    [
      ...left,
      `${left.length} of ${databases.length} databases are left. The files that were sent are in ${home}.`,
      'Remove the cause, then run this again. It continues after the applied migrations.',
    ].join('\n'),
  );
if (!isDry) rmSync(home, { recursive: true });
