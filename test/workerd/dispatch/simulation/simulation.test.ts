import { expect, it } from 'vitest';
import type { Document } from '../../../contract/schema.ts';
import { API, operator } from '../../client.ts';
import { finished } from '../../log/operation/finished.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';

const PATIENCE_MS = 20_000;

/** A sandbox with a truck at G. Pallets A, B and C belong to it, X does not. */
async function sandbox(settings: Record<string, unknown> = { sandbox: true }): Promise<Dock> {
  const dock = await newDock(settings);
  await dock.couple('A', 'B', 'C', 'X');
  await dock.manifest('M', 'A', 'B', 'C', 'UNCOUPLED');
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  return dock;
}

/** Starts a simulation and waits for its end. */
async function played(dock: Dock, simulation: object): Promise<Document> {
  const { body } = await dock.must('POST', '/gate/G/simulation', simulation);
  for (const began = Date.now(); ; ) {
    const operation = (await dock.must('GET', `/operation/${body.operationId}`)).body;
    if (operation.finishDate !== null) return operation;
    if (Date.now() - began > PATIENCE_MS) throw new Error(JSON.stringify(operation));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The number of the truck's records in each status. */
async function statuses(dock: Dock): Promise<Record<string, number>> {
  const records: Document[] = (await dock.must('GET', '/shipment/S/asset-loading')).body;
  const groups = Object.groupBy(records, ({ loadingStatus }) => loadingStatus);
  return Object.fromEntries(Object.entries(groups).map(([status, of]) => [status, of!.length]));
}

it('a simulation plays cameras at a gate: expected, foreign and unknown pallets', async () => {
  const dock = await sandbox();
  const first = await played(dock, { loadPallets: 1, wrongPallets: 5, unknownMarkers: 2 });
  expect([first.operationType, first.status, first.totalCount]).toEqual(['SIMULATION', 'SUCCEEDED', 4]);
  expect(await statuses(dock)).toEqual({ LOADED: 1, NOT_LOADED: 3, WRONGLY_LOADED: 1, UNKNOWN_LOADING: 2 });
  const all = await played(dock, { loadPallets: 'ALL', paceMilliseconds: 30 });
  expect(Date.parse(all.finishDate) - Date.parse(all.createDate)).toBeGreaterThanOrEqual(30);
  expect(all.results.map(({ identifier }: Document) => identifier)).toHaveLength(2);
  expect(await statuses(dock)).toMatchObject({ LOADED: 3, NOT_LOADED: 1 });
  const { content } = (await dock.must('GET', '/alert-event')).body;
  expect(content.map(({ alertType }: Document) => alertType).sort()).toEqual([
    'UNKNOWN_LOADING',
    'UNKNOWN_LOADING',
    'WRONGLY_LOADED',
  ]);
  const listed = (await dock.must('GET', '/event?limit=1000')).body.content;
  expect(listed.filter(({ eventType }: Document) => eventType === 'OPERATION_COMPLETED')).toHaveLength(2);
});

it('a simulation that pauses blocks no other operation', async () => {
  const [dock, other] = [await sandbox(), await newDock()];
  const { body } = await dock.must('POST', '/gate/G/simulation', {
    loadPallets: 'ALL',
    unknownMarkers: 3,
    paceMilliseconds: 1_000,
  });
  const stateOf = async () => (await dock.must('GET', `/operation/${body.operationId}`)).body;
  while ((await stateOf()).succeededCount === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const accepted = await other.call('POST', '/track/get-and-couple?imageDelivery=URL&async=true', {
    wmsId: 'P',
  });
  expect((await finished(other, accepted)).status).toBe('SUCCEEDED');
  expect((await stateOf()).succeededCount).toBeLessThan(6);
  const ended = await finished(dock, {
    ...accepted,
    headers: new Headers({ Location: `${API}/operation/${body.operationId}` }),
  });
  expect([ended.status, ended.succeededCount]).toEqual(['SUCCEEDED', 6]);
}, 30_000);

it('a simulation without pallets plays nothing', async () => {
  const dock = await sandbox();
  const { status, totalCount } = await played(dock, {});
  expect([status, totalCount]).toEqual(['SUCCEEDED', 0]);
});

it('a simulation is refused outside a sandbox, without a gate and beyond its limits', async () => {
  const dock = await sandbox({});
  const refused = await dock.call('POST', '/gate/G/simulation', { loadPallets: 'ALL' });
  expect([refused.status, refused.body.code]).toEqual([403, 'sandboxRequired']);
  const own = await sandbox();
  expect((await own.call('POST', '/gate/NONE/simulation', {})).body.code).toBe('gateNotFound');
  for (const body of [
    { loadPallets: 'SOME' },
    { loadPallets: -1 },
    { paceMilliseconds: 5_001 },
    { more: 1 },
  ]) {
    expect([body, (await own.call('POST', '/gate/G/simulation', body)).status]).toEqual([body, 400]);
  }
});

it('the sandbox setting is fixed at creation', async () => {
  const dock = await sandbox();
  const path = `/organization/${dock.uuid}`;
  expect((await operator('GET', path)).body.sandbox).toBe(true);
  expect((await operator('PUT', path, { sandbox: false, name: 'Renamed' })).body).toMatchObject({
    sandbox: true,
    name: 'Renamed',
  });
  expect(dock.key).toMatch(/^wdk_test_/);
});
