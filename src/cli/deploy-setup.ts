/**
 * `npm run deploy:setup -- staging [--location weur | --jurisdiction eu] [--dry-run]`: creates the databases, the
 * bucket with its rule and the queues that an environment of wrangler.toml names and the account does not have. Then
 * writes the ids of databases to wrangler.toml. A second run changes nothing.
 * `--dry-run`: prints the commands and runs none.
 * `--config FILE`: another configuration than wrangler.toml.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { commandLine } from './command-line.ts';
import {
  namesOf,
  PLACEHOLDER,
  type Resources,
  warningsOf,
  withIds,
  withJurisdiction,
} from './deploy-config.ts';

const USAGE = 'npm run deploy:setup -- ENVIRONMENT [--location HINT | --jurisdiction NAME] [--dry-run]';
/** How long generated documents are kept. They can be generated again (src/web/pages/proof-cache.ts). */
const MADE = { rule: 'made-documents', prefix: 'proof/', days: 90 };

const { values, positionals } = commandLine(import.meta.filename, {
  allowPositionals: true,
  options: {
    config: { type: 'string', default: resolve(import.meta.dirname, '../../wrangler.toml') },
    location: { type: 'string' },
    jurisdiction: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const isDry = values['dry-run'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** The output of wrangler; undefined if it failed. */
function outputOf(args: readonly string[]): string | undefined {
  const { status, stdout, error } = spawnSync('wrangler', args, {
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  if (error) fail(`wrangler cannot be run: ${error.message}. Run this with npm.`);
  return status === 0 ? stdout : undefined;
}

/** Run a command of wrangler, or only print it in a dry run. */
function run(args: readonly string[]): void {
  say(`npx wrangler ${args.join(' ')}`);
  if (isDry) return;
  const { status } = spawnSync('wrangler', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) fail('Nothing was undone. Remove the cause, then run this again.');
}

/** The location of data: a hint, or a jurisdiction, which binds. */
const locationArguments = (): string[] =>
  values.jurisdiction
    ? ['--jurisdiction', values.jurisdiction]
    : values.location
      ? ['--location', values.location]
      : [];
const inJurisdiction = values.jurisdiction ? ['--jurisdiction', values.jurisdiction] : [];

/** The ids of the account's databases, by name. */
function idsOf(): Map<string, string> {
  const text = outputOf(['d1', 'list', '--json']);
  if (text === undefined)
    return fail('The account does not answer. Check the output of `npx wrangler whoami`.');
  const databases: { name: string; uuid: string }[] = JSON.parse(text.slice(text.indexOf('[')));
  return new Map(databases.map(({ name, uuid }) => [name, uuid]));
}

function databases(config: string, { databases: wanted }: Resources): void {
  const missing = wanted.filter(({ id }) => PLACEHOLDER.test(id)).map(({ name }) => name);
  if (missing.length === 0) return;
  const known = isDry ? new Map<string, string>() : idsOf();
  for (const name of missing) if (!known.has(name)) run(['d1', 'create', name, ...locationArguments()]);
  if (isDry) {
    say(`# and writes their ids to ${config}`);
    return;
  }
  const ids = idsOf();
  const nowhere = missing.filter((name) => !ids.has(name));
  if (nowhere.length > 0) fail(`The account has no database ${nowhere.join(', ')}.`);
  writeFileSync(config, withIds(readFileSync(config, 'utf8'), ids));
  say(`# wrangler.toml has the ids of ${missing.join(', ')}. Commit it.`);
}

function buckets(config: string, { buckets: wanted }: Resources): void {
  for (const name of wanted) {
    if (isDry || outputOf(['r2', 'bucket', 'info', name, ...inJurisdiction]) === undefined) {
      run(['r2', 'bucket', 'create', name, ...locationArguments()]);
    }
    const rules = isDry ? '' : outputOf(['r2', 'bucket', 'lifecycle', 'list', name, ...inJurisdiction]);
    if (!rules?.includes(MADE.rule)) {
      const { rule, prefix, days } = MADE;
      const expiring = ['--expire-days', String(days), '--force'];
      run(['r2', 'bucket', 'lifecycle', 'add', name, rule, prefix, ...expiring, ...inJurisdiction]);
    }
  }
  if (!values.jurisdiction) return;
  const before = readFileSync(config, 'utf8');
  const after = withJurisdiction(before, wanted, values.jurisdiction);
  if (after === before) return;
  if (!isDry) writeFileSync(config, after);
  say(`# ${isDry ? 'and ' : ''}jurisdiction = "${values.jurisdiction}" beside the bucket in ${config}`);
}

function queues({ queues: wanted }: Resources): void {
  for (const name of wanted) {
    if (isDry || outputOf(['queues', 'info', name]) === undefined) run(['queues', 'create', name]);
  }
}

const [environment] = positionals;
if (environment === undefined || positionals.length > 1) fail(USAGE);
if (values.location && values.jurisdiction)
  fail('Use --jurisdiction without --location: a jurisdiction already decides where data stays.');
const wanted = namesOf(readFileSync(values.config, 'utf8'), environment!);
if (wanted.databases.length === 0) fail(`wrangler.toml has no environment ${environment}.`);
databases(values.config, wanted);
buckets(values.config, wanted);
queues(wanted);
for (const warning of warningsOf(readFileSync(values.config, 'utf8'), environment!))
  say(`# Warning: ${warning}`);
say(
  `# Then the secrets, once: openssl rand -hex 32 | npx wrangler secret put OPERATOR_KEY --env ${environment}` +
    `, and the same with SEALING_KEY`,
);
