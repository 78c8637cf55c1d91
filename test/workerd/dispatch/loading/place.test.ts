import { describe, expect, it } from 'vitest';
import type { Answer } from '../../client.ts';
import { type Dock, loadingDock, newDock, recordUuidOf } from '../load/shipment/dock.ts';

const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;
const by = (...ids: string[]) => ({ manifests: ids.map((manifestExternalId) => ({ manifestExternalId })) });

/** The records of a shipment or manifest as `pallet status on manifest`, sorted. */
const recordsOf = async (dock: Dock, load: string): Promise<string[]> =>
  (await read(dock, `/${load}/asset-loading`))
    .map(
      ({ trackIdentifier, markerCode, loadingStatus, manifest }: Answer['body']) =>
        `${trackIdentifier ?? markerCode} ${loadingStatus} on ${manifest.manifestExternalId}`,
    )
    .toSorted();

/** The open alerts about pallets, as `type pallet`. */
const openAlerts = async (dock: Dock): Promise<string[]> =>
  (await read(dock, '/alert-event?status=OPEN')).content
    .map(({ alertType, trackIdentifier }: Answer['body']) => `${alertType} ${trackIdentifier}`)
    .toSorted();

const timelineOf = async (dock: Dock, pallet: string): Promise<string[]> =>
  (await read(dock, `/track/${pallet}/activity?pageSize=100`)).content.map(
    ({ activityType, details }: Answer['body']) => `${activityType}${details === null ? '' : ` ${details}`}`,
  );

const scanAt = (dock: Dock, gate: string, pallet: string, direction = 'LOAD') =>
  dock.device('POST', `/gate/${gate}/scan`, {
    scanId: `${gate} ${pallet} ${direction} ${Math.random()}`,
    markerCode: dock.codes[pallet],
    direction,
  });

/** Shipment S at G with A and B on M, and C on N. A is aboard. */
async function halfLoaded(): Promise<Dock> {
  const dock = await newDock();
  await dock.couple('A', 'B', 'C', 'X');
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('N', 'C');
  await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  expect((await dock.scan('A')).body.outcome).toBe('LOADED');
  return dock;
}

