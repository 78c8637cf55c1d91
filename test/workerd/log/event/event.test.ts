import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { pruneEvents } from '../../../../src/log/event/store.ts';
import { operator } from '../../client.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const DAY_MS = 86_400_000;

// biome-ignore lint/suspicious/noExplicitAny: events of every shape
type Event = any;
const events = async (dock: Dock, after = 0, limit = 1000): Promise<Event[]> =>
  (await dock.must('GET', `/event?afterSequence=${after}&limit=${limit}`)).body.content;
const summaryOf = (found: Event[]) => found.map((event) => [event.eventType, event.entityExternalId]);
/** A function that returns the events after all existing ones. */
async function since(dock: Dock): Promise<() => Promise<Event[]>> {
  const last = (await events(dock)).at(-1)?.sequenceNumber ?? 0;
  return () => events(dock, last);
}

it('the event log of a dispatch day has no gaps, and each event equals its GET', async () => {
  const dock = await loadingDock();
  const start = await events(dock);
  expect(summaryOf(start)).toEqual([
    ['MANIFEST_STATUS_CHANGED', 'M'],
    ['MANIFEST_STATUS_CHANGED', 'N'],
    ['MANIFEST_STATUS_CHANGED', 'M'],
    ['MANIFEST_STATUS_CHANGED', 'N'],
    ['SHIPMENT_STATUS_CHANGED', 'S'],
    ['MANIFEST_STATUS_CHANGED', 'M'],
    ['MANIFEST_STATUS_CHANGED', 'N'],
    ['SHIPMENT_STATUS_CHANGED', 'S'],
    ['GATE_STATUS_CHANGED', 'G'],
  ]);
  expect(start.map((event) => event.sequenceNumber)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(start.map((event) => event.data.manifestStatus ?? event.data.status)).toEqual([
    'PLANNED',
    'PLANNED',
    'TO_DO',
    'TO_DO',
    'TO_DO',
    'IN_PROGRESS',
    'IN_PROGRESS',
    'IN_PROGRESS',
    'LOADING',
  ]);
  const get = async (path: string) => (await dock.must('GET', path)).body;
  expect(start.at(-2).data).toEqual(await get('/shipment/S'));
  expect(start.at(-3).data).toEqual(await get('/manifest/N'));
  expect(start.at(-1).data).toEqual((await get('/gate?sort.sortBy=createDate')).content[0]);

  let next = await since(dock);
  await dock.scan('B');
  expect(summaryOf(await next())).toEqual([
    ['ASSET_LOADING_STATUS_CHANGED', 'B'],
    ['ASSET_LOADING_STATUS_CHANGED', 'B'],
  ]);
  const shown = await get('/shipment/S/asset-loading');
  for (const { data } of await next()) expect(shown).toContainEqual(data);

  next = await since(dock);
  const wrong = (await dock.scan('X')).body;
  const [added, raised] = await next();
  expect(added).toMatchObject({ eventType: 'UNAUTHORIZED_LOADING_ADDED', entityUuid: wrong.recordUuid });
  expect(raised).toMatchObject({ eventType: 'ALERT_RAISED', entityType: 'ALERT' });
  expect(raised.data).toEqual((await get('/alert-event')).content[0]);

  next = await since(dock);
  await dock.must('DELETE', `/shipment/S/asset-loading/${wrong.recordUuid}`);
  const [resolved, ...rest] = await next();
  expect(rest).toEqual([]);
  expect(resolved).toMatchObject({
    eventType: 'UNAUTHORIZED_LOADING_RESOLVED',
    data: { recordUuid: wrong.recordUuid, loadingStatus: 'WRONGLY_LOADED', trackIdentifier: 'X' },
  });

  next = await since(dock);
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  const done = await next();
  expect(summaryOf(done)).toEqual([
    ['MANIFEST_STATUS_CHANGED', 'M'],
    ['MANIFEST_STATUS_CHANGED', 'N'],
    ['SHIPMENT_STATUS_CHANGED', 'S'],
    // Pallets A and C are missing.
    ['ALERT_RAISED', null],
    ['GATE_STATUS_CHANGED', 'G'],
  ]);
  expect(done[2].data.shipmentSummaryUrl).toMatch(/^http/);
  expect(done.at(-1).data.status).toBe('AVAILABLE');
});

it('the event log has no event for no-ops, refusals and repeats', async () => {
  const dock = await loadingDock();
  await dock.scan('A', 'LOAD', { scanId: 'one' });
  const next = await since(dock);
  await dock.scan('A', 'LOAD', { scanId: 'one' });
  await dock.scan('A', 'LOAD');
  await dock.must('PATCH', '/shipment/S/asset-loading/track/A/status', { status: 'LOADED' });
  await dock.must('PUT', '/shipment/S', { gateIdentifier: 'G' });
  await dock.call('POST', '/shipment/S/status/IN_PROGRESS');
  await dock.call('POST', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'NO' }] });
  await dock.call('DELETE', '/manifest/M');
  expect(await next()).toEqual([]);
  const headers = { 'Idempotency-Key': 'same' };
  const create = () => dock.call('POST', '/manifest', { externalIdentifier: 'K' }, headers);
  await create();
  await create();
  expect(summaryOf(await next())).toEqual([['MANIFEST_STATUS_CHANGED', 'K']]);
});

