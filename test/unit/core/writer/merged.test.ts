import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scope, type Write } from '../../../../src/core/lib/scope.ts';
import { forD1, mergedStatement, render, rowsTable } from '../../../../src/core/lib/sql.ts';
import { type Merged, merged, shareOf } from '../../../../src/core/writer/batch.ts';
import type { CommandRequest } from '../../../../src/core/writer/command.ts';
import { type RecordedAnswer, recordAnswer } from '../../../../src/core/writer/idempotency.ts';

const thing = sqliteTable('thing', {
  organizationUuid: text('organization_uuid').notNull(),
  uuid: text('uuid').primaryKey(),
  name: text('name'),
  count: integer('count').notNull(),
});
const SCHEMA = `
  CREATE TABLE thing (organization_uuid TEXT, uuid TEXT PRIMARY KEY, name TEXT, count INTEGER);
  CREATE TABLE line (organization_uuid TEXT, number INTEGER PRIMARY KEY, of TEXT);
  CREATE TABLE idempotency (organization_uuid TEXT, key TEXT PRIMARY KEY, fingerprint TEXT, command_id TEXT NOT NULL, refusal TEXT,
    create_date INTEGER, expires_date INTEGER, body TEXT);`;
const scope = new Scope('organization');

/** Statements of commands on the things of one owner. */
const kinds = {
  insert: (owner, n, name) => scope.insert(thing, [{ uuid: `${owner}-i${n}`, name, count: 0 }]),
  insertTwo: (owner, n, name) =>
    scope.insert(
      thing,
      ['a', 'b'].map((end) => ({ uuid: `${owner}-${end}${n}`, name, count: 0 })),
    ),
  rename: (owner, _, name) => [scope.update(thing, { name }, { uuids: [`${owner}-i0`, `${owner}-a0`] })],
  renameNone: (_, __, name) => [scope.update(thing, { name }, { uuids: [] })],
  renameEach: (owner, _, name) => scope.updateEach(thing, [{ uuid: `${owner}-i0`, name, count: 7 }]),
  // This statement has no JSON parameter, so it cannot be merged and must run once for each command.
  count: () => [sql`UPDATE thing SET count = count + 1 WHERE organization_uuid = ${scope.organization}`],
  countOwn: (owner) => [
    sql`UPDATE thing SET count = count + 1
      WHERE organization_uuid = ${scope.organization} AND uuid LIKE ${`${owner}-%`}`,
  ],
  number: (owner, n) => [
    sql`INSERT INTO line SELECT ${scope.organization}, (SELECT coalesce(max(number), 0) FROM line) + 1 + key, value
      FROM ${rowsTable(JSON.stringify([`${owner} ${n}`, `${owner} ${n}.`]))}`,
  ],
} satisfies Record<string, (owner: string, n: number, name: string | null) => Write[]>;

interface Doing {
  writes: (keyof typeof kinds)[];
  name: string | null;
}

const doings = fc.array(
  fc.record({
    writes: fc.array(fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])), { maxLength: 4 }),
    name: fc.option(fc.string({ unit: 'grapheme' }).filter((name) => !name.includes('\0'))),
  }),
  { minLength: 1, maxLength: 8 },
);

const requestOf = (place: number) =>
  ({ commandId: `command ${place}`, idempotencyKey: `${place}`, fingerprint: 'f' }) as CommandRequest;

/** The statements of a command, with its answer last: the things of its owner after it. */
function partOf({ writes, name }: Doing, place: number, owner: string): Write[] {
  const own = `${owner}-%`;
  const answer = sql`SELECT json_group_array(json_object('uuid', uuid, 'name', name, 'count', count, 'place', ${place}))
    FROM (SELECT * FROM thing WHERE organization_uuid = ${scope.organization} AND uuid LIKE ${own} ORDER BY uuid)`;
  return [
    ...writes.flatMap((kind, n) => kinds[kind](`${owner}-${place}`, n, name)),
    recordAnswer(scope, requestOf(place), answer, { now: 1 }),
  ];
}

/** Run statements. @returns the rows after them, and the answers. */
function made(statements: readonly Write[]) {
  const store = new DatabaseSync(':memory:');
  store.exec(SCHEMA);
  const answers = statements.flatMap((statement) => {
    const { text: asked, params } = forD1(statement);
    return store.prepare(asked).all(...(params as SQLInputValue[])) as unknown as RecordedAnswer[];
  });
  const content = ['thing', 'idempotency'].map((table) =>
    store.prepare(`SELECT * FROM ${table} ORDER BY 2`).all(),
  );
  const lines = store.prepare('SELECT number, of FROM line ORDER BY number').all();
  store.close();
  return { answers: new Map(answers.map(({ commandId, body }) => [commandId, body])), content, lines };
}

