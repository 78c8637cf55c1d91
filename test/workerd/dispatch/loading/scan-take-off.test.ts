import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';

const db = (env as unknown as { DB: D1Database }).DB;
/** The alerts about scans: not the ones about loads that were completed short. */
const alerts = async (dock: Dock) =>
  (await dock.must('GET', '/alert-event')).body.content.filter(
    ({ alertType }: { alertType: string }) => alertType !== 'COMPLETED_SHORT',
  );
const records = async (dock: Dock) => (await dock.must('GET', '/shipment/S/asset-loading')).body;
const events = async (dock: Dock) =>
  (await dock.must('GET', '/event?limit=1000')).body.content.filter(({ eventType }: { eventType: string }) =>
    eventType.startsWith('UNAUTHORIZED_'),
  );
const resolutions = async (dock: Dock) =>
  (await dock.must('GET', '/audit-log?action=UNAUTHORIZED_LOADING_RESOLVED')).body.content;
const timeline = async (dock: Dock, wmsId: string) =>
  (await dock.must('GET', `/track/${wmsId}/activity?pageSize=100`)).body.content.map(
    ({ activityType, details }: { activityType: string; details: string | null }) =>
      details === null ? activityType : `${activityType} ${details}`,
  );
let scans = 0;
const scanAt = (dock: Dock, gate: string, markerCode: number, direction: string) => {
  scans += 1;
  return dock.device('POST', `/gate/${gate}/scan`, { scanId: `off-${scans}`, markerCode, direction });
};

describe('a scan that takes a wrong pallet off', () => {
  it.each(['UNLOAD', 'OFFLOAD'])(
    '%s deletes the record of a wrong pallet and resolves its alert',
    async (direction) => {
      const dock = await loadingDock();
      const { recordUuid, manifestExternalId } = (await dock.scan('X')).body;
      expect((await dock.scan('X', direction)).body).toMatchObject({
        outcome: 'UNLOADED',
        recordUuid,
        manifestExternalId,
        trackIdentifier: 'X',
      });
      expect(await records(dock)).toHaveLength(4);
      expect(await alerts(dock)).toMatchObject([
        { recordUuid, status: 'RESOLVED', resolvedDate: expect.any(String) },
      ]);
      expect(await events(dock)).toMatchObject([
        { eventType: 'UNAUTHORIZED_LOADING_ADDED', data: { recordUuid, loadingStatus: 'WRONGLY_LOADED' } },
        { eventType: 'UNAUTHORIZED_LOADING_RESOLVED', data: { recordUuid, loadingStatus: 'WRONGLY_LOADED' } },
      ]);
      expect((await timeline(dock, 'X')).slice(0, 2)).toEqual([
        'UNLOADED WRONGLY_LOADED',
        'SEEN WRONGLY_LOADED',
      ]);
      const [entry] = await resolutions(dock);
      expect(entry).toMatchObject({ entityUuid: recordUuid, entityExternalId: 'X' });
      expect(entry.changes.map(({ field }: { field: string }) => field)).not.toContain('afterClose');
      expect((await dock.scan('X', direction)).body).toMatchObject({
        outcome: 'NOT_LOADED',
        recordUuid: null,
      });
    },
  );

  it.each(['UNLOAD', 'OFFLOAD'])('%s deletes the record of an unknown marker', async (direction) => {
    const dock = await loadingDock();
    const { recordUuid } = (await dock.scan(77)).body;
    expect((await dock.scan(77, direction)).body).toMatchObject({ outcome: 'UNLOADED', recordUuid });
    expect(await records(dock)).toHaveLength(4);
    expect(await alerts(dock)).toMatchObject([{ recordUuid, status: 'RESOLVED' }]);
  });

  it.each(['UNLOAD', 'OFFLOAD'])(
    '%s deletes a record after the shipment was completed',
    async (direction) => {
      const dock = await loadingDock();
      const { recordUuid } = (await dock.scan('X')).body;
      await dock.must('POST', '/shipment/S/status/COMPLETED');
      expect((await scanAt(dock, 'H', dock.codes['X']!, direction)).body.recordUuid).toBeNull();
      expect((await dock.scan('X', direction)).body).toMatchObject({ outcome: 'UNLOADED', recordUuid });
      expect(await records(dock)).toHaveLength(4);
      expect((await alerts(dock))[0]).toMatchObject({ recordUuid, status: 'RESOLVED' });
      const [entry] = await resolutions(dock);
      expect(entry.changes).toContainEqual({ field: 'afterClose', oldValue: null, newValue: true });
      const corrections = await db
        .prepare('SELECT * FROM loading_correction WHERE organization_uuid = ?1')
        .bind(dock.uuid)
        .all();
      // Of the manifest, and of the shipment.
      expect(corrections.results).toHaveLength(2);
    },
  );

  it('a wrong pallet is taken off at the gate to which its shipment has moved', async () => {
    const dock = await loadingDock();
    const { recordUuid } = (await dock.scan('X')).body;
    await dock.must('PUT', '/shipment/S', { gateIdentifier: 'H' });
    expect((await scanAt(dock, 'H', dock.codes['X']!, 'UNLOAD')).body).toMatchObject({
      outcome: 'UNLOADED',
      recordUuid,
    });
  });

  it('a pallet that is loaded again after it was taken off is a new wrong pallet', async () => {
    const dock = await loadingDock();
    const first = (await dock.scan('X')).body;
    await dock.scan('X', 'UNLOAD');
    const second = (await dock.scan('X')).body;
    expect(second).toMatchObject({ outcome: 'WRONGLY_LOADED' });
    expect(second.recordUuid).not.toBe(first.recordUuid);
    expect((await alerts(dock)).map(({ status }: { status: string }) => status)).toEqual([
      'OPEN',
      'RESOLVED',
    ]);
  });

  it('a batch takes off a wrong pallet that it added, with all events', async () => {
    const dock = await loadingDock();
    const directions = ['LOAD', 'UNLOAD', 'LOAD'];
    const { body } = await dock.device('POST', '/gate/G/scans', {
      scans: directions.map((direction, index) => ({
        scanId: `${index}`,
        markerCode: dock.codes['X'],
        direction,
      })),
    });
    const [first, off, second] = body.results;
    expect([first.outcome, off.outcome, second.outcome]).toEqual([
      'WRONGLY_LOADED',
      'UNLOADED',
      'WRONGLY_LOADED',
    ]);
    expect(off.recordUuid).toBe(first.recordUuid);
    expect((await records(dock)).at(-1).recordUuid).toBe(second.recordUuid);
    expect(await records(dock)).toHaveLength(5);
    expect((await events(dock)).map(({ eventType, data }: never) => [eventType, data['recordUuid']])).toEqual(
      [
        ['UNAUTHORIZED_LOADING_ADDED', first.recordUuid],
        ['UNAUTHORIZED_LOADING_RESOLVED', first.recordUuid],
        ['UNAUTHORIZED_LOADING_ADDED', second.recordUuid],
      ],
    );
    const statusOf = new Map(
      (await alerts(dock)).map(({ recordUuid, status }: never) => [recordUuid, status]),
    );
    expect(statusOf).toEqual(
      new Map([
        [first.recordUuid, 'RESOLVED'],
        [second.recordUuid, 'OPEN'],
      ]),
    );
  });
});

