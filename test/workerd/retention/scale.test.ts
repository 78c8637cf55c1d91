import { expect, it } from 'vitest';
import { bindings, newTenantIn } from '../access/database/places.ts';
import { couplePallets, named, numbered, planManifests } from '../dispatch/load/shipment/bulk.ts';
import { type Dock, newDock } from '../dispatch/load/shipment/dock.ts';
import { DAILY, EVERY_MINUTE, runSchedule } from '../schedule.ts';
import { recorded } from '../statements.ts';
import { move } from '../storage/move/moves.ts';
import { addressesOf } from '../web/pages/published.ts';
import { age, bodiesOf, got, longGone, resolveAlerts, retain, rowsOf, shownOf } from './archives.ts';

/** Limits of D1: parameters of a statement, bytes of its text, bytes of a parameter. */
const [PARAMETERS_MAXIMUM, TEXT_MAXIMUM, VALUE_MAXIMUM] = [100, 100_000, 2_000_000];
/** How long other requests of the organization may wait for retention. */
const COMMIT_MS = 2_000;

/** Send writes during some work. @returns how long the longest write took, in milliseconds. */
async function longestWriteDuring(dock: Dock, work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let done = false;
  const worked = work().finally(() => {
    done = true;
  });
  for (let count = 0; !done; count += 1) {
    const begin = Date.now();
    await dock.manifest(`NEW${count}`);
    longest = Math.max(longest, Date.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await worked;
  return longest;
}

it('retention archives a shipment of 10,000 pallets in statements that D1 takes', async () => {
  const dock = await newDock({ retentionDays: 90 });
  const manifests = ['M', 'N'];
  const pallets = numbered('P', 10_000);
  await couplePallets(dock, pallets);
  await planManifests(dock, [
    { externalIdentifier: 'M', assets: pallets.slice(0, 5_000) },
    { externalIdentifier: 'N', assets: pallets.slice(5_000) },
  ]);
  await dock.must('POST', '/shipment', { identifier: 'S', gateIdentifier: 'G', ...named(manifests) });
  for (const status of ['IN_PROGRESS', 'COMPLETED']) await dock.must('POST', `/shipment/S/status/${status}`);
  await bindings.DB.batch([
    bindings.DB.prepare(
      "UPDATE track SET retirement = 'RETIRED', retire_date = 1 WHERE organization_uuid = ?",
    ).bind(dock.uuid),
    bindings.DB.prepare(
      "UPDATE asset_loading SET loading_status = 'LOADED' WHERE organization_uuid = ? AND wms_id LIKE '%7'",
    ).bind(dock.uuid),
  ]);
  await age(dock, 100);
  const [s, n] = [await addressesOf(dock, 'shipment', 'S'), await addressesOf(dock, 'manifest', 'N')];
  const urls = [
    ...['', '?page=2', '?page=20', '?page=21', '?page=40', '?page=41'].map((page) => `${s.summary}${page}`),
    ...['?part=1', '?part=2', '?part=3'].map((part) => `${s.data}${part}`),
    ...['', '?page=11', '?page=20', '?page=21'].map((page) => `${n.summary}${page}`),
    n.data,
    `${s.document}?part=2`,
  ];
  const before = await bodiesOf(urls);
  const { uuid } = (await dock.must('GET', '/shipment/S')).body;
  const resource = await got(dock, '/shipment/S');

  let longest = 0;
  const trips = await recorded(async () => {
    longest = await longestWriteDuring(dock, () => retain(dock));
  });
  expect(longest).toBeLessThan(COMMIT_MS);
  for (const { text, params } of trips.flatMap(({ statements }) => statements)) {
    expect(params.length).toBeLessThanOrEqual(PARAMETERS_MAXIMUM);
    expect(text.length).toBeLessThanOrEqual(TEXT_MAXIMUM);
    for (const param of params) expect(String(param).length).toBeLessThanOrEqual(VALUE_MAXIMUM);
  }
  expect(await bodiesOf(urls)).toEqual(before);
  expect(await got(dock, `/archive/${uuid}`)).toBe(resource);
  expect(
    await rowsOf(dock, ['shipment', 'asset_loading', 'track', 'pallet_activity', 'archived_marker']),
  ).toEqual({
    shipment: 0,
    asset_loading: 0,
    track: 0,
    pallet_activity: 0,
    archived_marker: 10_000,
  });
  expect((await dock.must('GET', '/track')).body.totalElements).toBe(0);
}, 240_000);

it('retention continues in another database after a move', async () => {
  const dock = await longGone();
  await newTenantIn('DB_1');
  await resolveAlerts(dock);
  const { urls, bodies } = await shownOf(dock);
  await retain(dock);
  await dock.manifest('LATER', 'L');
  await dock.must('POST', '/manifest/LATER/status/CANCELLED');
  const list = await got(dock, '/archive');
  expect((await move(dock, 'DB_1')).status).toBe('SUCCEEDED');
  expect(await bodiesOf(urls)).toEqual(bodies);
  expect(await got(dock, '/archive')).toBe(list);
  expect((await dock.call('POST', '/track/couple', { wmsId: 'Z', markerCode: dock.codes['A'] })).status).toBe(
    409,
  );
  await age(dock, 100);
  await retain(dock);
  expect((await dock.must('GET', '/archive')).body.totalElements).toBe(5);
  expect(await bodiesOf(urls)).toEqual(bodies);
});

it('the daily schedule starts retention and the object does the work', async () => {
  const dock = await longGone();
  await resolveAlerts(dock);
  await runSchedule(DAILY, bindings);
  await bindings.DB.prepare('UPDATE retention_due SET due_date = 0').run();
  await runSchedule(EVERY_MINUTE, bindings);
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { retention_due: due, asset_loading: left } = await rowsOf(dock, [
      'retention_due',
      'asset_loading',
    ]);
    if (due === 0 && left === 0) break;
    if (Date.now() > deadline) throw new Error(`${due} ${left}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect((await dock.must('GET', '/archive')).body.totalElements).toBe(4);
});
