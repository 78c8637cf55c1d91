import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../src/cli/migrate.ts';

let home: string;
let state: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dispatch-migrate-'));
  [state, folder] = [join(home, 'state [1]'), join(home, 'migrations')];
  for (const directory of [state, folder]) mkdirSync(directory);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (name: string, sql: string) => writeFileSync(join(folder, name), sql);

/** Returns the numbers in the test's table and the names of the applied migrations. */
function stored(): { numbers: unknown[]; names: unknown[] } {
  const [file] = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  );
  const database = new DatabaseSync(join(state, file!), { readOnly: true });
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  const found = {
    numbers: column('SELECT number FROM counted ORDER BY number'),
    names: column('SELECT name FROM d1_migrations ORDER BY id'),
  };
  database.close();
  return found;
}

it('migrate applies missing migrations in order, each once', async () => {
  put('0002_two.sql', "INSERT INTO counted VALUES (2), (LENGTH('a;b'));");
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);\nINSERT INTO counted VALUES (1);');
  migrate(state, folder);
  expect(stored()).toEqual({ numbers: [1, 2, 3], names: ['0001_one.sql', '0002_two.sql'] });
  put('0003_more.sql', 'INSERT INTO counted VALUES (4);');
  migrate(state, folder);
  migrate(state, folder);
  expect(stored().numbers).toEqual([1, 2, 3, 4]);
});

it('migrate applies none of the migrations if one fails, and says why', async () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  migrate(state, folder);
  put('0002_two.sql', 'INSERT INTO counted VALUES (2);');
  put('0003_wrong.sql', 'INSERT INTO nowhere VALUES (3);');
  expect(() => migrate(state, folder)).toThrow(/no such table: nowhere/);
  expect(stored()).toEqual({ numbers: [], names: ['0001_one.sql'] });
  put('0003_wrong.sql', 'INSERT INTO counted VALUES (3);');
  migrate(state, folder);
  expect(stored().numbers).toEqual([2, 3]);
});

it('migrate refuses data of an earlier commit with another schema, and says how to start over', () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);\nINSERT INTO counted VALUES (1);');
  migrate(state, folder);
  // White space and comments make no other schema.
  put('0001_one.sql', '-- counts\nCREATE TABLE  counted (number INTEGER);');
  migrate(state, folder);
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER, name TEXT);');
  expect(() => migrate(state, folder)).toThrow(
    /has another schema .* "counted".* Delete .*state \[1\] to start over\./,
  );
  expect(stored().numbers).toEqual([1]);
});

it('migrate starts nothing when no migration is missing', async () => {
  put('0001_one.sql', 'CREATE TABLE counted (number INTEGER);');
  migrate(state, folder);
  const begin = performance.now();
  for (let n = 0; n < 10; n += 1) migrate(state, folder);
  // Ten starts of wrangler take longer than this on any machine.
  expect(performance.now() - begin).toBeLessThan(3_000);
});
