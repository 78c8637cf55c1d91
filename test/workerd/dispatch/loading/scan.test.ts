import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { faultyD1, request, writerOf } from '../../core/writer/requests.ts';
import { type Dock, loadingDock, newDock } from '../load/shipment/dock.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const alerts = async (dock: Dock) => (await dock.must('GET', '/alert-event')).body.content;
const records = async (dock: Dock) => (await dock.must('GET', '/shipment/S/asset-loading')).body;
const rows = async (dock: Dock, table: string) =>
  (await db.prepare(`SELECT * FROM ${table} WHERE organization_uuid = ?1`).bind(dock.uuid).all()).results;

describe('a scan', () => {
  it('a command whose answer was lost gets the same answer from its scans, which are its only record', async () => {
    const dock = await loadingDock();
    const { A, X } = dock.codes as Record<string, number>;
    const scans = [A!, X!, 77].map((markerCode) => ({
      scanId: crypto.randomUUID(),
      markerCode,
      direction: 'LOAD',
      damaged: false,
      scanDate: null,
      cameraHardwareId: null,
    }));
    const sent = request('recordScans', { gateIdentifier: 'G', scans });
    const lost = writerOf(
      dock,
      faultyD1((batch) => (batch === 2 ? 'after' : null)),
    );
    const first = await lost.execute(sent);
    const again = await writerOf(dock).execute(sent);
    expect(first).toMatchObject({ kind: 'done' });
    // Two for the attempt with the lost answer, the others to find its effect.
    expect((first as { roundTrips: number }).roundTrips).toBeGreaterThan(2);
    expect(again).toMatchObject({ kind: 'done', body: (first as { body: string }).body });
    expect(await rows(dock, 'scan')).toHaveLength(3);
    const more = request('recordScans', { gateIdentifier: 'G', scans: [{ ...scans[0], scanId: 'more' }] });
    expect(await writerOf(dock).execute(more)).toMatchObject({ kind: 'done' });
    const stored = (await rows(dock, 'recent_answer')).map(({ command_id }) => command_id);
    expect(stored).not.toContain(more.commandId);
  });

  it('a scan loads and unloads a pallet of a manifest in progress at the gate', async () => {
    const dock = await loadingDock();
    const read = new Date(Date.now() - 60_000).toISOString();
    const scanDate = read.replace('Z', '+00:00');
    const loaded = await dock.scan('A', 'LOAD', { scanDate, cameraHardwareId: 'CAM-1' });
    expect(loaded.status).toBe(200);
    const [record] = await records(dock);
    expect(loaded.body).toEqual({
      scanId: expect.any(String),
      outcome: 'LOADED',
      recordUuid: record.recordUuid,
      manifestExternalId: 'M',
      trackIdentifier: 'A',
    });
    expect(record).toMatchObject({
      loadingStatus: 'LOADED',
      gate: { externalIdentifier: 'G' },
      loadingDate: read,
    });
    expect((await dock.must('GET', '/track/A')).body).toMatchObject({
      lastSeenDate: read,
      lastGate: { externalIdentifier: 'G' },
    });
    const unloaded = await dock.scan('A', 'UNLOAD');
    expect(unloaded.body).toMatchObject({ outcome: 'UNLOADED', recordUuid: record.recordUuid });
    const entries = (await dock.must('GET', '/track/A/activity')).body.content;
    expect(entries.map((entry: { activityType: string }) => entry.activityType).sort()).toEqual(
      ['ATTACHED', 'COUPLED', 'LOADED', 'UNLOADED'].sort(),
    );
    expect(await alerts(dock)).toEqual([]);
  });

  it('a scan loads a pallet in all manifests in progress there that expect it', async () => {
    const dock = await loadingDock();
    expect((await dock.scan('B')).body.outcome).toBe('LOADED');
    expect((await dock.must('GET', '/shipment/S')).body.loadedAssetsCount).toBe(2);
  });

  it('a scan of a foreign pallet adds one WRONGLY_LOADED record with an alert and counts nothing', async () => {
    const dock = await loadingDock();
    const first = await dock.scan('X');
    const again = await dock.scan('X');
    expect(first.body).toMatchObject({ outcome: 'WRONGLY_LOADED', trackIdentifier: 'X' });
    expect(again.body).toMatchObject({ outcome: 'WRONGLY_LOADED', recordUuid: first.body.recordUuid });
    const wrong = (await records(dock)).filter(
      (row: { loadingStatus: string }) => row.loadingStatus === 'WRONGLY_LOADED',
    );
    expect(wrong).toMatchObject([
      {
        recordUuid: first.body.recordUuid,
        trackIdentifier: 'X',
        markerCode: dock.codes['X'],
        track: { wmsId: 'X' },
      },
    ]);
    expect(await alerts(dock)).toMatchObject([
      {
        alertType: 'WRONGLY_LOADED',
        severity: 'CRITICAL',
        status: 'OPEN',
        gate: { externalIdentifier: 'G' },
        trackIdentifier: 'X',
        manifestExternalId: first.body.manifestExternalId,
        shipmentExternalId: 'S',
        recordUuid: first.body.recordUuid,
      },
    ]);
    expect((await dock.must('GET', '/shipment/S')).body).toMatchObject({
      tracksCount: 4,
      totalAssetsCount: 4,
      loadedAssetsCount: 0,
    });
    const gates = (await dock.must('GET', '/gate?sort.sortBy=createDate')).body.content;
    expect(gates[0]).toMatchObject({
      openAlertsCount: 1,
      activeShipmentExternalIds: ['S'],
      status: 'LOADING',
    });
    expect((await dock.must('GET', '/track/X')).body.manifests).toEqual([]);
    expect((await dock.must('GET', '/track/X/activity')).body.content[0]).toMatchObject({
      activityType: 'SEEN',
      details: 'WRONGLY_LOADED',
    });
  });

  it('a scan of an unknown marker adds UNKNOWN_LOADING to the manifest that was activated last', async () => {
    const dock = await loadingDock();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await dock.manifest('LATE', 'L');
    await dock.must('POST', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'LATE' }] });
    const { body } = await dock.scan(123);
    expect(body).toMatchObject({
      outcome: 'UNKNOWN_LOADING',
      manifestExternalId: 'LATE',
      trackIdentifier: null,
    });
    expect((await records(dock)).at(-1)).toMatchObject({
      recordUuid: body.recordUuid,
      trackIdentifier: null,
      markerCode: 123,
      track: null,
    });
  });

  it('a scan with nothing in progress raises an alert and adds no record', async () => {
    const dock = await loadingDock();
    const at = (markerCode: number, scanId: string) =>
      dock.device('POST', '/gate/H/scan', { scanId, markerCode, direction: 'LOAD' });
    const { body } = await at(dock.codes['A']!, 'h1');
    expect(body).toEqual({
      scanId: 'h1',
      outcome: 'NO_ACTIVE_MANIFEST',
      recordUuid: null,
      manifestExternalId: null,
      trackIdentifier: 'A',
    });
    await at(dock.codes['A']!, 'h2');
    await at(99, 'h3');
    const about = { alertType: 'SCAN_WITHOUT_ACTIVE_MANIFEST', severity: 'WARNING', recordUuid: null };
    expect(await alerts(dock)).toMatchObject([{ ...about, trackIdentifier: 'A', count: 2 }]);
    expect((await records(dock)).length).toBe(4);
    expect((await dock.must('GET', '/track/A')).body.lastGate.externalIdentifier).toBe('H');
  });

  it('an OFFLOAD scan after completion takes a pallet off the truck', async () => {
    const dock = await loadingDock();
    await dock.scan('A');
    await dock.scan('C');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const off = await dock.device('POST', '/gate/H/scan', {
      scanId: 'off',
      markerCode: dock.codes['A'],
      direction: 'OFFLOAD',
    });
    expect(off.body).toMatchObject({ outcome: 'OFFLOADED', manifestExternalId: 'M' });
    const row = (await records(dock)).find(
      (record: { trackIdentifier: string }) => record.trackIdentifier === 'A',
    );
    expect(row).toMatchObject({ loadingStatus: 'OFFLOADED', gate: { externalIdentifier: 'H' } });
    expect(row.loadingDate).not.toBeNull();
    expect((await dock.must('GET', '/shipment/S')).body.loadedAssetsCount).toBe(1);
    expect((await dock.scan('A', 'OFFLOAD')).body).toMatchObject({ outcome: 'OFFLOADED' });
    expect((await dock.scan('B', 'OFFLOAD')).body.outcome).toBe('NOT_LOADED');
    expect((await dock.scan('C', 'LOAD')).body.outcome).toBe('NO_ACTIVE_MANIFEST');
  });

  it('a scan with damage flags the pallet', async () => {
    const dock = await loadingDock();
    await dock.scan('A', 'LOAD', { damaged: true });
    expect((await dock.must('GET', '/track/A')).body).toMatchObject({
      damaged: true,
      trackStatus: 'FLAGGED',
    });
    await dock.scan('A', 'LOAD', { damaged: true });
    await dock.scan('A', 'LOAD', { damaged: false });
    const flags = (await dock.must('GET', '/track/A/activity')).body.content.filter(
      (entry: { activityType: string }) => entry.activityType === 'FLAGGED',
    );
    expect(flags).toHaveLength(1);
  });

  it.each([
    ['ten years ahead', () => '2036-01-01T00:00:00Z'],
    ['six minutes ahead', () => new Date(Date.now() + 360_000).toISOString()],
    ['31 days ago', () => new Date(Date.now() - 31 * 86_400_000).toISOString()],
    ['before 1970', () => '1969-12-31T23:59:59Z'],
  ])('a scan with a date %s has the time of receipt, and the timeline says so', async (_, date) => {
    const dock = await loadingDock();
    const before = Date.now();
    const { body } = await dock.scan('A', 'LOAD', { scanDate: date() });
    expect(body.outcome).toBe('LOADED');
    expect((await dock.scan('A', 'LOAD', { scanDate: date() })).body.outcome).toBe('LOADED');
    const entries = (await dock.must('GET', '/track/A/activity')).body.content;
    const note = 'the time of receipt, because the clock of the device is wrong';
    expect(
      entries
        .filter(({ activityType }: { activityType: string }) => ['LOADED', 'SEEN'].includes(activityType))
        .map(({ details }: { details: string }) => details)
        .sort(),
    ).toEqual([`LOADED; ${note}`, note]);
    for (const { activityDate } of entries)
      expect(Date.parse(activityDate)).toBeGreaterThanOrEqual(before - 5_000);
    expect((await records(dock))[0].loadingDate >= new Date(before).toISOString()).toBe(true);
  });

  it('a scan with a date up to five minutes ahead is now, and its timeline has no note', async () => {
    const dock = await loadingDock();
    const scanDate = new Date(Date.now() + 240_000).toISOString();
    expect((await dock.scan('A', 'LOAD', { scanDate })).body.outcome).toBe('LOADED');
    const entries = (await dock.must('GET', '/track/A/activity')).body.content;
    expect(
      entries.find(({ activityType }: { activityType: string }) => activityType === 'LOADED'),
    ).toMatchObject({ details: null });
    expect(Date.parse((await records(dock))[0].loadingDate)).toBeLessThanOrEqual(Date.now());
  });

  it('a late scan does not move a pallet back', async () => {
    const dock = await loadingDock();
    await dock.scan('A', 'LOAD');
    const { lastSeenDate } = (await dock.must('GET', '/track/A')).body;
    expect(Date.parse(lastSeenDate)).toBeLessThanOrEqual(Date.now());
    await dock.device('POST', '/gate/H/scan', {
      scanId: 'late',
      markerCode: dock.codes['A'],
      direction: 'LOAD',
      scanDate: new Date(Date.now() - 3_600_000).toISOString(),
    });
    expect((await dock.must('GET', '/track/A')).body).toMatchObject({
      lastSeenDate,
      lastGate: { externalIdentifier: 'G' },
    });
  });
});

