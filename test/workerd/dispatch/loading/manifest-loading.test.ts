import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Dock, newDock } from '../load/shipment/dock.ts';

const db = (env as unknown as { DB: D1Database }).DB;

type Row = Record<string, unknown>;

/** A dock with manifest M (A, B) in progress at G, without a shipment. Pallet X is on no manifest. */
async function aloneDock(settings: Record<string, unknown> = {}): Promise<Dock> {
  const dock = await newDock(settings);
  await dock.couple('A', 'B', 'X');
  await dock.must('POST', '/manifest', {
    externalIdentifier: 'M',
    manifestStatus: 'TO_DO',
    gateExternalId: 'G',
    assets: ['A', 'B'],
  });
  await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
  return dock;
}

const records = async (dock: Dock): Promise<Row[]> =>
  (await dock.must('GET', '/manifest/M/asset-loading')).body;
const at = (end: string) => `/manifest/M/asset-loading/${end}`;
const mark = (dock: Dock, end: string, body: object, query = '') =>
  dock.call('PATCH', `${at(end)}/status${query}`, body);
const audit = async (dock: Dock, action: string) => {
  const { results } = await db
    .prepare('SELECT * FROM audit_log WHERE organization_uuid = ?1 AND action = ?2 ORDER BY sequence_number')
    .bind(dock.uuid, action)
    .all<Record<string, string>>();
  return results.map(({ changes }) => JSON.parse(changes!) as { field: string }[]);
};
const endsOf = (dock: Dock, recordUuid: unknown, wmsId: string): Record<string, string> => ({
  record: String(recordUuid),
  track: `track/${wmsId}`,
  marker: `marker/${dock.codes[wmsId]}`,
});