describe('statements of commands that share a commit', () => {
  it('merged statements have the effect of running the commands one after the other', () => {
    fc.assert(
      fc.property(doings, fc.nat(8), fc.boolean(), (all, few, isAlike) => {
        const apart = Math.min(few, all.length);
        const parts = all.map((doing, place) => {
          const own: Doing = {
            ...doing,
            writes: (isAlike ? all[0]! : doing).writes.filter((kind) => kind !== 'count' || place >= apart),
          };
          // Commands after the first `apart` ones share one owner.
          return partOf(own, place, place < apart ? `o${place}` : 'o');
        });
        const [alone, together] = [
          made(parts.flat()),
          made(merged(parts, apart).map(({ statement }) => statement)),
        ];
        expect(together.answers).toEqual(alone.answers);
        expect(together.content).toEqual(alone.content);
        // Commands that have nothing in common may get numbers in any order, but the numbers of each
        // command are in order.
        expect(together.lines.map(({ number }) => number)).toEqual(alone.lines.map(({ number }) => number));
        const ofOwner = ({ lines }: typeof alone, place: number) =>
          lines.filter(({ of }) => String(of).includes(`-${place} `)).map(({ of }) => of);
        for (const place of all.keys()) expect(ofOwner(together, place)).toEqual(ofOwner(alone, place));
      }),
      { numRuns: 300 },
    );
  });

  it('many commands that write alike cost as many statements as one', () => {
    const writes: Doing['writes'] = ['insert', 'insertTwo', 'rename', 'renameEach', 'number'];
    const parts = (names: (string | null)[]) =>
      names.map((name, place) => partOf({ writes, name }, place, `o${place}`));
    const of = (all: Write[][], apart: number) => merged(all, apart).map(({ statement }) => statement.text);
    const same = Array.from({ length: 20 }, () => 'name');
    expect(of(parts(same), 20)).toEqual(of(parts(['name']), 1));
    expect(of(parts(same), 5)).toHaveLength((1 + 15) * 6);
    // Their other parameters differ, so each rename is a statement of its own.
    expect(of(parts(['a', 'b', 'c']), 3)).toHaveLength(6 + 2);
  });

  it('merged statements stay below the parameter limit of D1', () => {
    const name = 'x'.repeat(200_000);
    const parts = Array.from({ length: 5 }, (_, place) =>
      partOf({ writes: ['insert'], name }, place, `o${place}`),
    );
    const [first, second, third, ...rest] = merged(parts, 5);
    expect([first, second, third].map((part) => part!.of)).toEqual([[0, 1], [2, 3], [4]]);
    expect(rest.map(({ of }) => of)).toEqual([[0, 1, 2, 3, 4]]);
  });

  it('merged statements share their cost among their commands completely and once', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.nat(1_000),
        fc.integer({ min: 1, max: 50 }),
        (rowsRead, rowsWritten, count) => {
          const of = Array.from({ length: count }, (_, index) => index * 3);
          const part: Merged = { statement: { text: '', params: [] }, of };
          const shares = of.map((place) => shareOf(part, place, { rows: [], rowsRead, rowsWritten }));
          const sum = (key: 'rowsRead' | 'rowsWritten') =>
            shares.reduce((total, share) => total + share[key], 0);
          expect([sum('rowsRead'), sum('rowsWritten')]).toEqual([rowsRead, rowsWritten]);
        },
      ),
    );
  });
});

describe('two statements', () => {
  const insert = (json: string, more = 'm') =>
    render(sql`INSERT INTO t SELECT ${more}, value FROM ${rowsTable(json)}`);

  it('two statements merge if only their rows differ', () => {
    const both = mergedStatement(insert('["a"]'), insert('["b","c"]'))!;
    expect(forD1(both)).toEqual({ text: insert('[]').text, params: ['m', '["a","b","c"]'] });
    expect(forD1(mergedStatement(both, insert('[]'))!).params).toEqual(['m', '["a","b","c"]']);
    expect(forD1(mergedStatement(insert('[]'), insert('["b"]'))!).params).toEqual(['m', '["b"]']);
  });

  it('two statements stay apart if anything else differs, or nothing', () => {
    expect(mergedStatement(insert('["a"]'), insert('["a"]', 'other'))).toBeUndefined();
    const plain = render(sql`UPDATE t SET n = n + 1 WHERE o = ${'o'}`);
    expect(mergedStatement(plain, plain)).toBeUndefined();
    expect(
      mergedStatement(
        insert('["a"]'),
        render(sql`DELETE FROM t WHERE o = ${'m'} AND v IN ${rowsTable('["a"]')}`),
      ),
    ).toBe(undefined);
    // With two lists, it is unclear which items form a pair.
    const pairs = (one: string, other: string) =>
      render(
        sql`INSERT INTO t SELECT a.value, b.value FROM ${rowsTable(one)} a CROSS JOIN ${rowsTable(other)} b`,
      );
    expect(mergedStatement(pairs('[1]', '[2]'), pairs('[3]', '[4]'))).toBeUndefined();
  });
});
