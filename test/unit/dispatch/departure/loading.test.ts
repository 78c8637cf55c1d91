import { expect, it } from 'vitest';
import type { Checked } from '../../../../src/dispatch/departure/commands.ts';
import { Service } from './service.ts';

const COUNT = 1_100;
const [MINUTE, HOUR] = [60_000, 3_600_000];
const isoOf = (date: number) => new Date(date).toISOString();

/**
 * An organization that loads the shipments `s-1` to `s-1100`. They depart at the same time, two hours from now. The last
 * in the order of uuids has 10 of 20 pallets, one each hour.
 */
async function loading(): Promise<{ service: Service; organization: string; departure: number }> {
  const service = new Service();
  const organization = await service.organization();
  const { sqlite } = service;
  const departure = Date.now() + 2 * HOUR;
  sqlite.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNT})
    INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, gate_uuid, folded_identifier, folded_notes,
      create_date, update_date)
    SELECT 's-' || n, '${organization}', 'S' || n, 'IN_PROGRESS', (SELECT uuid FROM gate), 's', '', 1, 1 FROM numbers;
    INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
    SELECT organization_uuid, uuid, 'etd', '${isoOf(departure)}' FROM shipment;
    INSERT INTO departure_due VALUES ('${organization}', 0)`);
  const last = sqlite.prepare('SELECT max(uuid) AS uuid FROM shipment').get()!['uuid'] as string;
  sqlite.exec(`INSERT INTO manifest (uuid, organization_uuid, external_identifier, manifest_status, gate_uuid,
      folded_identifier, create_date, update_date)
    SELECT 'm', '${organization}', 'M', 'IN_PROGRESS', uuid, 'm', 1, 1 FROM gate;
    INSERT INTO shipment_manifest (organization_uuid, manifest_uuid, shipment_uuid)
    VALUES ('${organization}', 'm', '${last}');
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20)
    INSERT INTO asset_loading (uuid, organization_uuid, manifest_uuid, wms_id, loading_status, loading_date, create_date,
      update_date)
    SELECT 'a-' || n, '${organization}', 'm', 'P' || n, iif(n <= 10, 'LOADED', 'NOT_LOADED'),
      iif(n <= 10, ${Date.now()} - n * ${HOUR}, NULL), 1, 1 FROM numbers`);
  return { service, organization, departure };
}

const dueOf = ({ sqlite }: Service) =>
  sqlite.prepare('SELECT due_date FROM departure_due').get()!['due_date'] as number;

it('a risk is found for the last of 1,100 shipments that are being loaded and depart at the same time', async () => {
  const { service, organization, departure } = await loading();
  await service.job(organization, null);
  expect(service.alerts()).toEqual(['DEPARTURE_AT_RISK OPEN S999']);
  const [soonest, latest] = [Date.now() + MINUTE, departure];
  expect(dueOf(service)).toBeGreaterThan(soonest);
  expect(dueOf(service)).toBeLessThan(latest);
});

it('a departure that changes between two parts of a check requests another check', async () => {
  const { service, organization } = await loading();
  const part = (rest: Checked['rest']) => service.run<Checked>(organization, 'checkDepartures', { rest });
  let { rest } = await part(null);
  expect(rest).not.toBeNull();
  const field = { fieldKey: 'etd', fieldValue: isoOf(Date.now() + 10 * MINUTE) };
  await service.run(organization, 'putShipmentField', { identifier: 'S1', field });
  let parts = 1;
  let nextDate: number | null = null;
  while (rest) {
    ({ rest, nextDate } = await part(rest));
    parts += 1;
  }
  expect([parts, nextDate, dueOf(service)]).toEqual([3, 0, 0]);
});