describe('a pallet that is aboard when the paper changes', () => {
  const stays = ['B NOT_LOADED on M', 'C NOT_LOADED on N'];

  it.each<[string, string, string, object | undefined, string[]]>([
    ['PUT of the assets', 'PUT', '/manifest/M', { assets: ['B'] }, ['A WRONGLY_LOADED on M', ...stays]],
    [
      'DELETE of a track record',
      'DELETE',
      '/manifest/M/track-record/A',
      undefined,
      ['A WRONGLY_LOADED on M', ...stays],
    ],
    ['detach', 'DELETE', '/shipment/S/manifest', by('M'), ['A WRONGLY_LOADED on N', 'C NOT_LOADED on N']],
    ['PUT of the manifests', 'PUT', '/shipment/S', by('N'), ['A WRONGLY_LOADED on N', 'C NOT_LOADED on N']],
    [
      'a cancelled manifest',
      'POST',
      '/manifest/M/status/CANCELLED',
      undefined,
      ['A NOT_LOADED on M', 'A WRONGLY_LOADED on N', 'B NOT_LOADED on M', 'C NOT_LOADED on N'],
    ],
  ])('%s keeps it as a wrong pallet, until it is taken off', async (_, method, path, body, records) => {
    const dock = await halfLoaded();
    await dock.must(method, path, body);
    expect(await recordsOf(dock, 'shipment/S')).toEqual(records.toSorted());
    expect(await openAlerts(dock)).toEqual(['WRONGLY_LOADED A']);
    expect(await timelineOf(dock, 'A')).toContain(
      'DETACHED still on the truck, but its load does not have it any more',
    );
    const off = await dock.scan('A', 'UNLOAD');
    expect(off.body.outcome).toBe('UNLOADED');
    expect(await openAlerts(dock)).toEqual([]);
    expect(await recordsOf(dock, 'shipment/S')).toEqual(
      records.filter((record) => !record.includes('WRONGLY')).toSorted(),
    );
  });

  it.each([
    ['releases its manifests', 'POST', '/shipment/S/status/CANCELLED?manifests=RELEASE'],
    ['is deleted', 'DELETE', '/shipment/S'],
  ])('the next truck starts at 0 after a shipment that %s', async (_, method, path) => {
    const dock = await halfLoaded();
    await dock.must(method, path);
    expect(await recordsOf(dock, 'manifest/M')).toEqual(['A NOT_LOADED on M', 'B NOT_LOADED on M']);
    await dock.shipment('T', ['M'], { gateIdentifier: 'H' });
    await dock.must('POST', '/shipment/T/status/IN_PROGRESS');
    expect(await read(dock, '/manifest/M')).toMatchObject({ loadedAssetsCount: 0 });
    expect((await scanAt(dock, 'H', 'A')).body.outcome).toBe('LOADED');
    expect(await read(dock, '/shipment/T/asset-loading')).toMatchObject([
      { trackIdentifier: 'A', gate: { externalIdentifier: 'H' } },
      { loadingStatus: 'NOT_LOADED' },
    ]);
  });

  it('a load that is cancelled as a whole keeps its records, and an UNLOAD at its gate takes a pallet off', async () => {
    const dock = await halfLoaded();
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect(await recordsOf(dock, 'shipment/S')).toContain('A LOADED on M');
    expect((await dock.scan('A', 'UNLOAD')).body.outcome).toBe('UNLOADED');
    expect(await recordsOf(dock, 'shipment/S')).toContain('A UNLOADED on M');
  });

  it('the alert about pallets aboard a cancelled manifest outlives the manifest', async () => {
    const dock = await newDock();
    await dock.couple('A');
    const manifest = { externalIdentifier: 'M', manifestStatus: 'TO_DO', gateExternalId: 'G', assets: ['A'] };
    await dock.must('POST', '/manifest', manifest);
    await dock.must('POST', '/manifest/M/status/IN_PROGRESS');
    await dock.scan('A');
    await dock.must('POST', '/manifest/M/status/CANCELLED');
    expect(await openAlerts(dock)).toEqual(['PALLETS_ABOARD null']);
    await dock.must('DELETE', '/manifest/M');
    expect(await openAlerts(dock)).toEqual(['PALLETS_ABOARD null']);
    await dock.scan('A', 'UNLOAD');
    expect(await openAlerts(dock)).toEqual([]);
  });

  it('a pallet that another order of the load has stays LOADED', async () => {
    const dock = await loadingDock();
    await dock.scan('B');
    await dock.must('DELETE', '/manifest/M/track-record/B');
    expect(await recordsOf(dock, 'shipment/S')).toContain('B LOADED on N');
    expect(await openAlerts(dock)).toEqual([]);
  });

  it('an order that leaves the truck leaves its wrong pallet to the other order', async () => {
    const dock = await halfLoaded();
    const { recordUuid, manifestExternalId } = (await dock.scan('X')).body;
    const other = manifestExternalId === 'M' ? 'N' : 'M';
    await dock.must('DELETE', '/shipment/S/manifest', by(manifestExternalId));
    const records = await read(dock, '/shipment/S/asset-loading');
    expect(records).toContainEqual(
      expect.objectContaining({
        recordUuid,
        manifest: expect.objectContaining({ manifestExternalId: other }),
      }),
    );
    expect(await openAlerts(dock)).toContain('WRONGLY_LOADED X');
  });
});

describe('a pallet that is added to the load that has it', () => {
  it.each<[string, string, string, object | undefined]>([
    ['POST of a track record', 'POST', '/manifest/M/track-record/X', undefined],
    ['PUT of the assets', 'PUT', '/manifest/M', { assets: ['A', 'B', 'X'] }],
    ['attach of its order', 'POST', '/shipment/S/manifest', by('O')],
    ['PUT of the manifests', 'PUT', '/shipment/S', by('M', 'N', 'O')],
  ])('%s makes a wrong pallet right', async (_, method, path, body) => {
    const dock = await halfLoaded();
    await dock.manifest('O', 'X');
    await dock.scan('X');
    expect(await openAlerts(dock)).toEqual(['WRONGLY_LOADED X']);
    await dock.must(method, path, body);
    expect(await openAlerts(dock)).toEqual([]);
    const records = await recordsOf(dock, 'shipment/S');
    expect(records.filter((record) => record.startsWith('X'))).toEqual([
      `X LOADED on ${path.includes('shipment') ? 'O' : 'M'}`,
    ]);
    expect((await dock.scan('X')).body.outcome).toBe('LOADED');
    expect(await recordsOf(dock, 'shipment/S')).toEqual(records);
  });
});