describe('a batch', () => {
  const scanOf = (scanId: string, markerCode: number, direction = 'LOAD') => ({
    scanId,
    markerCode,
    direction,
  });

  it('a batch of scans is answered in order and is one commit', async () => {
    const dock = await loadingDock();
    const { A, B, X } = dock.codes as Record<string, number>;
    const scans = [
      scanOf('1', A!),
      scanOf('2', X!),
      scanOf('3', A!, 'UNLOAD'),
      scanOf('1', A!),
      scanOf('1', B!),
      scanOf('4', 9),
      scanOf('5', 9),
      scanOf('6', A!),
    ];
    const { status, body } = await dock.device('POST', '/gate/G/scans', { scans });
    expect(status).toBe(200);
    expect(body.results.map((result: { outcome: string }) => result.outcome)).toEqual([
      'LOADED',
      'WRONGLY_LOADED',
      'UNLOADED',
      'LOADED',
      'LOADED',
      'UNKNOWN_LOADING',
      'UNKNOWN_LOADING',
      'LOADED',
    ]);
    expect(body.results[3]).toEqual(body.results[0]);
    expect(body.results[4]).toMatchObject({ scanId: '1', trackIdentifier: 'B' });
    expect(body.results[6].recordUuid).toBe(body.results[5].recordUuid);
    expect((await records(dock))[0]).toMatchObject({ trackIdentifier: 'A', loadingStatus: 'LOADED' });
    expect(await rows(dock, 'scan')).toHaveLength(7);
    const again = await dock.device('POST', '/gate/G/scans', { scans });
    expect(again.body).toEqual(body);
    const actions = (await rows(dock, 'audit_log')).filter((row) => row['action'] === 'SCANS_RECORDED');
    expect(actions).toHaveLength(1);
  });

  it('a batch of a hundred scans costs as many round trips as one scan, and few rows for each', async () => {
    const dock = await newDock();
    const pallets = Array.from({ length: 100 }, (_, index) => `P${index}`);
    await dock.couple(...pallets);
    await dock.manifest('M', ...pallets);
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    const one = await dock.device('POST', '/gate/G/scan', scanOf('one', dock.codes['P0']!));
    const scans = pallets.map((wmsId) => scanOf(`all-${wmsId}`, dock.codes[wmsId]!));
    const all = await dock.device('POST', '/gate/G/scans', { scans });
    expect(all.body.results).toHaveLength(100);
    const trips = (answer: typeof one) =>
      /d1;desc="(\d+) round/.exec(answer.headers.get('Server-Timing')!)?.[1];
    // The first scan also reads the gate, which the writer then remembers.
    expect([trips(one), trips(all)]).toEqual(['2', '1']);
    const [, read, written] = /(\d+) rows read, (\d+) rows written/.exec(all.headers.get('Server-Timing')!)!;
    expect(Number(read)).toBeLessThan(9_000);
    expect(Number(written)).toBeLessThanOrEqual(1_210);
    expect((await dock.must('GET', '/shipment/S')).body.loadedAssetsCount).toBe(100);
  });

  it('a batch of scans costs no more rows beside many invalid records', async () => {
    const dock = await loadingDock();
    const rowsOf = async (markerCode: number) => {
      const { headers } = await dock.scan(markerCode);
      return Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1]);
    };
    const early = await rowsOf(7);
    for (const hundred of [1, 2, 3]) {
      const scans = Array.from({ length: 100 }, (_, index) =>
        scanOf(`${hundred}-${index}`, hundred * 100 + index),
      );
      await dock.device('POST', '/gate/G/scans', { scans });
    }
    expect(await rowsOf(8)).toBeLessThan(early + 10);
  });

  it.each([
    ['none', { scans: [] }],
    ['101', { scans: Array.from({ length: 101 }, (_, index) => scanOf(`s${index}`, 5)) }],
    ['one that is wrong', { scans: [scanOf('fine', 5), scanOf('', 5)] }],
    ['a code that is none', { scans: [scanOf('s', 0)] }],
    ['another direction', { scans: [scanOf('s', 5, 'SIDEWAYS')] }],
    ['a field nobody knows', { scans: [{ ...scanOf('s', 5), gate: 'G' }] }],
    ['a date that is none', { scans: [{ ...scanOf('s', 5), scanDate: 'yesterday' }] }],
    ['a date of no year', { scans: [{ ...scanOf('s', 5), scanDate: '0000-01-01T00:00:00+14:00' }] }],
  ])('a batch of scans with %s is refused and changes nothing', async (_, body) => {
    const dock = await loadingDock();
    const before = await rows(dock, 'audit_log');
    const answer = await dock.device('POST', '/gate/G/scans', body);
    expect(answer.status).toBe(400);
    expect([await rows(dock, 'scan'), await rows(dock, 'audit_log')]).toEqual([[], before]);
  });
});

it('a scan needs a token with its scope, and a gate', async () => {
  const dock = await loadingDock();
  const scan = { scanId: 's', markerCode: 5, direction: 'LOAD' };
  const missing = await dock.device('POST', '/gate/NO/scan', scan);
  expect([missing.status, missing.body.code]).toEqual([404, 'gateNotFound']);
  const other = await newDock();
  const beside = (key: string) => dock.device('POST', '/gate/G/scan', scan, { 'X-AUTH-KEY': key });
  expect((await beside(other.key)).status).toBe(401);
  expect((await beside('wdk_test_nonsense')).status).toBe(401);
  expect((await beside(dock.key)).status).toBe(200);
  const gate = (await dock.must('GET', '/gate?sort.sortBy=createDate')).body.content[0];
  expect((await dock.device('POST', `/gate/${gate.uuid}/scan`, scan)).status).toBe(200);
});
