import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { warningsOf, withIds } from '../../../src/cli/deploy-config.ts';
import { namesOfKind, withLocation } from '../../../src/cli/deploy-location.ts';
import { writerLocationsOf } from '../../../src/core/writer/location.ts';
import { withEnvironment } from '../../third-environment.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A fake wrangler. A file contains its account, and another one all calls. */
const WRANGLER = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const home = process.env.FAKE_HOME;
const args = process.argv.slice(2);
appendFileSync(home + '/calls', args.join(' ') + '\\n');
const file = home + '/account.json';
const account = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { d1: {}, r2: {}, queues: [] };
const [thing, verb] = args;
const done = (text = '') => { writeFileSync(file, JSON.stringify(account)); console.log(text); process.exit(0); };
if (process.env.FAKE_FAILS && args.join(' ').startsWith(process.env.FAKE_FAILS)) { console.error('the cause'); process.exit(1); }
if (thing === 'd1' && verb === 'list') done(JSON.stringify(Object.entries(account.d1).map(([name, uuid]) => ({ name, uuid }))));
if (thing === 'd1') { account.d1[args[2]] = require('node:crypto').randomUUID(); done(); }
if (thing === 'queues' && verb === 'info') process.exit(account.queues.includes(args[2]) ? 0 : 1);
if (thing === 'queues') { account.queues.push(args[2]); done(); }
if (verb === 'bucket' && args[2] === 'info') process.exit(args[3] in account.r2 ? 0 : 1);
if (verb === 'bucket' && args[2] === 'create') { account.r2[args[3]] = []; done(); }
if (args[3] === 'list') done(account.r2[args[4]].join('\\n'));
account.r2[args[4]].push(args[5]);
done();
`;

let home: string;
let config: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dispatch-setup-'));
  config = join(home, 'wrangler.toml');
  cpSync(join(ROOT, 'wrangler.toml'), config);
  writeFileSync(join(home, 'wrangler'), WRANGLER);
  chmodSync(join(home, 'wrangler'), 0o755);
});
afterEach(() => rmSync(home, { recursive: true }));

function setup(args: readonly string[], environment: Record<string, string> = {}) {
  const before = calls().length;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'src/cli/deploy-setup.ts'), '--config', config, ...args],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        ...environment,
        FAKE_HOME: home,
        PATH: `${home}${delimiter}${process.env['PATH']}`,
      },
    },
  );
  const commands = stdout
    .split('\n')
    .filter((line) => line.startsWith('npx wrangler '))
    .map((line) => line.slice('npx wrangler '.length));
  return { status, stdout, stderr, commands, calls: calls().slice(before) };
}
const calls = (): string[] => {
  const file = join(home, 'calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};
const isWriting = (call: string): boolean => /\b(create|add)\b/.test(call);
const text = () => readFileSync(config, 'utf8');

const STAGING = [
  'd1 create warehouse-dispatch-staging',
  'r2 bucket create warehouse-dispatch-calibration-staging',
  'r2 bucket lifecycle add warehouse-dispatch-calibration-staging made-documents proof/ --expire-days 90 --force',
  ...['webhook', 'operation', 'webhook-dead', 'operation-dead', 'schedule'].map(
    (kind) => `queues create warehouse-dispatch-${kind}-staging`,
  ),
];

it('deploy:setup --dry-run shows its plan, sends no request and changes nothing', () => {
  const before = text();
  const { status, commands, calls: made } = setup(['staging', '--dry-run']);
  expect([status, commands.sort(), made, text() === before]).toEqual([0, STAGING.toSorted(), [], true]);
});

it('deploy:setup creates what wrangler.toml names and writes the ids; a second run changes nothing', () => {
  const before = text();
  const first = setup(['staging']);
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(first.calls.filter(isWriting).sort()).toEqual(STAGING.toSorted());
  const id = JSON.parse(readFileSync(join(home, 'account.json'), 'utf8')).d1['warehouse-dispatch-staging'];
  const after = before.replace('00000000-0000-4000-8000-000000000001', id);
  expect(text()).toBe(after);
  const second = setup(['staging']);
  expect([second.status, second.commands, second.calls.filter(isWriting)]).toEqual([0, [], []]);
  expect(text()).toBe(after);
});

it('deploy:setup keeps an existing id, even if the account has another resource with this name', () => {
  const database = (id: string) => `database_name = "a"\ndatabase_id = "${id}"\n`;
  const ids = new Map([['a', 'of the account']]);
  expect(withIds(database('of ours'), ids)).toBe(database('of ours'));
  expect(withIds(database('00000000-0000-4000-8000-000000000009'), ids)).toBe(database('of the account'));
});

it('deploy:setup continues after an interruption and uses the existing resources', () => {
  const failed = setup(['production'], {
    FAKE_FAILS: 'queues create warehouse-dispatch-operation-production',
  });
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain('run this again');
  const again = setup(['production']);
  expect(again.status).toBe(0);
  const writes = [...failed.calls, ...again.calls].filter(isWriting);
  expect(writes.filter((call) => call.startsWith('d1'))).toHaveLength(1);
  expect(writes.filter((call) => call.includes('bucket create'))).toHaveLength(1);
  expect(again.calls.filter(isWriting)).toContain(
    'queues create warehouse-dispatch-operation-dead-production',
  );
  expect(text()).not.toContain('00000000-0000-4000-8000-000000000002');
});

it('deploy:setup takes a location hint or a jurisdiction, which also binds the bucket and the queues', () => {
  const hinted = setup(['staging', '--dry-run', '--location', 'weur']);
  expect(hinted.commands.slice(0, 2)).toEqual([
    'd1 create warehouse-dispatch-staging --location weur',
    'r2 bucket create warehouse-dispatch-calibration-staging --location weur',
  ]);
  expect(hinted.commands).toContain('queues create warehouse-dispatch-webhook-staging');
  const bound = setup(['staging', '--jurisdiction', 'eu']);
  expect(bound.calls).toContain('d1 create warehouse-dispatch-staging --jurisdiction eu');
  const line = 'bucket_name = "warehouse-dispatch-calibration-staging"\njurisdiction = "eu"\n';
  expect([text().includes(line), text().match(/^jurisdiction/gm)!.length]).toEqual([true, 1]);
  const bucket = bound.calls.filter((call) => call.startsWith('r2 '));
  expect(bucket.every((call) => call.endsWith('--jurisdiction eu'))).toBe(true);
  const queues = bound.calls.filter((call) => call.startsWith('queues create '));
  expect([queues.length, queues.every((call) => call.endsWith('--jurisdiction eu'))]).toEqual([5, true]);
  setup(['staging', '--jurisdiction', 'eu']);
  expect(text().match(/^jurisdiction/gm)).toHaveLength(1);
  const both = setup(['staging', '--jurisdiction', 'eu', '--location', 'weur']);
  expect([both.status, both.calls]).toEqual([1, []]);
});

const VARS = '[env.staging.vars]\n';
const placement = (region: string) => `[env.staging.placement]\nregion = "${region}"\n\n`;

it('deploy:setup places the Worker and the objects beside the databases, and a second run changes nothing', () => {
  const before = text();
  const dry = setup(['staging', '--location', 'eeur', '--dry-run']);
  expect(dry.stdout).toContain(`in ${config}: WRITER_LOCATIONS = '{"DB":"eeur"}'`);
  expect(dry.stdout).toContain(`in ${config}: region = "aws:eu-central-1"`);
  expect(text()).toBe(before);
  setup(['staging', '--location', 'eeur']);
  const id = JSON.parse(readFileSync(join(home, 'account.json'), 'utf8')).d1['warehouse-dispatch-staging'];
  const after = before
    .replace(VARS, `${placement('aws:eu-central-1')}${VARS}WRITER_LOCATIONS = '{"DB":"eeur"}'\n`)
    .replace('00000000-0000-4000-8000-000000000001', id);
  expect(text()).toBe(after);
  setup(['staging', '--location', 'apac']);
  expect(text()).toBe(after);
});

it('deploy:setup adds the location of a further database, and keeps the place of the Worker', () => {
  setup(['staging', '--location', 'weur']);
  const first = text();
  const added =
    '[[env.staging.d1_databases]]\nbinding = "DB_1"\ndatabase_name = "one"\n' +
    'database_id = "00000000-0000-4000-8000-000000000099"\n\n';
  writeFileSync(
    config,
    first.replace('[[env.staging.d1_databases]]', `${added}[[env.staging.d1_databases]]`),
  );
  setup(['staging', '--location', 'apac', '--dry-run']);
  expect(text()).toContain(`WRITER_LOCATIONS = '{"DB":"weur"}'`);
  setup(['staging', '--location', 'apac']);
  expect(text()).toContain(`${VARS}WRITER_LOCATIONS = '{"DB":"weur","DB_1":"apac"}'\n`);
  expect(text().match(/WRITER_LOCATIONS|placement/g)).toHaveLength(2);
  expect(text()).toContain(placement('aws:eu-west-3'));
});

it('deploy:setup creates no database outside of the jurisdiction of the others', () => {
  setup(['staging', '--jurisdiction', 'eu']);
  expect(text()).toContain(`WRITER_LOCATIONS = '{"DB":{"jurisdiction":"eu"}}'`);
  const added = text().replace(
    '[[env.staging.d1_databases]]',
    '[[env.staging.d1_databases]]\nbinding = "DB_1"\ndatabase_name = "one"\n' +
      'database_id = "00000000-0000-4000-8000-000000000099"\n\n[[env.staging.d1_databases]]',
  );
  writeFileSync(config, added);
  for (const elsewhere of [
    ['--jurisdiction', 'us'],
    ['--location', 'weur'],
  ]) {
    const { status, stderr, calls: made } = setup(['staging', ...elsewhere]);
    expect([status, made.filter(isWriting), text() === added]).toEqual([1, [], true]);
    expect(stderr).toContain('need the same jurisdiction');
  }
  setup(['staging', '--jurisdiction', 'eu']);
  expect(text()).toContain(`'{"DB":{"jurisdiction":"eu"},"DB_1":{"jurisdiction":"eu"}}'`);
});

it('deploy:setup refuses an unknown location and lists the known ones', () => {
  const hint = setup(['staging', '--location', 'mars']);
  expect([hint.status, hint.calls]).toEqual([1, []]);
  expect(hint.stderr).toContain('There is no location "mars". Use one of: weur, eeur, apac, oc, wnam, enam.');
  expect(setup(['staging', '--jurisdiction', 'ch']).stderr).toContain('Use one of: eu, us, fedramp.');
});

it('the service takes each location that deploy:setup writes', () => {
  for (const kind of ['location', 'jurisdiction'] as const) {
    for (const name of namesOfKind(kind)) {
      const bindings = { all: ['DB'], created: ['DB'] };
      const { text: changed } = withLocation(text(), 'staging', bindings, { kind, name });
      const [, locations] = /^WRITER_LOCATIONS = '(.*)'$/m.exec(changed)!;
      expect(() => writerLocationsOf({ DB: {}, WRITER_LOCATIONS: locations } as never)).not.toThrow();
    }
  }
});

it('deploy:setup reports a fault and does nothing', () => {
  for (const args of [[], ['nowhere'], ['staging', 'production']]) {
    const { status, stderr, calls: made } = setup(args);
    expect([args, status, stderr !== '', made]).toEqual([args, 1, true, []]);
  }
  const before = text();
  const located = ['staging', '--location', 'weur'];
  const { status, stderr, calls: made } = setup(located, { FAKE_FAILS: 'd1 list' });
  expect([status, made, text() === before]).toEqual([1, ['d1 list --json'], true]);
  expect(stderr).toContain('Wrangler reports:\nthe cause');
});

it('deploy:setup warns while the domain is an example and no route leads to the Worker', () => {
  const { status, stdout } = setup(['staging', '--dry-run']);
  expect([status, stdout.match(/^# Warning: .*$/gm)]).toEqual([
    0,
    [
      '# Warning: BASE_DOMAIN is "staging.dispatch.example.com". Set a domain of your own in [env.staging.vars].',
      '# Warning: [env.staging] has no routes, so nobody can reach the Worker (workers_dev is false). Add a route.',
      expect.stringContaining('# Warning: No location is set'),
    ],
  ]);
  const name = 'name = "warehouse-dispatch-staging"\n';
  const own = text()
    .replace('staging.dispatch.example.com', 'staging.acme.test')
    .replace(name, `${name}routes = [{ pattern = "staging.acme.test", custom_domain = true }]\n`);
  writeFileSync(config, own);
  expect(setup(['staging', '--dry-run', '--location', 'weur']).stdout).not.toContain('Warning');
  // The other environment is as it was.
  expect(setup(['production', '--dry-run']).stdout.match(/^# Warning: /gm)).toHaveLength(3);
});

it('deploy:setup warns until a location is set', () => {
  const warnsOf = (args: string[]) => setup(args).stdout.includes('# Warning: No location is set');
  expect(warnsOf(['staging', '--dry-run'])).toBe(true);
  expect(warnsOf(['staging', '--location', 'weur'])).toBe(false);
  expect(warnsOf(['staging', '--dry-run'])).toBe(false);
});

it.each([
  ['a route', '[env.eu]\nroute = "acme.test/*"\n', []],
  ['routes in sections', '[env.eu]\n[[env.eu.routes]]\npattern = "acme.test"\n', []],
  ['a route of another environment', '[env.eu]\n[env.eu2]\nroute = "acme.test/*"\n', ['has no routes']],
])('deploy:setup looks for %s', (_, routes, expected) => {
  const warnings = warningsOf(`${routes}[env.eu.vars]\nBASE_DOMAIN = "acme.test"\n`, 'eu');
  expect(warnings.map((warning) => /has no routes|BASE_DOMAIN/.exec(warning)![0])).toEqual(expected);
});

it.each(['example.com', 'a.b.example.org', 'localhost', ''])(
  'deploy:setup warns of the domain %j',
  (domain) => {
    const warnings = warningsOf(`[env.eu]\nroute = "x"\n[env.eu.vars]\nBASE_DOMAIN = "${domain}"\n`, 'eu');
    expect(warnings).toEqual([`BASE_DOMAIN is "${domain}". Set a domain of your own in [env.eu.vars].`]);
  },
);

it('deploy:setup warns of variables for development and of counts that two environments share', () => {
  const limit = (env: string, id: string) => `[[env.${env}.ratelimits]]\nnamespace_id = "${id}"\n`;
  const warnings = warningsOf(
    '[env.eu]\nroute = "x"\n[env.eu.vars]\nBASE_DOMAIN = "acme.test"\nENVIRONMENT = "development"\n' +
      `WEBHOOK_RETRY_DIVISOR = "1000"\n${limit('eu', '1')}${limit('eu', '2')}${limit('us', '2')}`,
    'eu',
  );
  expect(warnings).toEqual([
    'ENVIRONMENT = "development" is for a developer machine. Change it in [env.eu.vars].',
    'WEBHOOK_RETRY_DIVISOR = "1000" is for a developer machine. Change it in [env.eu.vars].',
    'namespace_id = "2" occurs twice, so two quotas of public pages share a count. Use another number.',
  ]);
});

it.each([
  ['the binding', '[[env.eu.send_email]]\nname = "EMAIL"\n', '', ['EMAIL_FROM in [env.eu.vars]']],
  ['the sender', '', 'EMAIL_FROM = "a@acme.test"\n', ['[[env.eu.send_email]]']],
  ['both', '[[env.eu.send_email]]\nname = "EMAIL"\n', 'EMAIL_FROM = "a@acme.test"\n', []],
  ['neither of them', '[[env.us.send_email]]\nname = "EMAIL"\n', '', []],
])(
  'deploy:setup warns if one of two settings for e-mails is missing: with %s',
  (_, binding, sender, expected) => {
    const vars = `[env.eu.vars]\nBASE_DOMAIN = "acme.test"\n${sender}`;
    expect(warningsOf(`[env.eu]\nroute = "x"\n${vars}${binding}`, 'eu')).toEqual(
      expected.map(
        (missing) => `E-mails cannot be sent without ${missing}. See E-mails in the guide on deploying.`,
      ),
    );
  },
);

it('deploy:setup creates the resources of an environment with any name', () => {
  writeFileSync(config, withEnvironment(text(), 'eu'));
  const { status, commands, stdout } = setup(['eu']);
  expect([status, commands.sort()]).toEqual([
    0,
    STAGING.map((command) => command.replaceAll('-staging', '-eu')).sort(),
  ]);
  expect(stdout).toContain('# Warning: namespace_id = "1011" occurs twice');
  const id = JSON.parse(readFileSync(join(home, 'account.json'), 'utf8')).d1['warehouse-dispatch-eu'];
  expect(text()).toContain(`database_name = "warehouse-dispatch-eu"\ndatabase_id = "${id}"`);
});
