import { describe, expect, it } from 'vitest';
import type { Answer } from '../../client.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';

let scans = 0;
/** The outcome of a reading of a label without a marker. */
async function read(dock: Dock, identifier: string, direction = 'LOAD', gate = 'G'): Promise<string> {
  scans += 1;
  const json = { scanId: `no-marker-${scans}`, identifier, direction };
  return (await dock.device('POST', `/gate/${gate}/scan`, json)).body.outcome;
}

/** The statuses of the records of a pallet on a load. */
const statuses = async (dock: Dock, load: string, pallet: string): Promise<string[]> =>
  (await dock.must('GET', `/${load}/asset-loading`)).body
    .filter(({ trackIdentifier }: Answer['body']) => trackIdentifier === pallet)
    .map(({ loadingStatus }: Answer['body']) => loadingStatus);

const openAlerts = async (dock: Dock): Promise<string[]> =>
  (await dock.must('GET', '/alert-event?status=OPEN')).body.content.map(
    ({ alertType }: Answer['body']) => alertType,
  );

/** Shipment S at G with pallets without a marker: `pallet` on M, which is aboard, and KEPT on N. */
async function loaded(pallet: string): Promise<Dock> {
  const dock = await newDock();
  await dock.manifest('M', pallet, 'OTHER');
  await dock.manifest('N', 'KEPT');
  await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  expect(await read(dock, pallet)).toBe('LOADED');
  return dock;
}

describe.each([
  ['an SSCC', '340123450000000017'],
  ['an id of the warehouse', 'PAL-1'],
])('a pallet without a marker, with %s', (_, pallet) => {
  it.each([
    ['an order is sent without it', 'PUT', '/manifest/M', { assets: ['OTHER'] }],
    ['its line is deleted', 'DELETE', `/manifest/M/track-record/${pallet}`, undefined],
  ])(
    'it is the same wrong pallet in each reading after %s, until it is taken off',
    async (__, method, path, json) => {
      const dock = await loaded(pallet);
      await dock.must(method, path, json);
      expect(await statuses(dock, 'shipment/S', pallet)).toEqual(['WRONGLY_LOADED']);
      expect(await read(dock, pallet)).toBe('WRONGLY_LOADED');
      expect(await statuses(dock, 'shipment/S', pallet)).toEqual(['WRONGLY_LOADED']);
      expect(await openAlerts(dock)).toEqual(['WRONGLY_LOADED']);
      expect(await read(dock, pallet, 'UNLOAD')).toBe('UNLOADED');
      expect(await statuses(dock, 'shipment/S', pallet)).toEqual([]);
      expect(await openAlerts(dock)).toEqual([]);
    },
  );

  it('it is taken off after its own order was cancelled, also from a truck that has left', async () => {
    const dock = await loaded('KEPT');
    await dock.manifest('W', pallet);
    expect(await read(dock, pallet)).toBe('WRONGLY_LOADED');
    await dock.must('POST', '/manifest/W/status/CANCELLED');
    expect(await read(dock, pallet)).toBe('WRONGLY_LOADED');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    expect(await read(dock, pallet, 'UNLOAD')).toBe('UNLOADED');
    expect(await statuses(dock, 'shipment/S', pallet)).toEqual([]);
  });

  it('it is UNLOADED at the gate of its cancelled load, which resolves the alert', async () => {
    const dock = await loaded(pallet);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect(await openAlerts(dock)).toEqual(['PALLETS_ABOARD']);
    expect(await read(dock, pallet, 'UNLOAD')).toBe('UNLOADED');
    expect(await statuses(dock, 'shipment/S', pallet)).toEqual(['UNLOADED']);
    expect(await openAlerts(dock)).toEqual([]);
  });

  it('a LOAD on another load resolves the alert of its cancelled load', async () => {
    const dock = await loaded(pallet);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    await dock.manifest('O', 'LATER');
    await dock.shipment('T', ['O'], { gateIdentifier: 'H' });
    await dock.must('POST', '/shipment/T/status/IN_PROGRESS');
    expect(await read(dock, pallet, 'LOAD', 'H')).toBe('WRONGLY_LOADED');
    expect(await openAlerts(dock)).toEqual(['WRONGLY_LOADED']);
  });

  it('an UNLOAD anywhere resolves the alert of its deleted manifest', async () => {
    const dock = await newDock();
    await dock.must('POST', '/manifest', {
      ...{ externalIdentifier: 'M', manifestStatus: 'TO_DO', gateExternalId: 'G', assets: [pallet] },
    });
    await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
    await read(dock, pallet);
    await dock.must('DELETE', '/manifest/M');
    expect(await openAlerts(dock)).toEqual(['PALLETS_ABOARD']);
    await read(dock, pallet, 'UNLOAD', 'H');
    expect(await openAlerts(dock)).toEqual([]);
  });

  it('it is OFFLOADED after its load was completed, and stays OFFLOADED in a repeated reading', async () => {
    const dock = await loaded(pallet);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    expect(await read(dock, pallet, 'OFFLOAD', 'H')).toBe('OFFLOADED');
    expect(await statuses(dock, 'shipment/S', pallet)).toEqual(['OFFLOADED']);
    expect(await read(dock, pallet, 'OFFLOAD', 'H')).toBe('OFFLOADED');
  });
});

it('a pallet without a marker is known after its order was completed only where it arrives', async () => {
  const dock = await loaded('PAL-1');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  await dock.manifest('O', 'LATER');
  await dock.shipment('T', ['O'], { gateIdentifier: 'H' });
  await dock.must('POST', '/shipment/T/status/IN_PROGRESS');
  expect(await read(dock, 'KEPT', 'LOAD', 'H')).toBe('NOT_RECOGNIZED');
  expect(await read(dock, 'PAL-1', 'LOAD', 'H')).toBe('NOT_RECOGNIZED');
  expect(await read(dock, 'KEPT', 'OFFLOAD', 'H')).toBe('NOT_RECOGNIZED');
  expect(await read(dock, 'PAL-1', 'OFFLOAD', 'H')).toBe('OFFLOADED');
});

it.each([
  ['on its truck', 'PAL-1', ['LOADED', 'SUPERSEDED', 'UNLOADED'], 'LOADED'],
  ['on a wrong truck', 'PAL-9', ['WRONGLY_LOADED', 'SUPERSEDED', 'UNLOADED'], 'WRONGLY_LOADED'],
])(
  'a late reading of a pallet without a marker %s is superseded, and one of another camera counts',
  async (_, pallet, outcomes, status) => {
    const dock = await newDock();
    await dock.manifest('M', 'PAL-1', 'PAL-2');
    await dock.manifest('W', 'PAL-9');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    const reading = async (direction: string, seconds: number, cameraHardwareId: string) => {
      scans += 1;
      const scanDate = new Date(Date.now() - seconds * 1_000).toISOString();
      const json = { scanId: `late-${scans}`, identifier: pallet, direction, scanDate, cameraHardwareId };
      return (await dock.device('POST', '/gate/G/scan', json)).body.outcome;
    };
    const read = [await reading('LOAD', 10, 'C1'), await reading('UNLOAD', 60, 'C1')];
    expect(await statuses(dock, 'shipment/S', pallet)).toEqual([status]);
    expect([...read, await reading('UNLOAD', 60, 'C2')]).toEqual(outcomes);
  },
);