describe('a record of a manifest that is in no shipment', () => {
  it.each(['record', 'track', 'marker'])(
    'a record of a single manifest is set by %s, in organizations of either strategy',
    async (by) => {
      for (const dispatchStrategy of ['MANIFEST', 'SHIPMENT']) {
        const dock = await aloneDock({ dispatchStrategy });
        const [{ recordUuid } = {}] = await records(dock);
        const end = endsOf(dock, recordUuid, 'A')[by]!;
        const first = await mark(dock, end, { status: 'LOADED', comment: 'By hand' });
        expect([first.status, first.body]).toEqual([
          200,
          { changed: [(await records(dock))[0]], unchanged: [] },
        ]);
        expect(first.body.changed[0]).toMatchObject({
          recordUuid,
          trackIdentifier: 'A',
          loadingStatus: 'LOADED',
          gate: { externalIdentifier: 'G' },
          manifest: { manifestExternalId: 'M' },
        });
        expect((await dock.must('GET', '/manifest/M')).body).toMatchObject({
          totalAssetsCount: 2,
          loadedAssetsCount: 1,
        });
        const { content } = (await dock.must('GET', '/track/A/activity?pageSize=100')).body;
        expect(content[0]).toMatchObject({
          activityType: 'LOADED',
          manifestExternalId: 'M',
          shipmentExternalId: null,
          details: 'By hand',
        });
        const again = await mark(dock, end, { status: 'LOADED' });
        expect([again.body.changed, again.body.unchanged.length]).toEqual([[], 1]);
        const off = await mark(dock, end, { status: 'UNLOADED' }, '?gateExternalId=H');
        expect(off.body.changed).toMatchObject([{ gate: { externalIdentifier: 'H' } }]);
        const entries = await audit(dock, 'ASSET_LOADING_STATUS_CHANGED');
        expect(entries).toHaveLength(2);
        expect(entries.flat().map(({ field }) => field)).not.toContain('afterClose');
      }
    },
  );

  it('setting a record of a single manifest under its key has one effect', async () => {
    const dock = await aloneDock();
    const send = () =>
      dock.call('PATCH', `${at('track/A')}/status`, { status: 'LOADED' }, { 'Idempotency-Key': 'once' });
    const first = await send();
    await mark(dock, 'track/A', { status: 'NOT_LOADED', gateExternalId: 'G' });
    const repeat = await send();
    expect([repeat.status, repeat.body, repeat.headers.get('Idempotent-Replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect((await records(dock))[0]).toMatchObject({ loadingStatus: 'NOT_LOADED' });
  });

  it('a record of a single manifest can be corrected after completion, but not after cancellation', async () => {
    const dock = await aloneDock();
    await dock.must('POST', '/manifest/M/status/COMPLETED');
    const corrected = await mark(dock, 'track/A', { status: 'LOADED' });
    expect(corrected.body.changed).toHaveLength(1);
    const [changes] = await audit(dock, 'ASSET_LOADING_STATUS_CHANGED');
    expect(changes).toContainEqual({ field: 'afterClose', oldValue: null, newValue: true });
    const other = await aloneDock();
    await other.must('POST', '/manifest/M/status/CANCELLED');
    const refused = await mark(other, 'track/A', { status: 'LOADED' });
    expect([refused.status, refused.body.code]).toEqual([409, 'manifestClosed']);
  });

  it('a record of an attached manifest is set through the shipment only, and read as before', async () => {
    const dock = await newDock();
    await dock.couple('A', 'X');
    await dock.manifest('M', 'A');
    await dock.manifest('N');
    await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    const { recordUuid: wrong, manifestExternalId: holder } = (await dock.scan('X')).body;
    const before = await records(dock);
    expect(before).toHaveLength(holder === 'M' ? 2 : 1);
    for (const end of Object.values(endsOf(dock, before[0]!['recordUuid'], 'A'))) {
      const { status, body } = await mark(dock, end, { status: 'LOADED' });
      expect([end, status, body.code]).toEqual([end, 409, 'manifestBelongsToShipment']);
    }
    for (const end of Object.values(endsOf(dock, wrong, 'X'))) {
      const { status, body } = await dock.call('DELETE', at(end));
      expect([end, status, body.code]).toEqual([end, 409, 'manifestBelongsToShipment']);
    }
    expect(await records(dock)).toEqual(before);
    // After detaching, marks are made on the manifest itself. The wrong pallet stays on the truck of the shipment.
    await dock.must('DELETE', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'M' }] });
    expect((await mark(dock, 'track/A', { status: 'LOADED' })).status).toBe(200);
    expect((await dock.call('DELETE', at(wrong))).status).toBe(404);
    const left = (await dock.must('GET', '/shipment/S/asset-loading')).body;
    expect(left).toMatchObject([{ recordUuid: wrong, manifest: { manifestExternalId: 'N' } }]);
    await dock.must('DELETE', `/shipment/S/asset-loading/${wrong}`);
    const { content } = (await dock.must('GET', '/alert-event')).body;
    expect(content).toMatchObject([{ recordUuid: wrong, status: 'RESOLVED' }]);
  });

  it('a record of a single manifest refuses an impossible status', async () => {
    const dock = await aloneDock();
    const wrong = (await dock.scan('X')).body.recordUuid;
    await dock.scan(77);
    await dock.manifest('N', 'A');
    const [{ recordUuid: others }] = (await dock.must('GET', '/manifest/N/asset-loading')).body;
    const before = await records(dock);
    const cases: [string, object, string, number, string][] = [
      ['track/A', { status: 'UNLOADED' }, '', 400, 'gateRequired'],
      ['track/A', { status: 'NOT_LOADED', gateExternalId: '' }, '', 400, 'gateRequired'],
      ['track/A', { status: 'LOADED', gateExternalId: 'NO' }, '', 400, 'gateNotFound'],
      ['track/A', { status: 'UNLOADED', gateExternalId: 'G' }, '?gateExternalId=H', 400, 'validationFailed'],
      ['track/A', { status: 'OFFLOADED' }, '', 400, 'unknownStatus'],
      ['track/A', { status: 'LOADED', gate: 'G' }, '', 400, 'unknownField'],
      ['track/NO', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      ['marker/077', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      [others, { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      [wrong, { status: 'LOADED' }, '', 409, 'invalidLoadingRecord'],
      ['track/X', { status: 'LOADED' }, '', 409, 'invalidLoadingRecord'],
      ['marker/77', { status: 'LOADED' }, '', 409, 'invalidLoadingRecord'],
    ];
    for (const [end, body, query, status, code] of cases) {
      const answer = await mark(dock, end, body, query);
      expect([end, body, answer.status, answer.body.code]).toEqual([end, body, status, code]);
    }
    const [asset] = before;
    for (const end of Object.values(endsOf(dock, asset!['recordUuid'], 'A'))) {
      const { status, body } = await dock.call('DELETE', at(end));
      expect([end, status, body.code]).toEqual([end, 409, 'recordNotInvalidLoading']);
    }
    for (const [method, path] of [
      ['PATCH', '/manifest/NO/asset-loading/track/A/status'],
      ['DELETE', '/manifest/NO/asset-loading/track/X'],
    ] as const) {
      const answer = await dock.call(method, path, method === 'PATCH' ? { status: 'LOADED' } : undefined);
      expect([answer.status, answer.body.code]).toEqual([404, 'manifestNotFound']);
    }
    expect((await dock.call('DELETE', at(others))).body.code).toBe('assetLoadingNotFound');
    expect(await records(dock)).toEqual(before);
  });
});

describe('an invalid loading on a manifest that is in no shipment', () => {
  it.each(['record', 'track', 'marker'])(
    'an invalid record of a single manifest is removed by %s, and its alert is resolved',
    async (by) => {
      const dock = await aloneDock({ dispatchStrategy: 'MANIFEST' });
      const wrong = (await dock.scan('X')).body;
      expect(wrong.outcome).toBe('WRONGLY_LOADED');
      const alert = async () => (await dock.must('GET', '/alert-event')).body.content[0];
      expect(await alert()).toMatchObject({ status: 'OPEN', recordUuid: wrong.recordUuid });
      const end = endsOf(dock, wrong.recordUuid, 'X')[by]!;
      const removed = await dock.call('DELETE', at(end));
      expect([removed.status, removed.body]).toEqual([200, (await dock.must('GET', '/manifest/M')).body]);
      expect(await alert()).toMatchObject({ status: 'RESOLVED', resolvedDate: expect.any(String) });
      const again = await dock.call('DELETE', at(end));
      expect([again.status, again.body.code]).toEqual([404, 'assetLoadingNotFound']);
    },
  );

  it('an invalid record of a closed single manifest can be removed', async () => {
    for (const status of ['COMPLETED', 'CANCELLED']) {
      const dock = await aloneDock();
      await dock.scan(77);
      await dock.must('POST', `/manifest/M/status/${status}`);
      expect((await dock.call('DELETE', at('marker/77'))).status).toBe(200);
      expect((await dock.must('GET', '/alert-event?status=OPEN&severity=CRITICAL')).body.totalElements).toBe(
        0,
      );
    }
  });
});
