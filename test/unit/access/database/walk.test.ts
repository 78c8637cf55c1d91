import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Columns, columnsOf } from '../../../../src/access/database/columns.ts';
import { deletionOfSome, insertRows, inventory, readByKeys } from '../../../../src/access/database/rows.ts';
import { TENANT_ROWS, type TenantRows } from '../../../../src/access/database/tenant.ts';
import {
  BEGINNING,
  PAGE_BYTES,
  PAGE_ROWS,
  type Place,
  pageText,
  partsOf,
  readPage,
  storedRows,
} from '../../../../src/access/database/walk.ts';
import { migratedDatabase } from '../../../migrations.ts';

const database: DatabaseSync = migratedDatabase();
const prepared: string[] = [];
type Param = string | number | null;

const statement = (text: string, params: Param[]) => ({
  bind: (...given: Param[]) => statement(text, given),
  all: async () => ({ results: database.prepare(text).all(...params) }),
});
/** D1 over SQLite in this process. It notes the statements. */
const db = {
  prepare(text: string) {
    prepared.push(text);
    return statement(text, []);
  },
} as unknown as D1Database;

const columns = await columnsOf(db, TENANT_ROWS);
const of = ({ name }: TenantRows): Columns => columns.get(name)!;
const tableOf = (name: string): TenantRows => TENANT_ROWS.find((table) => table.name === name)!;

const planOf = (text: string, ...params: Param[]): string[] =>
  database
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...params)
    .map(({ detail }) => String(detail));

