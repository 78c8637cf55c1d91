/**
 * `npm run deploy:setup -- staging [--location weur | --jurisdiction eu] [--dry-run]`: creates the databases, the
 * bucket with its rule and the queues that an environment of wrangler.toml names and the account does not have. Writes
 * the ids of databases to wrangler.toml, and where the Worker and the objects of organizations run. A second run
 * changes nothing.
 * `--dry-run`: prints the commands and runs none.
 * `--config FILE`: another configuration than wrangler.toml.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { commandLine } from './command-line.ts';
import { say } from './demo/output.ts';
import {
  namesOf,
  PLACEHOLDER,
  type Resources,
  warningsOf,
  withIds,
  withJurisdiction,
} from './deploy-config.ts';
import { type Location, namesOfKind, withLocation } from './deploy-location.ts';
import { ask, CONFIG, fail, perform, show } from './wrangler.ts';

const USAGE = 'npm run deploy:setup -- ENVIRONMENT [--location HINT | --jurisdiction NAME] [--dry-run]';
/** How long generated documents are kept. They can be generated again (src/web/pages/proof-cache.ts). */
const MADE = { rule: 'made-documents', prefix: 'proof/', days: 90 };

const { values, positionals } = commandLine(import.meta.filename, {
  allowPositionals: true,
  options: {
    config: { type: 'string', default: CONFIG },
    location: { type: 'string' },
    jurisdiction: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const isDry = values['dry-run'];

/** The output of wrangler; undefined if it failed. */
async function outputOf(args: readonly string[]): Promise<string | undefined> {
  const { succeeded, output } = await ask(args);
  return succeeded ? output : undefined;
}

/** Run a command of wrangler, or only print it in a dry run. */
function run(args: readonly string[]): void {
  if (isDry) show(args);
  else if (!perform(args)) fail('Nothing was undone. Remove the cause, then run this again.');
}

/** The location of new databases and of the bucket; undefined if Cloudflare chooses it. @throws for an unknown one */
function locationOf({ location, jurisdiction }: typeof values): Location | undefined {
  if (location && jurisdiction) {
    return fail('Use --jurisdiction without --location: a jurisdiction already decides where data stays.');
  }
  const name = jurisdiction ?? location;
  if (name === undefined) return undefined;
  const kind = jurisdiction === undefined ? 'location' : 'jurisdiction';
  const names = namesOfKind(kind);
  return names.includes(name)
    ? { kind, name }
    : fail(`There is no ${kind} ${JSON.stringify(name)}. Use one of: ${names.join(', ')}.`);
}
const location = locationOf(values);
const locationArguments = location ? [`--${location.kind}`, location.name] : [];
const inJurisdiction = location?.kind === 'jurisdiction' ? locationArguments : [];

/** Write the location of the databases that will be created, before they are created. */
function place(config: string, environment: string, { databases: all }: Resources): void {
  const created = all.filter(({ id }) => PLACEHOLDER.test(id)).map(({ binding }) => binding);
  if (!location || created.length === 0) return;
  try {
    const bindings = { all: all.map(({ binding }) => binding), created };
    const { text, added } = withLocation(readFileSync(config, 'utf8'), environment, bindings, location);
    if (!isDry) writeFileSync(config, text);
    for (const line of added) say(`# ${isDry ? 'will be added' : 'added'} in ${config}: ${line}`);
  } catch (error) {
    fail((error as Error).message);
  }
}

/** The ids of the account's databases, by name. */
async function idsOf(): Promise<Map<string, string>> {
  const { succeeded, output, report } = await ask(['d1', 'list', '--json']);
  if (!succeeded)
    return fail(`The databases of the account could not be listed. Wrangler reports:\n${report}`);
  const databases: { name: string; uuid: string }[] = JSON.parse(output.slice(output.indexOf('[')));
  return new Map(databases.map(({ name, uuid }) => [name, uuid]));
}

/** The names of the databases without an id in wrangler.toml. */
const missingOf = ({ databases: all }: Resources): string[] =>
  all.filter(({ id }) => PLACEHOLDER.test(id)).map(({ name }) => name);

/** Create the missing databases that the account lacks, and write their ids. */
async function databases(
  config: string,
  missing: readonly string[],
  known: ReadonlyMap<string, string>,
): Promise<void> {
  if (missing.length === 0) return;
  for (const name of missing) if (!known.has(name)) run(['d1', 'create', name, ...locationArguments]);
  if (isDry) {
    say(`# and writes their ids to ${config}`);
    return;
  }
  const ids = await idsOf();
  const nowhere = missing.filter((name) => !ids.has(name));
  if (nowhere.length > 0) fail(`The account has no database ${nowhere.join(', ')}.`);
  writeFileSync(config, withIds(readFileSync(config, 'utf8'), ids));
  say(`# wrangler.toml has the ids of ${missing.join(', ')}. Commit it.`);
}

async function buckets(config: string, { buckets: wanted }: Resources): Promise<void> {
  for (const name of wanted) {
    if (isDry || (await outputOf(['r2', 'bucket', 'info', name, ...inJurisdiction])) === undefined) {
      run(['r2', 'bucket', 'create', name, ...locationArguments]);
    }
    const rules = isDry ? '' : await outputOf(['r2', 'bucket', 'lifecycle', 'list', name, ...inJurisdiction]);
    if (!rules?.includes(MADE.rule)) {
      const { rule, prefix, days } = MADE;
      const expiring = ['--expire-days', String(days), '--force'];
      run(['r2', 'bucket', 'lifecycle', 'add', name, rule, prefix, ...expiring, ...inJurisdiction]);
    }
  }
  if (location?.kind !== 'jurisdiction') return;
  const before = readFileSync(config, 'utf8');
  const after = withJurisdiction(before, wanted, location.name);
  if (after === before) return;
  if (!isDry) writeFileSync(config, after);
  say(`# ${isDry ? 'and ' : ''}jurisdiction = "${location.name}" beside the bucket in ${config}`);
}

async function queues({ queues: wanted }: Resources): Promise<void> {
  for (const name of wanted) {
    if (isDry || (await outputOf(['queues', 'info', name])) === undefined)
      run(['queues', 'create', name, ...inJurisdiction]);
  }
}

const [environment] = positionals;
if (environment === undefined || positionals.length > 1) fail(USAGE);
const wanted = namesOf(readFileSync(values.config, 'utf8'), environment!);
if (wanted.databases.length === 0) fail(`wrangler.toml has no environment ${environment}.`);
const missing = missingOf(wanted);
// Nothing is written before the account answers.
const known = isDry || missing.length === 0 ? new Map<string, string>() : await idsOf();
place(values.config, environment!, wanted);
await databases(values.config, missing, known);
await buckets(values.config, wanted);
await queues(wanted);
for (const warning of warningsOf(readFileSync(values.config, 'utf8'), environment!, location !== undefined))
  say(`# Warning: ${warning}`);
say(
  `# Then the secrets, once: openssl rand -hex 32 | npx wrangler secret put OPERATOR_KEY --env ${environment}` +
    `, and the same with SEALING_KEY`,
);
