import { describe, expect, it } from 'vitest';
import type { ProofData } from '../../../../src/web/pages/proof-data.ts';
import { call } from '../../client.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { addressesOf, pageOf, saidBy } from './published.ts';

const FIELDS = [
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'leaves', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
  { fieldKey: 'secret', fieldType: 'TEXT' },
];

/** Creates a completed shipment with these custom fields. */
async function left(values: Record<string, string>): Promise<Dock> {
  const dock = await newDock({ shipmentCustomFields: FIELDS, timeZone: 'Europe/Berlin' });
  await dock.couple('A');
  await dock.manifest('M', 'A');
  const customFields = Object.entries(values).map(([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }));
  await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  await dock.scan('A');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  return dock;
}

const dataOf = async (dock: Dock): Promise<ProofData> =>
  (await call('GET', (await addressesOf(dock, 'shipment', 'S')).data)).body;

describe('a shipment that left', () => {
  it('a proof names carrier, vehicle, seal and planned departure and no other field', async () => {
    const dock = await left({
      haulier: 'Müller <b>',
      plate: 'HH-AB 123',
      leaves: '2026-11-23T18:30:00+01:00',
      seal: 'SL-9',
      secret: 'nobody’s business',
    });
    expect((await dataOf(dock)).transport).toEqual({
      carrier: 'Müller <b>',
      vehicle: 'HH-AB 123',
      seal: 'SL-9',
      plannedDepartureDate: '2026-11-23T17:30:00.000Z',
    });
    const html = await pageOf((await addressesOf(dock, 'shipment', 'S')).summary);
    expect(html).not.toContain('Müller <b>');
    expect(saidBy(html)).toMatch(
      /Central European Time, UTC\+01:00 Carrier Müller <b> Vehicle HH-AB 123 Seal SL-9 Gate Gate G Proof/,
    );
    expect(saidBy(html)).toMatch(/Planned departure 23 Nov 2026, 18:30 /);
    expect(saidBy(html)).not.toContain('business');
  });

  it('a proof names a seal that was entered after closing the truck', async () => {
    const dock = await left({ haulier: 'Müller' });
    expect((await dataOf(dock)).transport?.seal).toBeNull();
    await dock.must('POST', '/shipment/S/custom-field', { fieldKey: 'seal', fieldValue: 'SL-2' });
    expect((await dataOf(dock)).transport).toMatchObject({ carrier: 'Müller', seal: 'SL-2' });
  });

  it('a proof without role fields has the same digest as before roles existed', async () => {
    const dock = await left({ secret: 'x' });
    expect(await dataOf(dock)).not.toHaveProperty('transport');
    expect(saidBy(await pageOf((await addressesOf(dock, 'shipment', 'S')).summary))).not.toMatch(
      /Carrier|Vehicle|Seal|Planned departure/,
    );
  });

  it('a proof shows known transport facts and null for the others', async () => {
    expect((await dataOf(await left({ seal: 'SL-1' }))).transport).toEqual({
      carrier: null,
      vehicle: null,
      seal: 'SL-1',
      plannedDepartureDate: null,
    });
  });
});
