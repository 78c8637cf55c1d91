import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { newTenant, operator } from '../../../client.ts';
import { newDock } from './dock.ts';

const { DB: db } = env as unknown as { DB: D1Database };
const DEPARTURE = { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' };
const CARRIER = { fieldKey: 'carrier', fieldType: 'TEXT', role: 'CARRIER' };

describe('the custom fields of shipments', () => {
  it('a shipment custom field may have a role, and shows null without one', async () => {
    const fields = [DEPARTURE, CARRIER, { fieldKey: 'note', fieldType: 'TEXT' }];
    const tenant = await newTenant({ shipmentCustomFields: fields });
    const { body } = await operator('GET', `/organization/${tenant.uuid}`);
    expect(body.shipmentCustomFields).toEqual([
      DEPARTURE,
      CARRIER,
      { fieldKey: 'note', fieldType: 'TEXT', role: null },
    ]);
    // Sending back the body of a GET changes nothing.
    const again = await operator('PUT', `/organization/${tenant.uuid}`, body);
    expect([again.status, again.body.updateDate]).toEqual([200, body.updateDate]);
  });

  it.each([
    ['twice', [CARRIER, { ...CARRIER, fieldKey: 'other' }], 'shipmentCustomFields[1].role'],
    ['of another type', [{ ...DEPARTURE, fieldType: 'TEXT' }], 'shipmentCustomFields[0].fieldType'],
    ['of a date', [{ ...CARRIER, fieldType: 'DATE_TIME' }], 'shipmentCustomFields[0].fieldType'],
    ['that nobody knows', [{ ...CARRIER, role: 'DRIVER' }], 'shipmentCustomFields[0].role'],
  ])('a shipment custom field refuses a role %s', async (_, shipmentCustomFields, field) => {
    const tenant = await newTenant();
    const { status, body } = await operator('PUT', `/organization/${tenant.uuid}`, { shipmentCustomFields });
    expect([status, body.code, body.errors.map((item: { field: string }) => item.field)]).toEqual([
      400,
      'validationFailed',
      [field],
    ]);
  });

  it('shipment custom fields from before roles existed have no role', async () => {
    const tenant = await newTenant({ shipmentCustomFields: [{ fieldKey: 'k', fieldType: 'TEXT' }] });
    const old = JSON.stringify([{ fieldKey: 'k', fieldType: 'TEXT' }]);
    await db
      .prepare('UPDATE organization SET shipment_custom_fields = ?1 WHERE uuid = ?2')
      .bind(old, tenant.uuid)
      .run();
    const { body } = await operator('GET', `/organization/${tenant.uuid}`);
    expect(body.shipmentCustomFields).toEqual([{ fieldKey: 'k', fieldType: 'TEXT', role: null }]);
  });

  it('a DATE_TIME field needs an offset and keeps the text as written', async () => {
    const dock = await newDock({ shipmentCustomFields: [DEPARTURE] });
    await dock.manifest('M');
    await dock.shipment('S', ['M']);
    const set = (fieldValue: string) =>
      dock.call('POST', '/shipment/S/custom-field', { fieldKey: 'etd', fieldValue });
    for (const wrong of ['2026-11-22T14:30:00', 'tomorrow']) {
      const { status, body } = await set(wrong);
      expect([status, body.code, body.errors[0].field]).toEqual([
        400,
        'customFieldNotDateTime',
        'fieldValue',
      ]);
      expect(body.detail).toMatch(/^Custom field "etd": /);
    }
    expect((await dock.must('GET', '/shipment/S')).body.customFields).toEqual([]);
    const written = '2026-11-22T14:30:00+01:00';
    expect((await set(written)).body.customFields).toMatchObject([{ fieldValue: written }]);
    const row = await db.prepare("SELECT field_date FROM custom_field WHERE field_key = 'etd'").first();
    expect(row).toEqual({ field_date: Date.parse(written) });
  });
});

describe('the time zone of an organization', () => {
  it('the time zone of an organization is UTC by default and must exist', async () => {
    const tenant = await newTenant();
    const path = `/organization/${tenant.uuid}`;
    expect((await operator('GET', path)).body.timeZone).toBe('UTC');
    expect((await operator('PUT', path, { timeZone: 'Europe/Berlin' })).body.timeZone).toBe('Europe/Berlin');
    for (const timeZone of ['Mars/Olympus', '+01:00', 'CET-1', '']) {
      const { status, body } = await operator('PUT', path, { timeZone });
      expect([timeZone, status, body.code]).toEqual([timeZone, 400, 'validationFailed']);
    }
    await operator('PUT', path, { timeZone: null });
    expect((await operator('GET', path)).body.timeZone).toBe('Europe/Berlin');
  });
});