/** Whether a step of a plan reads rows without an index that begins with the organization. */
const readsOthers = (line: string): boolean =>
  /^(SCAN|SEARCH) /.test(line) &&
  !/^SCAN (\(subquery-\d+\)|CONSTANT ROW)/.test(line) &&
  // Rows that a row of the organization refers to.
  !/USING (INTEGER PRIMARY KEY \(rowid=\?\) LEFT-JOIN|INDEX \w+ \(uuid=\?\))/.test(line) &&
  // The ids of rows of the log begin with the number of the organization.
  !/^SEARCH [el] USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/.test(line) &&
  !/USING (PRIMARY KEY|(COVERING )?INDEX \w+) \(organization_(uuid|number)=\?/.test(line);

const places = TENANT_ROWS.flatMap((table) =>
  partsOf(table).flatMap(({ by }, part) => {
    const keys = by.length + (of(table).withoutRowid ? 0 : 1);
    return [
      { title: `${table.name}, part ${part}, from its beginning`, table, place: { part, after: [] } },
      {
        title: `${table.name}, part ${part}, after a row`,
        table,
        place: { part, after: Array(keys).fill('x') },
      },
    ];
  }),
);

describe('The rows of an organization', () => {
  it.each(places)('A page of $title reads no row of another organization', ({ table, place }) => {
    const plan = planOf(
      pageText(table, of(table), place, [storedRows(table, of(table))]),
      'o',
      ...place.after,
    );
    expect(plan.filter(readsOthers)).toEqual([]);
    // The fields of one owner have another order in the index. Nothing else is sorted.
    const sorts = plan.filter((line) => /TEMP B-TREE/.test(line));
    expect(sorts.filter((line) => table.name !== 'custom_field' || !/LAST TERM/.test(line))).toEqual([]);
  });

  it('Counting and deleting the rows of an organization reads no row of another organization', async () => {
    prepared.length = 0;
    await inventory(db, TENANT_ROWS, 'o');
    await deletionOfSome(db, TENANT_ROWS, 'o');
    expect(prepared).toHaveLength(2);
    for (const text of prepared) {
      expect(planOf(text, 'o').filter((line) => readsOthers(line) && !/VIRTUAL TABLE/.test(line))).toEqual(
        [],
      );
    }
  });

  it('The parts of a table have all of its rows', () => {
    for (const table of TENANT_ROWS) {
      const parts = partsOf(table).map(({ only }) => only);
      const [one, other] = parts;
      if (parts.length === 1) expect(one, table.name).toBeUndefined();
      else expect(parts, table.name).toEqual([one, { column: other!.column, isNull: !one!.isNull }]);
      // A comparison with NULL would leave rows out.
      const isRequired = new Map(
        database
          .prepare(`PRAGMA table_info("${table.name}")`)
          .all()
          // The columns of a view for its order are keys of its table.
          .map(({ name, notnull }) => [name, notnull === 1 || table.storedIn !== undefined]),
      );
      for (const column of partsOf(table).flatMap(({ by }) => by))
        expect(isRequired.get(column), `${table.name}.${column}`).toBe(true);
    }
  });
});

describe('A page', () => {
  const table = tableOf('track_comment');
  const { names } = of(table);

  beforeEach(() => {
    database.exec('DELETE FROM track_comment');
  });

  /** Store comments with texts of these lengths. */
  async function store(lengths: readonly number[], organization = 'o'): Promise<void> {
    const rows = lengths.map((length, index) =>
      names.map((name) => {
        const values: Record<string, Param> = { organization_uuid: organization, track_uuid: 't' };
        if (name === 'uuid') return `${organization}${String(index).padStart(6, '0')}`;
        if (name === 'additional_info') return 'é'.repeat(length / 2);
        return name in values
          ? values[name]!
          : name.endsWith('_date')
            ? index
            : name === 'attachments'
              ? '[]'
              : '';
      }),
    );
    for (const row of rows) {
      database
        .prepare(`INSERT INTO track_comment (${names.join(', ')}) VALUES (${names.map(() => '?')})`)
        .run(...row);
    }
  }

  /** The numbers of rows of all pages. */
  async function walk(organization = 'o'): Promise<number[]> {
    const pages: number[] = [];
    const seen: unknown[] = [];
    for (let place: Place | undefined = BEGINNING; place; ) {
      const { rows, next } = await readPage(db, table, of(table), organization, place);
      pages.push(rows.length);
      seen.push(...rows.map((row) => row[names.indexOf('uuid')]));
      place = next;
    }
    const [{ count } = {}] = database
      .prepare('SELECT count(*) AS count FROM track_comment WHERE organization_uuid = ?')
      .all(organization);
    expect(seen.length).toBe(count);
    expect(seen).toEqual([...new Set(seen)].sort());
    return pages;
  }

  it('A page ends with the row that exceeds its bytes, however large the rows after it are', async () => {
    await store([10, PAGE_BYTES - 10, 1_500_000, 1_500_000, 1_500_000, 10]);
    expect(await walk()).toEqual([2, 2, 2]);
  });

  it('A page has at most so many rows, and an organization without rows has one page', async () => {
    await store(Array(PAGE_ROWS + 1).fill(0));
    await store([10], 'other');
    expect(await walk()).toEqual([PAGE_ROWS, 1]);
    expect(await walk('other')).toEqual([1]);
    expect(await walk('none')).toEqual([0]);
  });

  it('Rows are read by their keys a page at a time, and keys without a row are passed', async () => {
    await store([10, 1_500_000, 1_500_000, 1_500_000, 10]);
    const keys = [3, 9, 0, 1, 2, 4, 8].map((number) =>
      JSON.stringify([`o${String(number).padStart(6, '0')}`]),
    );
    const read: number[][] = [];
    for (let at = 0; at < keys.length; ) {
      const found = await readByKeys(db, table, of(table), 'o', keys.slice(at));
      read.push(found.rows.map((row) => Number(row['create_date'])));
      at += found.keysCount;
    }
    // Rows of a page come in the order in which they were inserted.
    expect(read).toEqual([
      [0, 1, 3],
      [2, 4],
    ]);
    expect(await readByKeys(db, table, of(table), 'other', keys)).toEqual({
      rows: [],
      keysCount: keys.length,
    });
  });

  it('Rows are inserted in statements of at most 2,000,000 bytes, also a row whose JSON is longer', async () => {
    const row = (text: string) => names.map((name) => (name === 'additional_info' ? text : name));
    const texts = ['"'.repeat(900_000), 'é'.repeat(490_000), 'a'.repeat(200_000), 'b'.repeat(200_000), 'c'];
    const bound: unknown[][] = [];
    const noting = {
      prepare: (text: string) => ({
        bind: (...params: Param[]) => {
          bound.push(params);
          database.prepare(`EXPLAIN ${text}`).all(...params);
        },
      }),
    } as unknown as D1Database;
    insertRows(noting, table, of(table), texts.map(row));
    expect(bound.map((params) => params.length)).toEqual([names.length, 1, 1]);
    for (const value of bound.flat()) expect(Buffer.byteLength(String(value))).toBeLessThan(2_000_000);
  });
});
