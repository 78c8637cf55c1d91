import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { ORIGIN } from '../client.ts';
import { type Dock, loadingDock } from '../dispatch/load/shipment/dock.ts';
import { finished } from '../log/operation/finished.ts';

const _db = (env as unknown as { DB: D1Database }).DB;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
type Row = any;

/** The four common fields of a record. `page` is the page that its link opens. */
const four = (page: string) => ({
  uuid: expect.stringMatching(UUID_V7),
  createDate: expect.stringMatching(DATE),
  updateDate: expect.stringMatching(DATE),
  deepLink: `${ORIGIN}/app/${page}`,
});
const get = async (dock: Dock, path: string): Promise<Row> => (await dock.must('GET', path)).body;
const events = async (dock: Dock, eventType: string): Promise<Row[]> =>
  (await get(dock, '/event?limit=1000')).content.filter((event: Row) => event.eventType === eventType);

describe('uuid, createDate, updateDate and deepLink', () => {
  it('comments and timeline entries have uuid, createDate, updateDate and deepLink', async () => {
    const dock = await loadingDock();
    const { uuid } = await get(dock, '/track/A');
    await dock.must('POST', '/track/A/comments', { additionalInfo: 'Wet' });
    const scanDate = new Date(Date.now() - 3_600_000).toISOString();
    await dock.scan('A', 'LOAD', { scanDate });
    const [comment] = await get(dock, '/track/A/comments');
    expect(comment).toMatchObject(four(`track/${uuid}`));
    const { content } = await get(dock, '/track/A/activity');
    for (const entry of content) expect(entry).toMatchObject(four(`track/${uuid}`));
    const scanned: Row = content.find((entry: Row) => entry.activityType === 'LOADED');
    expect(scanned.activityDate).toBe(scanDate);
    expect(scanned.createDate).toBe((await get(dock, '/track/A')).updateDate);
    const since = await get(dock, `/track/A/activity?createDateAfter=${scanned.createDate}`);
    expect(since.content).toEqual([scanned]);
  });

  it('assets and loading records have uuid, createDate, updateDate and deepLink wherever they appear', async () => {
    const dock = await loadingDock();
    const manifests: Record<string, string> = {};
    for (const id of ['M', 'N']) manifests[id] = (await get(dock, `/manifest/${id}`)).uuid;
    const answer = await dock.must('PATCH', '/shipment/S/asset-loading/track/A/status', { status: 'LOADED' });
    const [event] = await events(dock, 'ASSET_LOADING_STATUS_CHANGED');
    const shown: Row[] = [
      ...(await get(dock, '/shipment/S/asset')),
      ...(await get(dock, '/shipment/S/asset-loading')),
      ...(await get(dock, '/manifest/M/asset-loading')),
      ...answer.body.changed,
      event.data,
    ];
    expect(shown).toHaveLength(12);
    for (const record of shown) {
      expect(record).toMatchObject(four(`manifest/${manifests[record.manifest.manifestExternalId]}`));
      expect(record.recordUuid ?? record.uuid).toBe(record.uuid);
    }
    const [asset] = await get(dock, '/manifest/M/asset');
    expect(asset).toMatchObject({ ...four(`manifest/${manifests['M']}`), uuid: event.data.uuid });
  });

  it('operations and deliveries have uuid, createDate, updateDate and deepLink', async () => {
    const dock = await loadingDock();
    const url = 'https://hooks.example.com/in';
    const { uuid } = (await dock.must('POST', '/webhook', { name: 'W', url, active: false })).body;
    const tested = await dock.must('POST', `/webhook/${uuid}/test`);
    expect(tested.body).toMatchObject(four(`webhook/${uuid}`));
    const { content } = await get(dock, `/webhook/${uuid}/delivery`);
    expect(content[0]).toMatchObject(four(`webhook/${uuid}`));
    const accepted = await dock.must('POST', '/track/couple?async=true', {
      markerCode: dock.codes['A'],
      wmsId: 'A',
    });
    const operation = await finished(dock, accepted);
    expect(operation).toMatchObject({
      ...four(`operation/${operation.operationId}`),
      uuid: operation.operationId,
      updateDate: operation.finishDate,
    });
    const [event] = await events(dock, 'OPERATION_COMPLETED');
    expect(event.data).toEqual(operation);
  });
});