describe('a scan that takes nothing off', () => {
  it.each<[string, string, string | number, string, number]>([
    ['UNLOAD', 'G', 'X', 'NOT_LOADED', 0],
    ['OFFLOAD', 'G', 'X', 'NOT_LOADED', 0],
    ['UNLOAD', 'G', 77, 'NOT_LOADED', 0],
    ['OFFLOAD', 'G', 77, 'NOT_LOADED', 0],
    ['UNLOAD', 'H', 'A', 'NO_ACTIVE_MANIFEST', 0],
    ['UNLOAD', 'H', 77, 'NO_ACTIVE_MANIFEST', 0],
    ['OFFLOAD', 'H', 'A', 'NOT_LOADED', 0],
    ['OFFLOAD', 'H', 77, 'NOT_LOADED', 0],
    ['LOAD', 'H', 'A', 'NO_ACTIVE_MANIFEST', 1],
    ['LOAD', 'H', 77, 'NO_ACTIVE_MANIFEST', 1],
  ])('%s at gate %s of %s has the outcome %s, no record, and %i alerts', async (...row) => {
    const [direction, gate, pallet, outcome, alerted] = row;
    const dock = await loadingDock();
    const code = typeof pallet === 'number' ? pallet : dock.codes[pallet]!;
    expect((await scanAt(dock, gate, code, direction)).body).toMatchObject({
      outcome,
      recordUuid: null,
      manifestExternalId: null,
    });
    expect(await records(dock)).toHaveLength(4);
    expect(await alerts(dock)).toHaveLength(alerted);
    if (typeof pallet === 'string') expect((await timeline(dock, pallet))[0]).toBe(`SEEN ${outcome}`);
  });
});
