import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { LIST_TOTALS, type ListTotal, totalTriggers } from '../../../src/core/http/totals.ts';
import { migratedDatabase } from '../../migrations.ts';

/** The names of triggers of totals. */
const TOTAL = /^(\w+)_total_(insert|update|delete)$/;

const SRC = resolve(import.meta.dirname, '../../../src');
const page = readFileSync(resolve(SRC, 'access/database/TRIGGERS.md'), 'utf8');
const triggers = migratedDatabase()
  .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
  .all()
  .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));

const isGenerated = (name: string): boolean => (TOTAL.exec(name)?.[1] ?? '') in LIST_TOTALS;

it('The triggers of totals are generated from the declaration of lists', () => {
  const generated = Object.entries(LIST_TOTALS).flatMap(([table, total]) => totalTriggers(table, total));
  expect(triggers.filter(({ name }) => isGenerated(name)).map(({ sql }) => `${sql};`)).toEqual(
    generated.toSorted(),
  );
});

it('A table with a total is declared as deleting rows exactly if the source deletes rows of it', () => {
  const source = globSync('**/*.ts', { cwd: SRC })
    .map((file) => readFileSync(resolve(SRC, file), 'utf8'))
    .join('\n');
  const deletes = (table: string): boolean =>
    new RegExp(
      `DELETE FROM ${table}\\b|\\bremove\\(${table.replace(/_./g, (part) => part[1]!.toUpperCase())},|pruneRows\\(db, '${table}'`,
    ).test(source);
  const declared = Object.entries(LIST_TOTALS as Record<string, ListTotal>);
  expect(declared.map(([table]) => [table, deletes(table)])).toEqual(
    declared.map(([table, total]) => [table, total.deletes === true]),
  );
});

it('The page of triggers names each other trigger, and no trigger that does not exist', () => {
  const reasons = page.slice(0, page.indexOf('## Order'));
  const named = [...reasons.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const others = triggers.filter(({ name }) => !isGenerated(name)).map(({ name }) => name);
  expect(others.filter((name) => !named.includes(name))).toEqual([]);
  const rows = [...reasons.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/\w+/g)]);
  expect(rows.map(([name]) => name).filter((name) => !others.includes(name))).toEqual([]);
});
