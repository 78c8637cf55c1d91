import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { forD1, sqlUuid } from '../../../../src/core/lib/sql.ts';
import { customField } from '../../../../src/dispatch/custom-field/store.ts';

const session = { getBookmark: () => null, prepare: () => ({ bind: () => ({}) }), batch: async () => [] };
const database = new Database('org', new Databases({ DB: { withSession: () => session } }));

it('a database refuses a statement that does not name the organization', async () => {
  await expect(database.send([sql`SELECT * FROM track WHERE uuid = ${'x'}`])).rejects.toThrow(
    'without organization',
  );
  await expect(database.send([sql`SELECT ${'org'}`])).resolves.toEqual([]);
});

it('a scope names the organization in every statement it makes', () => {
  const statements = [
    ...database.insert(customField, [{ ownerUuid: 'o', fieldKey: 'k', fieldValue: 'v' }]),
    database.update(customField, { fieldValue: 'v' }, sql`field_key = ${'k'}`),
    database.remove(customField, sql`field_key = ${'k'}`),
  ];
  for (const statement of statements) expect(forD1(statement).params).toContain('org');
});

it('an insert takes any number of rows and any text, below the parameter limit', () => {
  const store = new DatabaseSync(':memory:');
  store.exec(
    `CREATE TABLE custom_field (organization_uuid TEXT, owner_uuid TEXT, field_key TEXT, field_value TEXT)`,
  );
  const row = fc.record({
    ownerUuid: fc.string({ unit: 'binary' }),
    fieldKey: fc.string(),
    fieldValue: fc.string({ unit: 'grapheme', maxLength: 300 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
      const storable = rows.filter(({ ownerUuid }) => ownerUuid.isWellFormed() && !ownerUuid.includes('\0'));
      store.exec('DELETE FROM custom_field');
      for (const statement of database.insert(customField, storable)) {
        const { text, params } = forD1(statement);
        store.prepare(text).run(...(params as string[]));
      }
      const stored = store.prepare('SELECT * FROM custom_field ORDER BY rowid').all();
      expect(stored.map((found) => [found.owner_uuid, found.field_key, found.field_value])).toEqual(
        storable.map((given) => [given.ownerUuid, given.fieldKey, given.fieldValue]),
      );
    }),
  );
  const large = Array.from({ length: 5_000 }, () => ({
    ownerUuid: 'o',
    fieldKey: 'k',
    fieldValue: 'é'.repeat(255),
  }));
  for (const statement of database.insert(customField, large)) {
    for (const param of forD1(statement).params) {
      expect(Buffer.byteLength(String(param))).toBeLessThan(2_000_000);
    }
  }
});

it('SQLite makes UUIDs of version 7', () => {
  const store = new DatabaseSync(':memory:');
  const { text, params } = forD1(sql`SELECT ${sqlUuid(1_700_000_000_000)} AS uuid`);
  const statement = store.prepare(text);
  const uuids = Array.from({ length: 200 }, () => String(statement.get(...(params as string[]))!.uuid));
  for (const uuid of uuids) {
    expect(uuid).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(uuids).size).toBe(200);
});