/** S with A at G, and T with B at H, both in progress. */
async function twoGates(): Promise<Dock> {
  const dock = await newDock();
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A');
  await dock.manifest('N', 'B');
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  await dock.shipment('T', ['N'], { gateIdentifier: 'H' });
  for (const id of ['S', 'T']) await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
  return dock;
}

describe('a pallet that is read at two gates', () => {
  it('a pallet is on its own truck after a reading at the gate of the neighbour', async () => {
    const dock = await twoGates();
    expect((await scanAt(dock, 'H', 'A')).body.outcome).toBe('WRONGLY_LOADED');
    expect((await scanAt(dock, 'G', 'A')).body.outcome).toBe('LOADED');
    expect(await recordsOf(dock, 'shipment/S')).toEqual(['A LOADED on M']);
    expect(await recordsOf(dock, 'shipment/T')).toEqual(['B NOT_LOADED on N']);
    expect(await openAlerts(dock)).toEqual([]);
    expect(await timelineOf(dock, 'A')).toContain('UNLOADED WRONGLY_LOADED');
  });

  it('a pallet is in doubt after a later reading at the gate of the neighbour, until one of both gates reads it', async () => {
    const dock = await twoGates();
    await scanAt(dock, 'G', 'A');
    await scanAt(dock, 'H', 'A');
    expect(await recordsOf(dock, 'shipment/S')).toEqual(['A LOADED on M']);
    const [alert] = (await read(dock, '/alert-event?status=OPEN')).content;
    expect(alert.message).toContain('S (G)');
    expect(alert.gate.externalIdentifier).toBe('H');
    await scanAt(dock, 'H', 'A', 'UNLOAD');
    expect(await openAlerts(dock)).toEqual([]);
    expect(await recordsOf(dock, 'shipment/S')).toEqual(['A LOADED on M']);
  });

  it('a wrong pallet is corrected on a truck that has left with it as a wrong pallet', async () => {
    const dock = await twoGates();
    await scanAt(dock, 'H', 'A');
    await scanAt(dock, 'H', 'B');
    await dock.must('POST', '/shipment/T/status/COMPLETED');
    await scanAt(dock, 'G', 'A');
    expect(await recordsOf(dock, 'shipment/T')).toEqual(['B LOADED on N']);
    const { content } = await read(dock, '/audit-log?action=UNAUTHORIZED_LOADING_RESOLVED');
    expect(content[0].changes).toContainEqual({ field: 'afterClose', oldValue: null, newValue: true });
  });

  it('a pallet is LOADED on one truck only, where it was read last', async () => {
    const dock = await newDock();
    await dock.couple('A');
    for (const [id, gate] of [
      ['S', 'G'],
      ['T', 'H'],
    ] as const) {
      await dock.manifest(`of ${id}`, 'A');
      await dock.shipment(id, [`of ${id}`], { gateIdentifier: gate });
      await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
    }
    await scanAt(dock, 'G', 'A');
    await scanAt(dock, 'H', 'A');
    expect(await recordsOf(dock, 'shipment/S')).toEqual(['A UNLOADED on of S']);
    expect(await recordsOf(dock, 'shipment/T')).toEqual(['A LOADED on of T']);
    expect(await timelineOf(dock, 'A')).toContain('UNLOADED read on another truck since');
    const record = await recordUuidOf(dock, 'A', 'of S');
    await dock.must('PATCH', `/shipment/S/asset-loading/${record}/status`, { status: 'LOADED' });
    expect(await recordsOf(dock, 'shipment/T')).toEqual(['A UNLOADED on of T']);
  });
});

describe('a pallet with two labels', () => {
  it('the label of its retired track means the pallet', async () => {
    const dock = await newDock();
    await dock.couple('A');
    const old = dock.codes['A']!;
    await dock.manifest('M', 'A');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.must('PATCH', '/track/A/retire?force=true');
    await dock.couple('A');
    expect((await dock.scan('A')).body.outcome).toBe('LOADED');
    const again = (await dock.scan(old)).body;
    expect([again.outcome, again.trackIdentifier]).toEqual(['LOADED', 'A']);
    expect((await dock.scan(old, 'UNLOAD')).body.outcome).toBe('UNLOADED');
    expect(await openAlerts(dock)).toEqual([]);
    expect(await recordsOf(dock, 'shipment/S')).toEqual(['A UNLOADED on M']);
  });
});
