import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MIGRATIONS, migratedDatabase } from '../migrations.ts';
import { schemaText } from '../unit/conventions/schema-text.ts';
import { Cloudflare } from './cloudflare.ts';
import { ROOT } from './service.ts';

const [FIRST, SECOND] = ['10000000-0000-4000-8000-000000000001', '10000000-0000-4000-8000-000000000002'];
const SECOND_DATABASE = `
[[env.staging.d1_databases]]
binding = "DB_1"
database_name = "second-staging"
database_id = "${SECOND}"
migrations_dir = "migrations"
`;

let home: string;
let config: string;
let cloudflare: Cloudflare;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'dispatch-deploy-'));
  mkdirSync(join(home, 'migrations'));
  config = join(home, 'wrangler.toml');
  const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  writeFileSync(config, text.replace('00000000-0000-4000-8000-000000000001', FIRST) + SECOND_DATABASE);
  cloudflare = await Cloudflare.start();
});
afterEach(() => {
  cloudflare.stop();
  rmSync(home, { recursive: true });
});

const put = (name: string, sql: string) => writeFileSync(join(home, 'migrations', name), sql);
const run = (program: string, ...args: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    const environment = {
      ...process.env,
      ...cloudflare.environment,
      CI: 'true',
      NODE_OPTIONS: '',
      WRANGLER_SEND_METRICS: 'false',
      XDG_CONFIG_HOME: home,
      TMPDIR: home,
      PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
    };
    execFile(program, args, { cwd: ROOT, env: environment }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
const deployMigrateOf = (...args: string[]) =>
  run(process.execPath, 'src/cli/deploy-migrate.ts', '--config', config, ...args);
const deployMigrate = (...args: string[]) => deployMigrateOf('staging', ...args);
const wrangler = (...args: string[]) =>
  run('wrangler', ...args, '--remote', '--env', 'staging', '--config', config);
const column = (id: string, sql: string) =>
  cloudflare
    .database(id)
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0]);
const namesIn = (id: string) => column(id, 'SELECT name FROM d1_migrations ORDER BY id');

it('deploy:migrate applies all migrations of the service to a new database', async () => {
  writeFileSync(config, readFileSync(config, 'utf8').replace(SECOND_DATABASE, ''));
  cpSync(join(ROOT, 'migrations'), join(home, 'migrations'), { recursive: true });
  const { code, stdout, stderr } = await deployMigrate();
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('# warehouse-dispatch-staging: missing: 0001_schema.sql'),
  ]);
  expect(stderr).not.toContain('ERROR');
  expect(cloudflare.writes).toEqual(['import']);
  const original = migratedDatabase();
  original.exec('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT)');
  original.exec('DROP TABLE d1_migrations');
  expect(namesIn(FIRST)).toEqual(MIGRATIONS.map(({ file }) => file));
  const database = cloudflare.database(FIRST);
  database.exec('DROP TABLE d1_migrations');
  expect(schemaText(database)).toBe(schemaText(original));
}, 180_000);

it('deploy:migrate applies all missing migrations of a database or none, and wrangler sees its entries', async () => {
  put('0001_one.sql', "-- Somebody's comment; with a quote.\nCREATE TABLE counted (number INTEGER);");
  put('0002_two.sql', 'INSERT INTO counted VALUES (2);\nINSERT INTO nowhere VALUES (2);');
  const dry = await deployMigrate('--dry-run');
  expect([dry.code, cloudflare.writes]).toEqual([0, []]);
  expect(
    dry.stdout.match(/^npx wrangler d1 execute (\S+-staging) --remote .*--file \S+\/\1\.sql/gm),
  ).toHaveLength(2);

  const failed = await deployMigrate();
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('no such table: nowhere');
  expect(failed.stderr).toContain('warehouse-dispatch-staging: applied: none\n');
  expect(failed.stderr).toContain('warehouse-dispatch-staging: not applied: 0001_one.sql, 0002_two.sql\n');
  expect(failed.stderr).toContain('second-staging: not applied: 0001_one.sql, 0002_two.sql\n');
  expect(failed.stderr).toContain('2 of 2 databases are left.');
  for (const id of [FIRST, SECOND]) expect(column(id, 'SELECT name FROM sqlite_schema')).toEqual([]);

  put('0002_two.sql', 'INSERT INTO counted VALUES (2);');
  expect((await deployMigrate()).code).toBe(0);
  for (const id of [FIRST, SECOND]) expect(column(id, 'SELECT number FROM counted')).toEqual([2]);
  const list = await wrangler('d1', 'migrations', 'list', 'second-staging');
  expect(list.stdout).toContain('No migrations to apply');

  cloudflare.writes.length = 0;
  const again = await deployMigrate();
  expect([again.code, cloudflare.writes]).toEqual([0, []]);
  expect(again.stdout).toBe(
    '# warehouse-dispatch-staging: no migration is missing\n# second-staging: no migration is missing\n',
  );
}, 180_000);

