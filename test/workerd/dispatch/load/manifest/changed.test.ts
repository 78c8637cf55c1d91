import { beforeAll, expect, it } from 'vitest';
import { type Dock, newDock } from '../shipment/dock.ts';

let dock: Dock;
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

interface Listed {
  uuid: string;
  updateDate: string;
}

const listed = async (list: string, query = ''): Promise<Listed[]> =>
  (await dock.must('GET', `/${list}?pageSize=100&${query}`)).body.content;

beforeAll(async () => {
  dock = await newDock();
  await dock.couple('A', 'B', 'C', 'D', 'E');
  for (const name of ['A', 'B', 'C', 'D', 'E']) await dock.manifest(name, name);
  for (const name of ['A', 'B', 'C', 'D']) {
    await pause();
    await dock.shipment(`S-${name}`, [name], { gateIdentifier: 'G' });
    await dock.must('POST', `/shipment/S-${name}/status/IN_PROGRESS`);
    if (name !== 'D') await dock.must('POST', `/shipment/S-${name}/status/COMPLETED`);
  }
  await pause();
  await dock.must('POST', '/manifest/E/status/CANCELLED');
  await pause();
  // An open load is scanned, and a closed load is corrected.
  await dock.scan('D');
  await pause();
  await dock.must('PATCH', '/shipment/S-B/asset-loading/track/B/status', { status: 'LOADED' });
});

it.each(['manifest', 'shipment'])(
  'a filter by update date finds each %s that was changed since, open or closed',
  async (list) => {
    const all = await listed(list);
    expect(all.length).toBeGreaterThanOrEqual(4);
    for (const { updateDate } of all) {
      for (const since of [updateDate, new Date(Date.parse(updateDate) + 1).toISOString()]) {
        const expected = all.filter((one) => one.updateDate >= since).map(({ uuid }) => uuid);
        const found = await listed(list, `updateDateAfter=${since}`);
        expect([since, found.map(({ uuid }) => uuid)]).toEqual([since, expected]);
      }
    }
  },
);

it('a correction of a closed load moves the dates of its manifest and shipment behind their close date', async () => {
  for (const path of ['/manifest/B', '/shipment/S-B']) {
    const { updateDate, closeDate } = (await dock.must('GET', path)).body;
    expect([path, updateDate > closeDate]).toEqual([path, true]);
  }
});

it('a scan moves the date of the shipment of its manifest, and its place in the list by date', async () => {
  const [manifest, shipment] = [
    await dock.must('GET', '/manifest/D'),
    await dock.must('GET', '/shipment/S-D'),
  ];
  expect(shipment.body.updateDate).toBe(manifest.body.updateDate);
  expect(shipment.body.updateDate > shipment.body.activateDate).toBe(true);
  const dates = (await listed('shipment', 'sort.sortBy=updateDate')).map(({ updateDate }) => updateDate);
  expect(dates).toEqual(dates.toSorted());
  expect(dates.at(-2)).toBe(shipment.body.updateDate);
});
