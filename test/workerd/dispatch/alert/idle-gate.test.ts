import { describe, expect, it } from 'vitest';
import { request, writerOf } from '../../core/writer/requests.ts';
import { type Dock, loadingDock, newDock } from '../load/shipment/dock.ts';
import { covered } from './aboard.ts';

/** The alerts about readings without work as `status count of pallet or marker`, the first one first. */
async function told(dock: Dock): Promise<string[]> {
  const query = 'alertType=SCAN_WITHOUT_ACTIVE_MANIFEST&sort.sortBy=createDate';
  const { body } = await dock.must('GET', `/alert-event?${query}`);
  return body.content.map(
    (alert: { status: string; count: number; trackIdentifier: string | null; markerCode: number }) =>
      `${alert.status} ${alert.count} of ${alert.trackIdentifier ?? alert.markerCode}`,
  );
}
const events = async (dock: Dock) =>
  (await dock.must('GET', '/event?limit=1000')).body.content.filter(
    ({ eventType }: { eventType: string }) => eventType === 'ALERT_RAISED',
  );

/** Reports LOAD scans at H, where nothing is in progress. Pallets are WMS ids or marker codes. */
async function readAtH(
  dock: Dock,
  pallets: readonly (string | number)[],
  name: string = crypto.randomUUID(),
) {
  const scans = pallets.map((pallet, at) => ({
    scanId: `${name} ${at}`,
    markerCode: typeof pallet === 'number' ? pallet : dock.codes[pallet],
    direction: 'LOAD',
  }));
  const { status, body } = await dock.device('POST', '/gate/H/scans', { scans });
  expect(status).toBe(200);
  return body.results.map(({ outcome }: { outcome: string }) => outcome);
}
const recordScans = (gateIdentifier: string, markerCode: number) =>
  request('recordScans', {
    gateIdentifier,
    scans: [
      {
        scanId: crypto.randomUUID(),
        markerCode,
        direction: 'LOAD',
        damaged: false,
        scanDate: null,
        cameraHardwareId: null,
      },
    ],
  });

describe('a camera that looks at a staging lane', () => {
  it('50 readings of 25 unknown markers and 3 pallets are one alert, one event and a count of 28', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B', 'C');
    const markers = Array.from({ length: 25 }, (_, at) => 101 + at);
    const readings = ['A', ...markers, 'B', 'C', ...markers.slice(3)];
    expect(readings).toHaveLength(50);
    for (const reading of readings) await readAtH(dock, [reading]);
    expect(await told(dock)).toEqual(['OPEN 28 of A']);
    expect(await events(dock)).toHaveLength(1);
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    expect(alert).toMatchObject({
      message: 'Gate H: 28 pallets were scanned, but nothing is being loaded there.',
      severity: 'WARNING',
      gate: { externalIdentifier: 'H' },
      markerCode: dock.codes['A'],
    });
    expect(alert.updateDate > alert.createDate).toBe(true);
  });

  it('the event has the count of the request that raised the alert', async () => {
    const dock = await newDock();
    await readAtH(dock, [101, 102, 101, 103]);
    const [{ data }, ...others] = await events(dock);
    expect(others).toEqual([]);
    expect(data).toMatchObject({ count: 3, markerCode: 101 });
    expect(data).not.toHaveProperty('stillAboard');
    expect(data.message).toBe('Gate H: 3 pallets were scanned, but nothing is being loaded there.');
  });

  it('a repeat counts nothing, and neither does another reading of the same pallet, old label or new', async () => {
    const dock = await newDock();
    await dock.couple('A');
    await readAtH(dock, ['A', 101], 'first');
    await readAtH(dock, ['A', 101], 'first');
    await readAtH(dock, ['A', 101], 'second');
    expect(await told(dock)).toEqual(['OPEN 2 of A']);
    await dock.must('PATCH', '/track/A/retire?force=true');
    await dock.couple('A');
    await readAtH(dock, ['A']);
    expect(await told(dock)).toEqual(['OPEN 2 of A']);
  });

  it('each gate has its own alert', async () => {
    const dock = await newDock();
    await dock.scan(101);
    await readAtH(dock, [101, 102]);
    expect(await told(dock)).toEqual(['OPEN 1 of 101', 'OPEN 2 of 101']);
  });

  it('a person resolves the alert, and the next reading raises a new one', async () => {
    const dock = await newDock();
    await readAtH(dock, [101, 102]);
    const [{ uuid }] = (await dock.must('GET', '/alert-event')).body.content;
    expect(await covered(dock)).toEqual([101, 102]);
    expect(await writerOf(dock).execute(request('resolveAlert', { uuid }))).toMatchObject({ kind: 'done' });
    expect(await covered(dock)).toEqual([]);
    await readAtH(dock, [102]);
    expect(await told(dock)).toEqual(['RESOLVED 2 of 101', 'OPEN 1 of 102']);
  });

  it('readings of many cameras at the same instant are one alert that counts all of them', async () => {
    const dock = await newDock();
    const writer = writerOf(dock);
    await writer.execute(recordScans('G', 1));
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) => writer.execute(recordScans('H', 101 + at))),
    );
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['done']));
    expect(await told(dock)).toEqual(['OPEN 1 of 1', 'OPEN 30 of 101']);
    expect(await events(dock)).toHaveLength(2);
    expect(await covered(dock)).toHaveLength(31);
  });
});

