import { expect, it } from 'vitest';
import { migratedDatabase } from '../../../migrations.ts';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const CREATED = 1_795_248_930_123;

it('A new organization gets the built-in authorities, with version 7 uuids of its creation date', () => {
  const database = migratedDatabase();
  const organizations = ['one', 'other'];
  for (const uuid of organizations) {
    database
      .prepare(`INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled,
          marker_allocation_maximum, marker_code_start, requests_per_minute, shipment_custom_fields, create_date, update_date)
        VALUES (?, 'Acme', ?, 'MANIFEST', 0, 1000, 1, 6000, '[]', ?, ?)`)
      .run(uuid, uuid, CREATED, CREATED);
  }
  const rows = database.prepare('SELECT * FROM authority ORDER BY organization_uuid, authority_name').all();
  expect(rows.map((row) => [row['organization_uuid'], row['authority_name'], row['internal']])).toEqual(
    organizations.flatMap((organization) =>
      ['ADMINISTRATOR', 'FORKLIFT_OPERATOR', 'OPERATOR', 'VIEWER'].map((name) => [organization, name, 1]),
    ),
  );
  const uuids = rows.map((row) => String(row['uuid']));
  expect(new Set(uuids).size).toBe(uuids.length);
  for (const uuid of uuids) {
    expect(uuid).toMatch(UUID_7);
    expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(CREATED);
  }
  expect(new Set(rows.map((row) => `${row['create_date']} ${row['update_date']}`))).toEqual(
    new Set([`${CREATED} ${CREATED}`]),
  );
});
