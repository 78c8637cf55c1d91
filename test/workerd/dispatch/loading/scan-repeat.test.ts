import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const records = async (dock: Dock) => (await dock.must('GET', '/shipment/S/asset-loading')).body;
const rows = async (dock: Dock, table: string) =>
  (await db.prepare(`SELECT * FROM ${table} WHERE organization_uuid = ?1`).bind(dock.uuid).all()).results;
/** Everything that a scan can change. */
const everything = async (dock: Dock) => [
  await records(dock),
  (await dock.must('GET', '/alert-event')).body,
  (await dock.must('GET', '/track')).body,
  ...(await Promise.all(
    ['pallet_activity', 'audit_log', 'event_log', 'scan'].map((table) => rows(dock, table)),
  )),
];
const statusOf = async (dock: Dock, wmsId: string) =>
  (await records(dock)).find(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier === wmsId)
    .loadingStatus;

describe('a repeat', () => {
  it.each<[string, string | number, string]>([
    ['loaded a pallet', 'A', 'LOAD'],
    ['unloaded a pallet', 'A', 'UNLOAD'],
    ['found a wrong pallet', 'X', 'LOAD'],
    ['found an unknown marker', 77, 'LOAD'],
    ['took nothing off', 'X', 'UNLOAD'],
    ['took no unknown marker off', 77, 'OFFLOAD'],
  ])(
    'a repeat of a scan that %s changes nothing, even if its other fields differ',
    async (_, pallet, direction) => {
      const dock = await loadingDock();
      const first = await dock.scan(pallet, direction, { scanId: 'same' });
      const before = await everything(dock);
      const repeats = [
        await dock.scan(pallet, direction, { scanId: 'same' }),
        await dock.scan(pallet, direction, {
          scanId: 'same',
          damaged: true,
          cameraHardwareId: 'other',
          scanDate: '2030-01-01T00:00:00Z',
        }),
      ];
      for (const repeat of repeats) expect([repeat.status, repeat.body]).toEqual([200, first.body]);
      expect(await everything(dock)).toEqual(before);
    },
  );

  it('a repeat of a superseded scan gets the outcome SUPERSEDED', async () => {
    const dock = await loadingDock();
    await dock.scan('A', 'UNLOAD', { scanDate: new Date(Date.now() - 60_000).toISOString() });
    const late = { scanId: 'late', scanDate: new Date(Date.now() - 120_000).toISOString() };
    const first = await dock.scan('A', 'LOAD', late);
    const before = await everything(dock);
    expect(first.body.outcome).toBe('SUPERSEDED');
    expect((await dock.scan('A', 'LOAD', late)).body).toEqual(first.body);
    expect(await everything(dock)).toEqual(before);
  });

  it('a used scanId with another marker or direction is a new scan, and both are remembered', async () => {
    const dock = await loadingDock();
    const first = await dock.scan('A', 'LOAD', { scanId: '1' });
    const other = await dock.scan('B', 'LOAD', { scanId: '1' });
    const unknown = await dock.scan(77, 'LOAD', { scanId: '1' });
    const off = await dock.scan('A', 'UNLOAD', { scanId: '1' });
    expect([first, other, unknown, off].map(({ body }) => [body.scanId, body.outcome])).toEqual([
      ['1', 'LOADED'],
      ['1', 'LOADED'],
      ['1', 'UNKNOWN_LOADING'],
      ['1', 'UNLOADED'],
    ]);
    const before = await everything(dock);
    expect((await dock.scan('A', 'LOAD', { scanId: '1' })).body).toEqual(first.body);
    expect((await dock.scan('B', 'LOAD', { scanId: '1' })).body).toEqual(other.body);
    expect((await dock.scan(77, 'LOAD', { scanId: '1' })).body).toEqual(unknown.body);
    expect((await dock.scan('A', 'UNLOAD', { scanId: '1' })).body).toEqual(off.body);
    expect(await everything(dock)).toEqual(before);
  });

  it('each of a hundred scans with one scanId is recorded in a batch', async () => {
    const dock = await loadingDock();
    const codes = Array.from({ length: 50 }, (_, index) => 500 + index);
    const scans = [...codes, ...codes].map((markerCode) => ({ scanId: '1', markerCode, direction: 'LOAD' }));
    const { body } = await dock.device('POST', '/gate/G/scans', { scans });
    const uuids = body.results.map(({ recordUuid }: { recordUuid: string }) => recordUuid);
    expect(new Set(uuids).size).toBe(50);
    expect(uuids.slice(50)).toEqual(uuids.slice(0, 50));
    expect((await dock.device('POST', '/gate/G/scans', { scans })).body).toEqual(body);
  });

  it('concurrent repeats of a scan have one effect', async () => {
    const dock = await loadingDock();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => dock.scan('X', 'LOAD', { scanId: 'twin' })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await records(dock)).toHaveLength(5);
    expect((await dock.must('GET', '/alert-event')).body.content).toHaveLength(1);
  });

  it('two pallets are loaded by concurrent scans with one scanId', async () => {
    const dock = await loadingDock();
    const answers = await Promise.all(
      ['A', 'C', 'A', 'C', 'A', 'C'].map((wmsId) => dock.scan(wmsId, 'LOAD', { scanId: 'one' })),
    );
    expect(answers.map(({ body }) => [body.outcome, body.trackIdentifier])).toEqual(
      ['A', 'C', 'A', 'C', 'A', 'C'].map((wmsId) => ['LOADED', wmsId]),
    );
    expect([await statusOf(dock, 'A'), await statusOf(dock, 'C')]).toEqual(['LOADED', 'LOADED']);
    expect(await rows(dock, 'scan')).toHaveLength(2);
  });
});
