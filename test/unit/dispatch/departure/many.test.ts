import { expect, it } from 'vitest';
import { DEPARTURE, Service } from './service.ts';

const COUNT = 450;
const DAY = 86_400_000;

/** Adds open shipments `S1`, `S2`, … Their field `etd` and `other` are in the past, in opposite orders. */
function late({ sqlite }: Service, organization: string): void {
  for (let at = 1; at <= COUNT; at += 1) {
    const uuid = `s-${at}`;
    sqlite
      .prepare(`INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, folded_identifier, folded_notes,
        create_date, update_date) VALUES (?, ?, ?, 'TO_DO', ?, '', 1, 1)`)
      .run(uuid, organization, `S${at}`, `s${at}`);
    for (const [key, days] of Object.entries({ etd: 1 + at / 1_000, other: 3 - at / 1_000 }))
      sqlite
        .prepare(
          'INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value) VALUES (?, ?, ?, ?)',
        )
        .run(organization, uuid, key, new Date(Date.now() - days * DAY).toISOString());
  }
  sqlite.prepare('INSERT INTO departure_due VALUES (?, 0)').run(organization);
}

const counted = (service: Service): Record<string, number> => {
  const states = Object.groupBy(service.alerts(), (alert) => alert.split(' ')[1]!);
  return Object.fromEntries(Object.entries(states).map(([status, alerts]) => [status, alerts!.length]));
};

it('another field as the departure of many late shipments resolves all their alerts and raises new ones', async () => {
  const service = new Service();
  const organization = await service.organization();
  late(service, organization);
  const check = async () => {
    for (let run = 0; run < 8; run += 1) await service.run(organization, 'checkDepartures', {});
  };
  await check();
  expect(counted(service)).toEqual({ OPEN: COUNT });
  const { role: _, ...field } = DEPARTURE;
  const shipmentCustomFields = [field, { ...DEPARTURE, fieldKey: 'other' }];
  await service.run(organization, 'updateOrganization', { shipmentCustomFields });
  await check();
  expect(counted(service)).toEqual({ OPEN: COUNT, RESOLVED: COUNT });
}, 60_000);

it('a shipment that is late for more than two weeks raises no alert', async () => {
  const service = new Service();
  const organization = await service.organization();
  for (const days of [13.9, 14.1]) {
    await service.shipment(organization, `D${days}`);
    const fieldValue = new Date(Date.now() - days * DAY).toISOString();
    const field = { fieldKey: 'etd', fieldValue };
    await service.run(organization, 'putShipmentField', { identifier: `D${days}`, field });
  }
  await service.run(organization, 'checkDepartures', {});
  expect(service.alerts()).toEqual(['DEPARTURE_LATE OPEN D13.9']);
});