it('the event log shows gates that start and stop loading or are deleted', async () => {
  const dock = await loadingDock();
  let next = await since(dock);
  await dock.must('POST', '/shipment/S/gate/H');
  const gates = (await next()).filter((event) => event.eventType === 'GATE_STATUS_CHANGED');
  expect(gates.map((event) => [event.entityExternalId, event.data.status]).sort()).toEqual([
    ['G', 'AVAILABLE'],
    ['H', 'LOADING'],
  ]);
  next = await since(dock);
  await operator('DELETE', `/organization/${dock.uuid}/gate/G`);
  expect(await next()).toMatchObject([{ entityExternalId: 'G', data: { status: 'OUT_OF_SERVICE' } }]);
  next = await since(dock);
  await dock.must('DELETE', '/shipment/S');
  expect(summaryOf(await next()).sort()).toEqual([
    ['GATE_STATUS_CHANGED', 'H'],
    ['MANIFEST_STATUS_CHANGED', 'M'],
    ['MANIFEST_STATUS_CHANGED', 'N'],
    ['SHIPMENT_STATUS_CHANGED', 'S'],
  ]);
});

it('concurrent events are numbered without gaps and can be paged', async () => {
  const dock = await newDock();
  await Promise.all(Array.from({ length: 40 }, (_, index) => dock.manifest(`M${index}`, 'A')));
  const all = await events(dock);
  expect(all.map((event) => event.sequenceNumber)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  expect(new Set(all.map((event) => event.eventIdentifier)).size).toBe(40);
  const paged: Event[] = [];
  for (;;) {
    const page = await events(dock, paged.at(-1)?.sequenceNumber ?? 0, 7);
    if (page.length === 0) break;
    paged.push(...page);
  }
  expect(paged).toEqual(all);
});

it('events are pruned after 30 days and numbers continue', async () => {
  const dock = await newDock();
  for (const id of ['A', 'B', 'C']) await dock.manifest(id);
  await pruneEvents(db, Date.now() + 29 * DAY_MS);
  expect(await events(dock)).toHaveLength(3);
  await pruneEvents(db, Date.now() + 31 * DAY_MS);
  expect((await events(dock)).map((event) => event.sequenceNumber)).toEqual([3]);
  await dock.manifest('D');
  expect((await events(dock)).map((event) => event.sequenceNumber)).toEqual([3, 4]);
});

it('an event shows ten faults of a manifest with thousands, and its GET shows a hundred', async () => {
  const dock = await newDock();
  const assets = Array.from({ length: 4000 }, (_, index) => `${index}-`.padEnd(250, 'x'));
  await dock.manifest('BIG', ...assets);
  const [event] = await events(dock);
  const shown = (count: number) => ({
    duplicatedTracks: [],
    nonExistingTracks: assets.slice(0, count).map((trackIdentifier) => ({ trackIdentifier })),
    deactivatedTracks: [],
    leftWith: [],
    truncated: true,
  });
  expect(event.data).toMatchObject({ tracksCount: 4000, validationErrors: shown(10) });
  expect((await dock.must('GET', '/manifest/BIG')).body.validationErrors).toEqual(shown(100));
});

it('an event page ends at 4 MB and the next one continues', async () => {
  const dock = await newDock();
  const customFields = Array.from({ length: 50 }, (_, index) => ({
    fieldKey: `field ${index}`,
    fieldValue: '\u0001'.repeat(1_000),
  }));
  await dock.must('POST', '/manifest', { externalIdentifier: 'M', customFields });
  await db
    .prepare(
      `INSERT INTO event_log (organization_uuid, sequence_number, uuid, event_type, event_date, entity_type, entity_uuid, data)
        SELECT organization_uuid, sequence_number + value, uuid, event_type, event_date, entity_type, entity_uuid, data
        FROM event_log, json_each(?2) WHERE organization_uuid = ?1`,
    )
    .bind(dock.uuid, JSON.stringify(Array.from({ length: 40 }, (_, index) => index + 1)))
    .run();
  const numbers: number[] = [];
  for (;;) {
    const { body } = await dock.must('GET', `/event?limit=1000&afterSequence=${numbers.at(-1) ?? 0}`);
    if (body.content.length === 0) break;
    expect(JSON.stringify(body).length).toBeLessThan(4_100_000);
    numbers.push(...body.content.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber));
  }
  expect(numbers).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
});

it.each(['afterSequence=-1', 'afterSequence=x', 'limit=0', 'limit=1001', 'limit=1.5'])(
  'the event list refuses %s',
  async (query) => {
    const dock = await newDock();
    const { status, body } = await dock.call('GET', `/event?${query}`);
    expect([status, body.code]).toEqual([400, 'validationFailed']);
  },
);
