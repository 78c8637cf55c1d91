import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeEach, expect, it } from 'vitest';
import { unstable_splitSqlQuery as splitSqlQuery } from 'wrangler';
import listed from '../../../src/access/database/migrations.json' with { type: 'json' };
import { rendered } from '../../../src/cli/migration-text.ts';
import { MIGRATIONS, migratedDatabase, naiveStatements } from '../../migrations.ts';
import { schemaText } from './schema-text.ts';

const source = resolve(import.meta.dirname, '../../../src');
const [SCHEMA] = MIGRATIONS;
/** Views that the code reads as tables. */
const VIEWS = ['command_log', 'event_log'];
/** A column whose CHECK lists fewer values: the kind OPERATOR is in the table `operator`. */
const NARROWER = ['credential.kind'];

/** The tables that the code declares. */
const declared: SQLiteTable[] = (
  await Promise.all(
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /[/-](?:table|store)\.ts$/.test(file))
      .map((file) => import(`${source}/${file}`)),
  )
)
  .flatMap((module) => Object.values(module))
  .filter((value) => is(value, SQLiteTable))
  .sort((a, b) => (getTableName(a) < getTableName(b) ? -1 : 1));
const declaredTables = declared.filter((table) => !VIEWS.includes(getTableName(table)));

let database: DatabaseSync;
beforeEach(() => {
  database = migratedDatabase();
});

const rows = (statement: string) => database.prepare(statement).all();
const schema = () => rows('SELECT type, name, sql FROM sqlite_schema ORDER BY rowid');

/** A default value as SQLite shows it. */
const literal = ({ default: value }: SQLiteColumn): string | null =>
  value === undefined ? null : typeof value === 'string' ? `'${value}'` : String(value);

it('The migrations create the tables, columns and primary keys that the code declares', () => {
  const created = rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(
    ({ name }) => {
      const columns = rows(`PRAGMA table_info(${String(name)})`);
      return {
        name,
        columns: columns
          .map(({ name, type, notnull, dflt_value }) => ({
            name,
            type: String(type).toLowerCase(),
            isRequired: notnull === 1,
            default: dflt_value,
          }))
          .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
        primaryKey: columns
          .filter(({ pk }) => pk !== 0)
          .sort((a, b) => Number(a['pk']) - Number(b['pk']))
          .map(({ name }) => name),
      };
    },
  );
  expect(created).toEqual(
    declaredTables.map(getTableConfig).map(({ name, columns, primaryKeys }) => ({
      name,
      columns: columns
        .map((column) => ({
          name: column.name,
          type: column.getSQLType(),
          isRequired: column.notNull || column.primary,
          default: literal(column),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      primaryKey: (primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)).map(
        ({ name }) => name,
      ),
    })),
  );
});

it('The views have the columns that the code declares', () => {
  for (const table of declared.filter((table) => VIEWS.includes(getTableName(table)))) {
    const { name, columns } = getTableConfig(table);
    expect(
      rows(`PRAGMA table_info(${name})`).map(({ name }) => name),
      name,
    ).toEqual(expect.arrayContaining(columns.map(({ name }) => name)));
  }
});

it('A CHECK on a column allows the values that the code declares', () => {
  const compared = declaredTables.map(getTableConfig).flatMap(({ name: table, columns }) => {
    const [{ sql } = {}] = rows(`SELECT sql FROM sqlite_schema WHERE name = '${table}'`);
    return columns
      .filter(({ name, enumValues }) => enumValues?.length && !NARROWER.includes(`${table}.${name}`))
      .flatMap(({ name, enumValues }) =>
        [...String(sql).matchAll(new RegExp(`CHECK \\(${name} IN\\s*\\(([^)]*)\\)\\)`, 'g'))].map(
          ([, list]) => ({
            column: `${table}.${name}`,
            checked: [...list!.matchAll(/'(\w+)'/g)].map(([, value]) => value).sort(),
            declared: [...enumValues!].sort(),
          }),
        ),
      );
  });
  expect(compared.length).toBeGreaterThan(20);
  for (const { column, checked, declared } of compared) expect(checked, column).toEqual(declared);
});

it('Only the migrations define indexes, checks, unique constraints and foreign keys', () => {
  for (const table of declared) {
    const { name, indexes, checks, uniqueConstraints, foreignKeys, columns } = getTableConfig(table);
    const unique = columns.filter(({ isUnique }) => isUnique);
    expect([...indexes, ...checks, ...uniqueConstraints, ...foreignKeys, ...unique], name).toEqual([]);
  }
});

it('The file migrations.json lists the migrations for the Worker, which has no folder to look into', () => {
  expect(listed).toEqual(MIGRATIONS.map(({ file }) => file));
});

it('The schema refuses a database of a commit before 1.0.0, says how to start again, and changes nothing', () => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE organization (uuid TEXT)');
  const before = schema();
  expect(() => database.exec(SCHEMA!.text)).toThrow(
    /the database is of a commit before 1\.0\.0: start again with an empty one \(locally: delete \.state\)/,
  );
  expect(schema()).toEqual(before);
});

it('A migration never drops, renames or rebuilds a table, and cascades nothing', () => {
  for (const { file, text } of MIGRATIONS) {
    expect(text.replace(/--.*$/gm, ''), file).not.toMatch(/DROP\s+TABLE|RENAME\s+TO|CASCADE/i);
  }
});

const COMMENTS = /--.*|\/\*[\s\S]*?\*\//g;

it('A comment in a migration contains no quotes, no semicolons and no words that begin or end a trigger', () => {
  for (const { file, text } of MIGRATIONS) {
    const comments = text.match(COMMENTS) ?? [];
    expect(
      comments.filter((comment) => /['"`;]|\b(?:begin|end)\b/i.test(comment)),
      file,
    ).toEqual([]);
  }
});

it('A migration has LF line breaks and a name with four digits, which both wrangler and we sort by', () => {
  for (const { file, text } of MIGRATIONS) {
    expect(file).toMatch(/^\d{4}_[a-z0-9_]+\.sql$/);
    expect(text.includes('\r'), file).toBe(false);
  }
});

it('A trigger is written in upper case, has BEGIN at the end of a line, END on its own line, and no CASE', () => {
  const triggers = MIGRATIONS.flatMap(({ file, text }) =>
    [...text.replace(COMMENTS, '').matchAll(/\bCREATE\s+TRIGGER\b[\s\S]*?\bEND\s*;/gi)].map(([trigger]) => ({
      file,
      trigger,
    })),
  );
  expect(triggers.length).toBeGreaterThan(40);
  for (const { file, trigger } of triggers) {
    expect(trigger, file).toMatch(/^CREATE TRIGGER \w+\s[\s\S]*?\S BEGIN\n[\s\S]*;\nEND;$/);
    expect(trigger, file).not.toMatch(/\bCASE\b/i);
  }
});

it('The rendered migrations are statements for the simplest splitter, and create the same schema', () => {
  const split = new DatabaseSync(':memory:');
  for (const { file, text } of MIGRATIONS) {
    for (const statement of naiveStatements(rendered(text))) {
      // The maximum of D1.
      expect(Buffer.byteLength(statement), file).toBeLessThan(100_000);
      split.prepare(statement).run();
      // SQLite ignores text after the first statement.
      expect(splitSqlQuery(statement), file).toHaveLength(1);
    }
  }
  expect(schemaText(split)).toBe(schemaText(database));
});
