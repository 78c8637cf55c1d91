import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { MIGRATIONS, migratedDatabase } from '../../../migrations.ts';

const ORGANIZATION = '01990000-0000-7000-8000-0000deadbeef';
const BEFORE = MIGRATIONS.findIndex(({ file }) => file.startsWith('0098'));

/** Inserts a shipment as the version before this migration does. */
function insert(database: DatabaseSync, uuid: string, status: string): void {
  const isClosed = status === 'COMPLETED';
  database
    .prepare(
      `INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, close_date, public_token, folded_identifier,
        folded_notes, create_date, update_date) VALUES (?, ?, ?, ?, ?, ?, '', '', 1, 1)`,
    )
    .run(uuid, ORGANIZATION, uuid, status, isClosed ? 2 : null, isClosed ? `token-${uuid}` : null);
}

const tokens = (database: DatabaseSync) =>
  database
    .prepare('SELECT driver_token FROM shipment ORDER BY uuid')
    .all()
    .map((row) => row['driver_token']);

it('shipments that are open during the update get a token for their driver, and closed ones get none', () => {
  const database = new DatabaseSync(':memory:');
  for (const { text } of MIGRATIONS.slice(0, BEFORE)) database.exec(text);
  insert(database, 'a', 'TO_DO');
  insert(database, 'b', 'COMPLETED');
  insert(database, 'c', 'TO_DO');
  for (const { text } of MIGRATIONS.slice(BEFORE)) database.exec(text);
  const [a, b, c] = tokens(database);
  expect(a).toMatch(/^deadbeef[0-9a-f]{32}$/);
  expect(b).toBeNull();
  expect(c).toMatch(/^deadbeef[0-9a-f]{32}$/);
  expect(c).not.toBe(a);
});

it('a shipment that the version before creates gets a token for its driver', () => {
  const database = migratedDatabase();
  insert(database, 'a', 'TO_DO');
  insert(database, 'b', 'COMPLETED');
  expect(tokens(database)).toEqual([expect.stringMatching(/^deadbeef[0-9a-f]{32}$/), null]);
});
