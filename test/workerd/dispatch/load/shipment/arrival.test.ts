import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../client.ts';
import { type Dock, loadingDock, newDock } from './dock.ts';

const VEHICLE = { shipmentCustomFields: [{ fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' }] };
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

const arrive = (dock: Dock, json?: unknown, id = 'S') => dock.call('POST', `/shipment/${id}/arrival`, json);
const shipmentOf = async (dock: Dock, id = 'S') => (await dock.must('GET', `/shipment/${id}`)).body;
const eventsOf = async (dock: Dock): Promise<Answer['body'][]> =>
  (await dock.must('GET', '/event?limit=100')).body.content.filter(
    ({ eventType }: Answer['body']) => eventType === 'SHIPMENT_ARRIVED',
  );

describe('the arrival of a truck', () => {
  it('an arrival is now by default, and appears in the shipment, its event and the audit log', async () => {
    const dock = await loadingDock(VEHICLE);
    const before = Date.now();
    const { status, body } = await arrive(dock, { vehicle: 'AB 123', driverName: 'Ann Lee' });
    expect(status).toBe(200);
    expect(Date.parse(body.arrivalDate)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.arrivalDate)).toBeLessThanOrEqual(Date.now());
    expect(body).toMatchObject({
      driverName: 'Ann Lee',
      customFields: [{ fieldKey: 'plate', fieldValue: 'AB 123' }],
    });
    expect(await shipmentOf(dock)).toEqual(body);
    expect(await eventsOf(dock)).toMatchObject([
      { data: { externalIdentifier: 'S', arrivalDate: body.arrivalDate, driverName: 'Ann Lee' } },
    ]);
    const [last] = (
      await dock.must('GET', '/audit-log?sort.sortBy=sequenceNumber&sort.direction=DESC&pageSize=1')
    ).body.content;
    expect([last.action, last.changes]).toEqual([
      'SHIPMENT_ARRIVED',
      [
        { field: 'arrivalDate', oldValue: null, newValue: body.arrivalDate },
        { field: 'driverName', oldValue: null, newValue: 'Ann Lee' },
        { field: 'customFields.plate', oldValue: null, newValue: 'AB 123' },
      ],
    ]);
  });

  it('needs no body', async () => {
    const dock = await loadingDock();
    expect((await arrive(dock)).body.arrivalDate).toEqual(expect.any(String));
  });

  it('changes with another call, and keeps vehicle and driver that the call does not name', async () => {
    const dock = await loadingDock(VEHICLE);
    await arrive(dock, { vehicle: 'AB 123', driverName: 'Ann' });
    const arrivalDate = minutesFromNow(-90);
    const { body } = await arrive(dock, { arrivalDate: arrivalDate.replace('Z', '+00:00'), vehicle: null });
    expect(body).toMatchObject({
      arrivalDate,
      driverName: 'Ann',
      customFields: [{ fieldValue: 'AB 123' }],
    });
    const blank = await arrive(dock, {
      arrivalDate,
      vehicle: ' ',
      driverName: '',
    });
    expect(blank.body).toMatchObject({ driverName: null, customFields: [] });
  });

  it('that changes nothing leaves no event and no audit record', async () => {
    const dock = await loadingDock();
    const same = { arrivalDate: minutesFromNow(-90), driverName: 'Ann' };
    const { body } = await arrive(dock, same);
    expect((await arrive(dock, same)).body).toEqual(body);
    expect(await eventsOf(dock)).toHaveLength(1);
  });

  it('does not store a vehicle without a custom field with that role', async () => {
    const dock = await loadingDock();
    const { status, body } = await arrive(dock, { vehicle: 'AB 123' });
    expect([status, body.customFields]).toEqual([200, []]);
  });

  it('refuses a vehicle that its custom field does not take', async () => {
    const dock = await loadingDock({
      shipmentCustomFields: [{ fieldKey: 'plate', fieldType: 'NUMBER', role: 'VEHICLE' }],
    });
    const { status, body } = await arrive(dock, { vehicle: 'AB 123' });
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'customFieldNotNumeric', 'vehicle']);
    expect((await shipmentOf(dock)).arrivalDate).toBeNull();
  });

  it('counts as now if the clock of the caller is a little fast', async () => {
    const dock = await loadingDock();
    const { body } = await arrive(dock, { arrivalDate: minutesFromNow(4) });
    expect(Date.parse(body.arrivalDate)).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ['more than five minutes ahead', 'arrivalDate', minutesFromNow(6)],
    ['a year ago', 'arrivalDate', minutesFromNow(-365 * 24 * 60)],
    ['more than a day before the shipment', 'arrivalDate', minutesFromNow(-24 * 60 - 1)],
    ['before 1970', 'arrivalDate', '1969-12-31T23:59:59Z'],
    ['without an offset', 'arrivalDate', '2026-11-22T14:05:00'],
    ['in words', 'arrivalDate', 'noon'],
    ['of 256 characters', 'driverName', 'x'.repeat(256)],
    ['of 256 characters', 'vehicle', 'x'.repeat(256)],
  ])('an arrival is refused and changes nothing with a value %s as %s', async (_, field, value) => {
    const dock = await loadingDock(VEHICLE);
    const before = await shipmentOf(dock);
    const { status, body } = await arrive(dock, { [field]: value });
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'validationFailed', field]);
    expect(await shipmentOf(dock)).toEqual(before);
  });

  it.each(['COMPLETED', 'CANCELLED'])(
    'an arrival is refused for a %s shipment, which has no page for its driver',
    async (status) => {
      const dock = await loadingDock();
      await arrive(dock, { driverName: 'Ann' });
      await dock.must('POST', `/shipment/S/status/${status}`);
      const before = await shipmentOf(dock);
      expect(before).toMatchObject({ driverName: 'Ann', driverUrl: null });
      expect(await arrive(dock, {})).toMatchObject({ status: 409, body: { code: 'shipmentClosed' } });
      expect(await shipmentOf(dock)).toEqual(before);
    },
  );

  it('takes effect once for requests with the same key', async () => {
    const dock = await loadingDock();
    const send = () =>
      dock.call('POST', '/shipment/S/arrival', { driverName: 'Ann' }, { 'Idempotency-Key': 'a' });
    const [one, two] = [await send(), await send()];
    expect(two.body).toEqual(one.body);
    expect(await eventsOf(dock)).toHaveLength(1);
  });
});

describe('the address of the page of a driver', () => {
  it('each open shipment has another address for its driver, which stays the same', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B');
    await dock.manifest('M', 'A');
    await dock.manifest('N', 'B');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.shipment('T', ['N']);
    const [s, t] = [await shipmentOf(dock), await shipmentOf(dock, 'T')];
    expect(s.driverUrl).toMatch(/^https?:\/\/[^/]+\/public\/driver\/[\w-]{32}$/);
    expect(t.driverUrl).not.toBe(s.driverUrl);
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await arrive(dock);
    expect((await shipmentOf(dock)).driverUrl).toBe(s.driverUrl);
    await dock.must('DELETE', '/shipment/T');
    const deleted = (await dock.must('GET', '/shipment?includeDeleted=true')).body.content.find(
      ({ externalIdentifier }: Answer['body']) => externalIdentifier === 'T',
    );
    expect(deleted.driverUrl).toBeNull();
  });
});
