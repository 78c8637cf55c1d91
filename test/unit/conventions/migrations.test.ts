import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const migrations = readdirSync(`${root}/migrations`)
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map((file) => ({ file, text: readFileSync(`${root}/migrations/${file}`, 'utf8') }));

async function tables(): Promise<SQLiteTable[]> {
  const files = readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /[/-]table\.ts$/.test(file),
  );
  const modules = await Promise.all(files.map((file) => import(`${root}/src/${file}`)));
  return modules.flatMap((module) => Object.values(module)).filter((value) => is(value, SQLiteTable));
}

/** Tables that became views of the same name: what an old version of the service asks of them goes on being answered. */
const REPLACED = ['audit_log', 'track_activity'];

it('makes the tables that the code names, column by column', async () => {
  const database = new DatabaseSync(':memory:');
  for (const { text } of migrations) database.exec(text);
  const named = (await tables()).map((table) => ({
    name: getTableName(table),
    columns: Object.values(getTableColumns(table))
      .map(
        (column) =>
          `${column.name} ${column.getSQLType()}${column.notNull || column.primary ? ' not null' : ''}`,
      )
      .sort(),
  }));
  const views = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name").all();
  expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(REPLACED));
  for (const { name, columns } of named.filter((table) => REPLACED.includes(table.name))) {
    const shown = database.prepare(`PRAGMA table_info(${name})`).all();
    expect(shown.map((column) => column['name'])).toEqual(
      expect.arrayContaining(columns.map((column) => column.split(' ')[0])),
    );
  }
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const made = names.map(({ name }) => ({
    name: String(name),
    columns: database
      .prepare(`PRAGMA table_info(${String(name)})`)
      .all()
      .map(
        (column) => `${column.name} ${String(column.type).toLowerCase()}${column.notnull ? ' not null' : ''}`,
      )
      .sort(),
  }));
  const kept = named.filter(({ name }) => !REPLACED.includes(name));
  expect(made).toEqual(kept.sort((a, b) => (a.name < b.name ? -1 : 1)));
});

it('never drops or rebuilds a table but for a view of the same name, and cascades nothing', () => {
  for (const { file, text } of migrations) {
    const statements = REPLACED.reduce(
      (rest, name) =>
        rest
          .replace(`ALTER TABLE ${name} RENAME TO ${name}_before;`, '')
          .replace(`DROP TABLE ${name}_before;`, ''),
      text.replace(/--.*$/gm, ''),
    );
    expect(statements, file).not.toMatch(/DROP\s+TABLE|RENAME\s+TO|CASCADE/i);
  }
});
