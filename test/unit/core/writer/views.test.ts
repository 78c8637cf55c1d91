import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { migratedDatabase } from '../../../migrations.ts';

const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
const TRACK = '01995d2f-6c1c-7000-8000-00000000000a';
const NOW = 1_795_248_930_123;
const HASHES = ['a'.repeat(64), 'b'.repeat(64)] as const;

type Row = Record<string, SQLInputValue>;

const record = (row: Row): Row => ({
  organization_uuid: ORGANIZATION,
  sequence_number: 1,
  uuid: TRACK,
  event_date: NOW,
  action: 'TRACK_FLAGGED',
  actor_type: 'API_KEY',
  actor_uuid: ORGANIZATION,
  actor_display_name: 'Ä',
  entity_type: 'TRACK',
  entity_uuid: TRACK,
  entity_external_id: 'é 📦',
  changes: '[{"field":"flagged","oldValue":false,"newValue":true}]',
  request_id: ORGANIZATION,
  ip_address: '2001:db8::1',
  previous_hash: '0'.repeat(64),
  hash: HASHES[0],
  ...row,
});
const entry = (row: Row): Row => ({
  organization_uuid: ORGANIZATION,
  uuid: TRACK,
  track_uuid: TRACK,
  activity_type: 'SEEN',
  gate_uuid: ORGANIZATION,
  manifest_external_id: 'M',
  shipment_external_id: null,
  author: 'é',
  details: null,
  create_date: NOW,
  update_date: NOW,
  ...row,
});

let database: DatabaseSync;
beforeEach(() => {
  database = migratedDatabase();
});

function insert(view: string, row: Row): void {
  const names = Object.keys(row);
  database
    .prepare(`INSERT INTO ${view} (${names}) VALUES (${names.map(() => '?')})`)
    .run(...Object.values(row));
}

it.each([
  ['with uuids and hashes in canonical form', {}],
  ['with uuids and a hash in capitals', { entity_uuid: TRACK.toUpperCase(), hash: HASHES[0].toUpperCase() }],
  ['with an id of a request that is no uuid', { request_id: 'a request of its own' }],
  ['without an address and an external id', { ip_address: null, entity_external_id: null }],
  ['with another previous hash than the last one', { previous_hash: HASHES[1] }],
] as [string, Row][])('The view audit_log shows a record %s as it was inserted', (_, row) => {
  insert('audit_log', record(row));
  expect(database.prepare(`SELECT ${Object.keys(record(row))} FROM audit_log`).all()).toEqual([record(row)]);
});

it('The view audit_log refuses a record without a previous hash', () => {
  expect(() => insert('audit_log', record({ previous_hash: null }))).toThrow(
    /constraint failed: audit_log\.previous_hash/,
  );
});

it('The view audit_log refuses a sequence number that is taken', () => {
  insert('audit_log', record({}));
  expect(() => insert('audit_log', record({ hash: HASHES[1], previous_hash: HASHES[0] }))).toThrow(
    /UNIQUE constraint failed: audit_record\./,
  );
});

it.each([
  ['at a gate', {}],
  ['at a gate with an invalid uuid', { gate_uuid: 'a gate' }],
  ['without a gate', { gate_uuid: null }],
  ['that was inserted later', { update_date: NOW + 1 }],
] as [string, Row][])('The view track_activity shows an entry %s as it was inserted', (_, row) => {
  insert('track_activity', entry(row));
  expect(database.prepare(`SELECT ${Object.keys(entry(row))} FROM track_activity`).all()).toEqual([
    entry(row),
  ]);
});

it('The number of an organization is deleted with its last record and its last entry', () => {
  insert('audit_log', record({}));
  insert('track_activity', entry({}));
  const numbers = () => database.prepare('SELECT * FROM organization_number').all().length;
  database.exec('DELETE FROM audit_log');
  expect(numbers()).toBe(1);
  database.exec('DELETE FROM track_activity');
  expect(numbers()).toBe(0);
  expect(database.prepare('SELECT * FROM audit_actor').all()).toEqual([]);
});