it('deploy:migrate continues after the applied migrations', async () => {
  writeFileSync(config, readFileSync(config, 'utf8').replace(SECOND_DATABASE, ''));
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  expect((await deployMigrate()).code).toBe(0);
  put('0002_two.sql', 'INSERT INTO counted VALUES (2);\nINSERT INTO nowhere VALUES (2);');
  const failed = await deployMigrate();
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('# warehouse-dispatch-staging: missing: 0002_two.sql\n');
  expect(failed.stderr).toContain('warehouse-dispatch-staging: applied: 0001_one.sql\n');
  expect(failed.stderr).toContain('warehouse-dispatch-staging: not applied: 0002_two.sql\n');
  expect([column(FIRST, 'SELECT number FROM counted'), namesIn(FIRST)]).toEqual([[], ['0001_one.sql']]);
  put('0002_two.sql', 'INSERT INTO counted VALUES (2);');
  put('0003_three.sql', 'INSERT INTO counted VALUES (3);');
  expect((await deployMigrate()).code).toBe(0);
  expect(column(FIRST, 'SELECT number FROM counted')).toEqual([2, 3]);
  expect(namesIn(FIRST)).toEqual(['0001_one.sql', '0002_two.sql', '0003_three.sql']);
}, 180_000);

it('deploy:migrate continues with the other databases after a failure, and lists what is left', async () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  cloudflare.database(FIRST).exec('CREATE TABLE counted (other TEXT)');
  const failed = await deployMigrate();
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('# second-staging: applied: 0001_one.sql\n');
  expect(failed.stderr).toContain('table counted already exists');
  expect(failed.stderr).toContain('warehouse-dispatch-staging: not applied: 0001_one.sql\n');
  expect(failed.stderr).toContain('1 of 2 databases are left.');
  expect(failed.stderr).not.toContain('second-staging:');
  expect([namesIn(SECOND), column(FIRST, 'SELECT name FROM sqlite_schema')]).toEqual([
    ['0001_one.sql'],
    ['counted'],
  ]);
}, 180_000);

it('deploy:migrate succeeds if only the answer to the import was lost', async () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  put('0002_two.sql', 'INSERT INTO counted VALUES (2);');
  cloudflare.losesAnswerOf = '0001_one.sql';
  const { code, stdout } = await deployMigrate();
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('# warehouse-dispatch-staging: applied: 0001_one.sql, 0002_two.sql\n'),
  ]);
  for (const id of [FIRST, SECOND]) expect(column(id, 'SELECT number FROM counted')).toEqual([2]);
}, 180_000);

it('deploy:migrate fails if a database has no entry after a successful import', async () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  cloudflare.ignoresImports = true;
  const { code, stderr } = await deployMigrate();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('has no entry of 0001_one.sql, although wrangler'),
  ]);
}, 60_000);

it('deploy:migrate changes nothing if the database cannot be read', async () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  cloudflare.stop();
  const { code, stderr } = await deployMigrate();
  expect([code, cloudflare.writes]).toEqual([1, []]);
  expect(stderr).toContain('warehouse-dispatch-staging could not be read. Wrangler reports:');
}, 60_000);

it.each([
  [[], 'npm run deploy:migrate -- ENVIRONMENT [--dry-run]'],
  [['staging', 'production'], 'npm run deploy:migrate -- ENVIRONMENT [--dry-run]'],
  [['nowhere'], 'wrangler.toml has no environment nowhere.'],
  [
    ['production'],
    'warehouse-dispatch-production has no id yet. First run: npm run deploy:setup -- production',
  ],
])('deploy:migrate %j reports the fault and sends nothing', async (args, message) => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  expect(await deployMigrateOf(...args)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
  expect([cloudflare.writes, cloudflare.databases.size]).toEqual([[], 0]);
});
