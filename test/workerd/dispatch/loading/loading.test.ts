import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { walkWhole } from '../../whole.ts';
import { type Dock, loadingDock, newDock } from '../load/shipment/dock.ts';

const db = (env as unknown as { DB: D1Database }).DB;

const records = async (dock: Dock) => (await dock.must('GET', '/shipment/S/asset-loading')).body;
const statuses = async (dock: Dock) =>
  (await records(dock)).map((row: Record<string, never>) => [
    row['manifest']!['manifestExternalId'],
    row['trackIdentifier'],
    row['loadingStatus'],
  ]);
const mark = (dock: Dock, target: string, body: object, query = '') =>
  dock.call('PATCH', `/shipment/S/asset-loading/${target}/status${query}`, body);
const timeline = async (dock: Dock, wmsId: string) =>
  (await dock.must('GET', `/track/${wmsId}/activity?sort.sortBy=activityDate&pageSize=100`)).body.content;
const audit = async (dock: Dock, action: string) => {
  const { results } = await db
    .prepare('SELECT * FROM audit_log WHERE organization_uuid = ?1 AND action = ?2 ORDER BY sequence_number')
    .bind(dock.uuid, action)
    .all<Record<string, string>>();
  return results.map((row) => ({ ...row, changes: JSON.parse(row['changes']!) }));
};

describe('a cancelled manifest of a shipment', () => {
  it('a mark leaves the records of a cancelled manifest as they are', async () => {
    const dock = await loadingDock();
    await dock.must('POST', '/manifest/N/status/CANCELLED');
    const { body } = await mark(dock, 'track/B', { status: 'LOADED' });
    expect(body.changed).toMatchObject([{ manifest: { manifestExternalId: 'M' } }]);
    expect(body.unchanged).toEqual([]);
    const { status, body: refused } = await mark(dock, 'track/C', { status: 'LOADED' });
    expect([status, refused.code, refused.detail]).toEqual([
      409,
      'manifestClosed',
      'Manifest "N" is CANCELLED.',
    ]);
    expect(await statuses(dock)).toEqual([
      ['M', 'A', 'NOT_LOADED'],
      ['M', 'B', 'LOADED'],
      ['N', 'B', 'NOT_LOADED'],
      ['N', 'C', 'NOT_LOADED'],
    ]);
  });
});

