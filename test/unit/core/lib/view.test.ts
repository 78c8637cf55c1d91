import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { is, SQL, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { render } from '../../../../src/core/lib/sql.ts';
import { json, view } from '../../../../src/core/lib/view.ts';
import { organizationView } from '../../../../src/core/writer/settings.ts';
import { migratedDatabase } from '../../../migrations.ts';
import { callsWithTooManyArguments } from '../../../sql-arguments.ts';
import { schemaText } from '../../conventions/schema-text.ts';

const source = resolve(import.meta.dirname, '../../../../src');

it('A view of any size keeps the order of its members, null, and JSON within JSON', () => {
  const database = new DatabaseSync(':memory:');
  for (const size of [1, 15, 16, 30, 31, 70]) {
    const members = Array.from({ length: size }, (_, index): [string, SQL] => [
      `m${size - index}`,
      [sql.raw('NULL'), sql.raw(`'a"b'`), sql.raw('7'), json(sql.raw(`'{"b":null,"a":[1]}'`))][index % 4]!,
    ]);
    const { text } = render(view(Object.fromEntries(members)));
    const row = database.prepare(`SELECT json_object('within', ${text}) AS view`).get();
    const values = [null, 'a"b', 7, { b: null, a: [1] }];
    const wanted = Object.fromEntries(members.map(([name], index) => [name, values[index % 4]]));
    expect(row!['view']).toBe(JSON.stringify({ within: wanted }));
    expect(callsWithTooManyArguments(text)).toEqual([]);
  }
});

it('No function in an exported view has more arguments than D1 takes', async () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(store|view|settings|list|commands)\.ts$/.test(file),
  );
  const modules = await Promise.all(files.map(async (file) => [file, await import(`${source}/${file}`)]));
  const views = modules.flatMap(([file, module]) =>
    Object.entries(module).flatMap(([name, value]) =>
      is(value, SQL) ? [{ name: `${file} ${name}`, value }] : [],
    ),
  );
  expect(views.map(({ value }) => value)).toContain(organizationView);
  expect(views.length).toBeGreaterThan(20);
  for (const { name, value } of views)
    expect(callsWithTooManyArguments(render(value).text), name).toEqual([]);
});

it('No function in the schema has more arguments than D1 takes', () => {
  expect(callsWithTooManyArguments(schemaText(migratedDatabase()))).toEqual([]);
});

it('A call with 33 arguments is found, also within other calls, and a list of columns is not one', () => {
  const list = Array.from({ length: 33 }, (_, index) => `c${index}`).join(', ');
  expect(callsWithTooManyArguments(`SELECT coalesce(1, json_array(${list}))`)).toMatchObject([{ count: 33 }]);
  expect(callsWithTooManyArguments(`SELECT json_array('(', ${list.slice(4)})`)).toMatchObject([
    { count: 33 },
  ]);
  expect(callsWithTooManyArguments(`INSERT INTO "t" (${list}) VALUES (${list})`)).toEqual([]);
  expect(callsWithTooManyArguments(`CREATE TABLE t (${list})`)).toEqual([]);
});
