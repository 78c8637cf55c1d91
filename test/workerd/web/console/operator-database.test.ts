import { afterEach, beforeEach, expect, it } from 'vitest';
import migrations from '../../../../src/access/database/migrations.json' with { type: 'json' };
import { bindings } from '../../access/database/places.ts';
import { EVERY_MINUTE, runSchedule } from '../../schedule.ts';
import { saidBy } from '../../web/pages/published.ts';
import { newOperator } from './operator-person.ts';

const { DB, DB_1 } = bindings;
const who = await newOperator('READ');

const apply = (db: D1Database, names: readonly string[]) =>
  db
    .prepare('INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)')
    .bind(JSON.stringify(names))
    .run();

/** The lists of applied migrations, which the tests do not have. */
beforeEach(async () => {
  for (const db of [DB, DB_1])
    await db.exec('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)');
});
afterEach(async () => {
  for (const db of [DB, DB_1]) await db.exec('DROP TABLE IF EXISTS d1_migrations');
});

/** The text of the page about each database, by name. */
async function shown(): Promise<Record<string, string>> {
  // The page shows the last measurements.
  await runSchedule(EVERY_MINUTE, bindings);
  const { status, text } = await who.get('/operator/database');
  expect(status).toBe(200);
  const rows = [...text.matchAll(/<tr>(?:(?!<\/tr>)[\s\S])*<\/tr>/g)].map(([row]) => saidBy(row).trim());
  return Object.fromEntries(
    rows
      .filter((row) => /^(Database )?DB/.test(row))
      .map((row) => {
        const words = row.replace(/^Database /, '');
        return [words.split(' ')[0]!, words];
      }),
  );
}

it('the page of databases names the migrations that each database lacks', async () => {
  await apply(DB, migrations);
  await apply(DB_1, migrations.slice(0, -2));
  const { DB: main, DB_1: other } = await shown();
  expect(main).toMatch(/ None \d/);
  expect(other).toContain(migrations.slice(-2).join(', '));
});

it('the page of databases names the migrations that a new database lacks', async () => {
  await apply(DB_1, []);
  expect((await shown())['DB_1']).toContain(migrations[0]);
});

it('the page of databases shows no migrations where a database has no list of them', async () => {
  await DB_1.exec('DROP TABLE d1_migrations');
  const said = (await shown())['DB_1']!;
  expect(said).not.toContain('None');
  expect(said).not.toContain('.sql');
});
