import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getTableColumns } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { EXPORTED_ROWS, TENANT_ROWS } from '../../../../src/access/database/tenant.ts';
import { settingsColumns } from '../../../../src/core/writer/settings-table.ts';
import { columnKind, objectKey } from '../../../../src/storage/transfer/kinds.ts';
import { undeclaredColumns } from '../../../../src/storage/transfer/rows.ts';
import { EXPORTED_TABLES } from '../../../../src/storage/transfer/tables.ts';

const root = resolve(import.meta.dirname, '../../../..');
const database = new DatabaseSync(':memory:');
for (const file of readdirSync(`${root}/migrations`).sort())
  database.exec(readFileSync(`${root}/migrations/${file}`, 'utf8'));

interface Column {
  name: string;
  notnull: 0 | 1;
  dflt_value: string | null;
}
const columnsOf = (table: string): Column[] =>
  database.prepare(`PRAGMA table_xinfo("${table}")`).all() as unknown as Column[];

describe('the tables of an export', () => {
  it('an export has every table of an organization except abandoned objects', () => {
    expect([...EXPORTED_TABLES.keys()].sort()).toEqual(EXPORTED_ROWS.map(({ name }) => name).sort());
  });

  it.each(EXPORTED_ROWS.map((table) => [table.name, table] as const))(
    'every column of %s has a kind that an import checks',
    (name, { derived = [] }) => {
      const own = Object.values(getTableColumns(EXPORTED_TABLES.get(name)!));
      const stored = columnsOf(name).filter((column) => !derived.includes(column.name));
      expect(own.map((column) => column.name).sort()).toEqual(stored.map((column) => column.name).sort());
      expect(undeclaredColumns(name)).toEqual([]);
    },
  );

  it.each(EXPORTED_ROWS.filter(({ storedIn: keptIn }) => !keptIn).map(({ name }) => name))(
    'the columns of %s have the defaults of the database',
    (name) => {
      const own = Object.values(getTableColumns(EXPORTED_TABLES.get(name)!));
      const withDefault = own
        .filter((column) => column.notNull && column.hasDefault)
        .map((column) => column.name);
      const stored = columnsOf(name).filter((column) => column.notnull && column.dflt_value !== null);
      expect(withDefault.sort()).toEqual(stored.map((column) => column.name).sort());
    },
  );

  it('an import accepts only listed values that the database constraints allow', () => {
    const refused = EXPORTED_ROWS.flatMap(({ name }) => {
      const row = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name)!;
      const lists = String(row['sql']).matchAll(/CHECK \((\w+)\s+IN\s*\(([^)]*)\)\)/g);
      const own = Object.values(getTableColumns(EXPORTED_TABLES.get(name)!));
      return [...lists].flatMap(([, column, list]) => {
        const allowed = list!.split(',').map((item) => item.trim().replaceAll("'", ''));
        const { enumValues } = own.find((one) => one.name === column)!;
        const kind = columnKind(name, column!);
        const values: readonly string[] = enumValues ?? ['0', '1', '2', '-1'];
        const taken = values.filter((value) =>
          kind ? kind.holds(enumValues ? value : Number(value)) : true,
        );
        return taken.filter((value) => !allowed.includes(value)).map((value) => `${name}.${column} ${value}`);
      });
    });
    expect(refused).toEqual([]);
  });
});

it('every column that names an object of the bucket is declared with its table', () => {
  const declared = TENANT_ROWS.flatMap(({ name, objects }) => (objects ? [`${name}.${objects.column}`] : []));
  const named = EXPORTED_ROWS.flatMap(({ name }) =>
    columnsOf(name)
      .filter((column) => columnKind(name, column.name) === objectKey)
      .map((column) => `${name}.${column.name}`),
  );
  expect([...named, 'calibration_orphan.object_key'].sort()).toEqual(declared.sort());
  // The name alone does not make a column one of these. Nor does it make it a uuid, a date, a hash or a
  // marker code.
  for (const column of ['object_key', 'document_key', 'file', 'image_object'])
    expect(columnKind('any', column), column).toBeUndefined();
});

it('the row of an organization has no column that creating an organization does not know', async () => {
  const { organizationCreateSchema } = await import('../../../../src/access/organization/schema.ts');
  const { organization } = await import('../../../../src/core/writer/settings-table.ts');
  const fields = Object.entries(getTableColumns(organization))
    .filter(([, { name }]) => settingsColumns.includes(name))
    .map(([field]) => field)
    .filter((field) => !['uuid', 'createDate', 'updateDate', 'suspendedDate'].includes(field));
  const { databaseName: _, ...known } = organizationCreateSchema.shape;
  expect(Object.keys(known)).toEqual(expect.arrayContaining(fields));
});