describe('a record', () => {
  it('every asset has a loading record from the start that can be set by its uuid', async () => {
    const dock = await loadingDock();
    expect(await statuses(dock)).toEqual([
      ['M', 'A', 'NOT_LOADED'],
      ['M', 'B', 'NOT_LOADED'],
      ['N', 'B', 'NOT_LOADED'],
      ['N', 'C', 'NOT_LOADED'],
    ]);
    const [{ recordUuid }] = await records(dock);
    const { status, body } = await mark(dock, recordUuid.toUpperCase(), {
      status: 'LOADED',
      comment: 'By hand',
    });
    expect(status).toBe(200);
    expect(body.unchanged).toEqual([]);
    expect(body.changed).toMatchObject([
      {
        recordUuid,
        trackIdentifier: 'A',
        markerCode: dock.codes['A'],
        loadingStatus: 'LOADED',
        gate: { externalIdentifier: 'G' },
        manifest: { manifestExternalId: 'M' },
        track: { wmsId: 'A', manifests: [{ manifestExternalId: 'M', loadingStatus: 'LOADED' }] },
        loadingDate: expect.any(String),
      },
    ]);
    expect(body.changed).toEqual([(await records(dock))[0]]);
    expect((await dock.must('GET', '/shipment/S')).body).toMatchObject({
      tracksCount: 4,
      totalAssetsCount: 4,
      loadedAssetsCount: 1,
    });
    expect((await timeline(dock, 'A')).at(-1)).toMatchObject({
      activityType: 'LOADED',
      gate: { externalIdentifier: 'G' },
      manifestExternalId: 'M',
      shipmentExternalId: 'S',
      details: 'By hand',
    });
  });

  it('a pallet in several manifests is set in all of them, with an audit and a timeline entry each', async () => {
    for (const target of ['track/B', 'marker/']) {
      const dock = await loadingDock();
      const named = target === 'marker/' ? `marker/${dock.codes['B']}` : target;
      const first = await mark(dock, named, { status: 'LOADED' });
      expect(first.body.changed).toHaveLength(2);
      const entries = (await timeline(dock, 'B')).filter(
        (entry: { activityType: string }) => entry.activityType === 'LOADED',
      );
      expect(entries.map((entry: Record<string, string>) => entry['manifestExternalId']).sort()).toEqual([
        'M',
        'N',
      ]);
      expect(await audit(dock, 'ASSET_LOADING_STATUS_CHANGED')).toHaveLength(2);
      const again = await mark(dock, named, { status: 'LOADED', gateExternalId: 'H' });
      expect([again.body.changed, again.body.unchanged.length]).toEqual([[], 2]);
      expect(await audit(dock, 'ASSET_LOADING_STATUS_CHANGED')).toHaveLength(2);
      const [, second] = first.body.changed;
      const one = await mark(dock, second.recordUuid, { status: 'UNLOADED', gateExternalId: 'H' });
      expect(one.body.changed).toMatchObject([
        { loadingStatus: 'UNLOADED', gate: { externalIdentifier: 'H' } },
      ]);
      const rest = await mark(dock, named, { status: 'UNLOADED' }, '?gateExternalId=H');
      expect([rest.body.changed.length, rest.body.unchanged.length]).toEqual([1, 1]);
    }
  });

  it('a loading record can be set however much belongs to its pallet and manifests', async () => {
    const dock = await newDock();
    const customFields = Array.from({ length: 50 }, (_, index) => ({
      fieldKey: `field ${index}`,
      fieldValue: '🚚'.repeat(1_000),
    }));
    await dock.must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'A', customFields });
    const names = Array.from({ length: 60 }, (_, index) => `M${index}`);
    for (const name of names) await dock.manifest(name, 'A');
    await dock.shipment('S', names, { gateIdentifier: 'G' });
    const { status, body } = await mark(dock, 'track/A', { status: 'LOADED' });
    expect(status).toBe(200);
    // 60 records of this pallet do not fit into an answer. It is truncated, and the list returns the rest page by
    // page.
    const { changed } = body;
    expect(body).toEqual({
      changed: (await records(dock)).slice(0, changed.length),
      unchanged: [],
      truncated: true,
    });
    expect(JSON.stringify(body).length).toBeLessThan(10_000_000);
    expect(changed.at(-1).track.customFields).toHaveLength(50);
    const listed = await walkWhole<{ manifest: { manifestExternalId: string } }>(
      dock,
      '/shipment/S/asset-loading',
    );
    expect(listed.map(({ manifest }) => manifest.manifestExternalId)).toEqual(names);
  });

  it('a loading record goes from every status to every status and keeps its date until NOT_LOADED', async () => {
    const dock = await loadingDock();
    const [{ recordUuid }] = await records(dock);
    const statusesInTurn = ['LOADED', 'UNLOADED', 'NOT_LOADED', 'UNLOADED', 'LOADED', 'NOT_LOADED', 'LOADED'];
    for (const status of statusesInTurn) {
      const { body } = await mark(dock, recordUuid, { status, gateExternalId: 'H' });
      expect(body.changed).toMatchObject([{ loadingStatus: status }]);
    }
    await mark(dock, recordUuid, { status: 'UNLOADED', gateExternalId: 'H' });
    expect((await records(dock))[0].loadingDate).not.toBeNull();
    await mark(dock, recordUuid, { status: 'NOT_LOADED', gateExternalId: 'H' });
    expect((await records(dock))[0].loadingDate).toBeNull();
  });

  it('a loading record can be corrected after completion, and the audit says so', async () => {
    const dock = await loadingDock();
    await mark(dock, 'track/A', { status: 'LOADED' });
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const corrected = await mark(dock, 'track/A', { status: 'NOT_LOADED', gateExternalId: 'G' });
    expect(corrected.body.changed).toHaveLength(1);
    const [before, after] = await audit(dock, 'ASSET_LOADING_STATUS_CHANGED');
    const said = { field: 'afterClose', oldValue: null, newValue: true };
    expect(before!.changes).not.toContainEqual(said);
    expect(after!.changes).toContainEqual(said);
    expect((await dock.must('GET', '/shipment/S')).body.loadedAssetsCount).toBe(0);
  });

  it('a loading record refuses an impossible status', async () => {
    const dock = await loadingDock();
    await dock.scan('X');
    await dock.scan(77);
    const before = await records(dock);
    const wrong = before.find((row: { loadingStatus: string }) => row.loadingStatus === 'WRONGLY_LOADED');
    const cases: [string, object, string, number, string][] = [
      ['track/A', { status: 'UNLOADED' }, '', 400, 'gateRequired'],
      ['track/A', { status: 'NOT_LOADED', gateExternalId: '' }, '', 400, 'gateRequired'],
      ['track/A', { status: 'LOADED', gateExternalId: 'NO' }, '', 400, 'gateNotFound'],
      ['track/A', { status: 'UNLOADED' }, '?gateExternalId=NO', 400, 'gateNotFound'],
      ['track/A', { status: 'UNLOADED', gateExternalId: 'G' }, '?gateExternalId=H', 400, 'validationFailed'],
      ['track/A', { status: 'OFFLOADED' }, '', 400, 'unknownStatus'],
      ['track/A', { status: 'WRONGLY_LOADED' }, '', 400, 'unknownStatus'],
      ['track/A', { status: 'LOADED', gate: 'G' }, '', 400, 'unknownField'],
      ['track/NO', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      ['marker/1', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      ['marker/x', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      ['marker/077', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      ['not-a-uuid', { status: 'LOADED' }, '', 404, 'assetLoadingNotFound'],
      [wrong.recordUuid, { status: 'LOADED' }, '', 409, 'invalidLoadingRecord'],
      ['track/X', { status: 'LOADED' }, '', 409, 'invalidLoadingRecord'],
      ['marker/77', { status: 'LOADED' }, '', 409, 'invalidLoadingRecord'],
    ];
    for (const [target, body, query, status, code] of cases) {
      const answer = await mark(dock, target, body, query);
      expect([target, body, answer.status, answer.body.code]).toEqual([target, body, status, code]);
    }
    expect((await mark(dock, 'track/A', { status: 'UNLOADED' })).body.detail).toBe(
      'Pallet "A" of shipment "S" cannot become UNLOADED without a gate. Name the gate.',
    );
    expect(await records(dock)).toEqual(before);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect((await mark(dock, 'track/A', { status: 'LOADED' })).body.code).toBe('shipmentClosed');
  });

  it('a loading record of another shipment is not found', async () => {
    const dock = await loadingDock();
    await dock.manifest('O', 'A');
    await dock.shipment('T', ['O']);
    const [{ recordUuid }] = (await dock.must('GET', '/shipment/T/asset-loading')).body;
    expect((await mark(dock, recordUuid, { status: 'LOADED' })).body.code).toBe('assetLoadingNotFound');
    const removed = await dock.call('DELETE', `/shipment/S/asset-loading/${recordUuid}`);
    expect([removed.status, removed.body.code]).toEqual([404, 'assetLoadingNotFound']);
    await mark(dock, 'track/A', { status: 'LOADED' });
    expect((await dock.must('GET', '/shipment/T')).body.loadedAssetsCount).toBe(0);
  });
});

describe('an invalid loading', () => {
  it.each(['record', 'track', 'marker'])(
    'an invalid record is removed by %s, and its alert is resolved',
    async (by) => {
      const dock = await loadingDock();
      const wrong = (await dock.scan('X')).body;
      const target = { record: wrong.recordUuid, track: 'track/X', marker: `marker/${dock.codes['X']}` }[by];
      const alert = async () => (await dock.must('GET', '/alert-event')).body.content[0];
      expect(await alert()).toMatchObject({ status: 'OPEN', recordUuid: wrong.recordUuid });
      const removed = await dock.call('DELETE', `/shipment/S/asset-loading/${target}`);
      expect([removed.status, removed.body]).toEqual([200, (await dock.must('GET', '/shipment/S')).body]);
      expect(await statuses(dock)).toHaveLength(4);
      expect(await alert()).toMatchObject({ status: 'RESOLVED', resolvedDate: expect.any(String) });
      const again = await dock.call('DELETE', `/shipment/S/asset-loading/${target}`);
      expect([again.status, again.body.code]).toEqual([404, 'assetLoadingNotFound']);
    },
  );

  it('an invalid record of an unknown marker is removed by its code', async () => {
    const dock = await loadingDock();
    await dock.scan(77);
    expect((await dock.call('DELETE', '/shipment/S/asset-loading/marker/77')).status).toBe(200);
    expect(await statuses(dock)).toHaveLength(4);
  });

  it('only an invalid record can be removed, an asset cannot', async () => {
    const dock = await loadingDock();
    const [{ recordUuid }] = await records(dock);
    for (const target of [recordUuid, 'track/A', `marker/${dock.codes['A']}`]) {
      const answer = await dock.call('DELETE', `/shipment/S/asset-loading/${target}`);
      expect([answer.status, answer.body.code]).toEqual([409, 'recordNotInvalidLoading']);
    }
    expect(await statuses(dock)).toHaveLength(4);
  });
});