describe('the alert about readings without work', () => {
  it('resolves when a shipment starts at the gate that expects one of the pallets', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B');
    await dock.manifest('M', 'A');
    await dock.manifest('N', 'X');
    await dock.manifest('O', 'A');
    await dock.shipment('S', ['M'], { gateIdentifier: 'H' });
    await dock.shipment('T', ['N'], { gateIdentifier: 'H' });
    await dock.shipment('U', ['O'], { gateIdentifier: 'G' });
    await readAtH(dock, [101, 'B', 'A']);
    // Another load at the gate, and another gate.
    for (const other of ['T', 'U']) {
      await dock.must('POST', `/shipment/${other}/status/IN_PROGRESS`);
      await dock.must('POST', `/shipment/${other}/status/CANCELLED`);
      expect(await told(dock)).toEqual(['OPEN 3 of 101']);
    }
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    expect(await told(dock)).toEqual(['RESOLVED 3 of 101']);
    expect(await covered(dock)).toEqual([]);
    const { body } = await dock.must('GET', '/audit-log?action=ALERT_RESOLVED');
    expect(body.content).toHaveLength(1);
  });

  it('resolves when a manifest without a shipment starts at the gate and expects one of the pallets', async () => {
    const dock = await newDock();
    await dock.couple('A');
    for (const [name, pallet] of [
      ['M', 'A'],
      ['N', 'X'],
    ] as const) {
      await dock.manifest(name, pallet);
      await dock.must('POST', `/manifest/${name}/gate/H`);
      await dock.must('POST', `/manifest/${name}/status/TO_DO`);
    }
    await readAtH(dock, ['A']);
    await dock.must('POST', '/manifest/N/status/IN_PROGRESS');
    expect(await told(dock)).toEqual(['OPEN 1 of A']);
    await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
    expect(await told(dock)).toEqual(['RESOLVED 1 of A']);
  });

  it('resolves when each pallet was LOADED at its own gate, by scan or by hand', async () => {
    const dock = await loadingDock();
    await readAtH(dock, ['A', 'B', 'C']);
    await dock.scan('A');
    expect([await told(dock), await covered(dock)]).toEqual([['OPEN 3 of A'], ['B', 'C']]);
    // Only LOADED counts.
    await dock.scan('B', 'UNLOAD');
    const mark = (pallet: string, status: string) =>
      dock.must('PATCH', `/shipment/S/asset-loading/track/${pallet}/status`, { status, gateExternalId: 'G' });
    await mark('C', 'UNLOADED');
    expect(await covered(dock)).toEqual(['B', 'C']);
    await mark('C', 'LOADED');
    expect([await told(dock), await covered(dock)]).toEqual([['OPEN 3 of A'], ['B']]);
    await dock.scan('B');
    expect([await told(dock), await covered(dock)]).toEqual([['RESOLVED 3 of A'], []]);
  });

  it('a wrong pallet at another gate leaves it open', async () => {
    const dock = await loadingDock();
    await readAtH(dock, ['X']);
    expect((await dock.scan('X')).body.outcome).toBe('WRONGLY_LOADED');
    expect(await told(dock)).toEqual(['OPEN 1 of X']);
  });

  it('a reading that is counted while the last pallet is LOADED elsewhere is never lost', async () => {
    const dock = await loadingDock();
    await readAtH(dock, ['A', 'B']);
    const writer = writerOf(dock);
    await writer.execute(recordScans('G', dock.codes['B']!));
    await Promise.all([
      writer.execute(recordScans('G', dock.codes['A']!)),
      ...[101, 102, 103].map((code) => writer.execute(recordScans('H', code))),
    ]);
    expect(await told(dock)).toEqual(['RESOLVED 2 of A', 'OPEN 3 of 101']);
    expect(await covered(dock)).toEqual([101, 102, 103]);
  });
});
