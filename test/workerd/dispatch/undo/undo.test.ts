import { describe, expect, it } from 'vitest';
import { db } from '../../core/writer/requests.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Pages, pagesOf } from '../../web/console/forms.ts';
import { type Dock, newDock, recordUuidOf } from '../load/shipment/dock.ts';

/** Tables that show the state of loads, and columns that move forward with each change. */
const TABLES = {
  asset_loading: ['update_date'],
  alert: ['update_date'],
  alert_pallet: [],
  shipment_manifest: [],
  manifest: ['update_date', 'record_changes'],
  shipment: ['update_date'],
  shipment_figures: [],
  track: ['update_date'],
};

/** All rows of an organization that show the state of its loads. Members of a shipment are in their order. */
async function stateOf({ uuid }: Dock): Promise<Record<string, unknown[]>> {
  const state: Record<string, unknown[]> = {};
  for (const [table, moving] of Object.entries(TABLES)) {
    const order = table === 'shipment_manifest' ? 'rowid' : '2, 3';
    const { results } = await db
      .prepare(`SELECT * FROM ${table} WHERE organization_uuid = ? ORDER BY ${order}`)
      .bind(uuid)
      .all();
    state[table] = results.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !(moving as string[]).includes(column))),
    );
  }
  return state;
}

const pathOf = async (dock: Dock, kind: 'shipment' | 'manifest', name: string): Promise<string> =>
  `/app/${kind}/${(await dock.must('GET', `/${kind}/${name}`)).body.uuid}`;

const timelineOf = async (dock: Dock, pallet: string): Promise<string[]> =>
  (await dock.must('GET', `/track/${pallet}/activity?pageSize=100`)).body.content.map(
    ({ activityType, details }: { activityType: string; details: string | null }) =>
      `${activityType}${details === null ? '' : ` ${details}`}`,
  );

const auditOf = async (dock: Dock, count: number): Promise<string[]> =>
  (
    await dock.must('GET', `/audit-log?pageSize=${count}&sort.sortBy=sequenceNumber&sort.direction=DESC`)
  ).body.content.map(({ action }: { action: string }) => action);

/** Does an action of a page and takes it back. Both must change something, and the state must then be the one before. */
async function doAndUndo(
  dock: Dock,
  pages: Pages,
  path: string,
  action: string,
  fields: Record<string, string>,
  isAsked = false,
): Promise<void> {
  const before = await stateOf(dock);
  const done = isAsked ? await pages.agree(path, action, fields) : await pages.send(path, action, fields);
  expect([done.status, done.location]).toEqual([303, expect.stringContaining(`${path}?undo=`)]);
  expect(await stateOf(dock)).not.toEqual(before);
  const of = new URL(done.location!, 'http://x').searchParams.get('undo')!;
  const undone = await pages.send(path, 'undo', { of });
  expect([undone.status, undone.notice]).toEqual([303, 'Undone']);
  expect(await stateOf(dock)).toEqual(before);
  const again = await pages.send(path, 'undo', { of });
  expect([again.status, again.html.includes('can no longer be undone')]).toEqual([412, true]);
  expect(await stateOf(dock)).toEqual(before);
}

/** Shipments S at G and T at H, with A and B on S, and C and D on T. */
async function twoTrucks(starts: readonly string[]): Promise<{ dock: Dock; pages: Pages; path: string }> {
  const dock = await newDock();
  await dock.couple('A', 'B', 'C', 'D', 'X');
  await dock.manifest('M', 'A', 'B');
  await dock.manifest('N', 'C', 'D');
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  await dock.shipment('T', ['N'], { gateIdentifier: 'H' });
  for (const name of starts) await dock.must('POST', `/shipment/${name}/status/IN_PROGRESS`);
  return { dock, pages: pagesOf(await signIn(dock)), path: await pathOf(dock, 'shipment', 'S') };
}

const mark = (dock: Dock, load: string, pallet: string, status: string) =>
  dock.must('PATCH', `/${load}/asset-loading/track/${pallet}/status`, { status, gateExternalId: 'G' });

describe('undo at a desk', () => {
  it.each<[string, string[], (dock: Dock) => Promise<unknown>]>([
    ['before the truck is loaded', [], async () => {}],
    ['to load', ['S'], async () => {}],
    ['not loaded at another gate', ['S'], (dock) => mark(dock, 'shipment/S', 'A', 'NOT_LOADED')],
    [
      'unloaded',
      ['S'],
      async (dock) => {
        await dock.scan('A');
        await dock.scan('A', 'UNLOAD');
      },
    ],
    [
      'a wrong pallet of another truck',
      ['S', 'T'],
      (dock) =>
        dock.device('POST', '/gate/H/scan', { scanId: 's', markerCode: dock.codes['A'], direction: 'LOAD' }),
    ],
    [
      'loaded on another truck that expects it, too',
      ['S', 'T'],
      async (dock) => {
        await dock.must('PUT', '/manifest/N', { assets: ['C', 'D', 'A'] });
        await dock.device('POST', '/gate/H/scan', {
          scanId: 's',
          markerCode: dock.codes['A'],
          direction: 'LOAD',
        });
      },
    ],
    [
      'on a truck that was cancelled',
      ['S', 'T'],
      async (dock) => {
        await dock.must('PUT', '/manifest/N', { assets: ['C', 'D', 'A'] });
        for (const pallet of ['A', 'C'])
          await dock.device('POST', '/gate/H/scan', {
            scanId: pallet,
            markerCode: dock.codes[pallet],
            direction: 'LOAD',
          });
        await dock.must('POST', '/shipment/T/status/CANCELLED');
      },
    ],
    [
      'missing on a truck that has left',
      ['S'],
      async (dock) => {
        await dock.scan('B');
        await dock.must('POST', '/shipment/S/status/COMPLETED');
      },
    ],
    [
      'the last reading at a gate without work',
      ['T'],
      async (dock) => {
        await dock.scan('A');
      },
    ],
  ])('takes back Loaded of a pallet that was: %s', async (_, starts, prepare) => {
    const { dock, pages, path } = await twoTrucks(starts);
    await prepare(dock);
    const entries = (await timelineOf(dock, 'A')).length;
    await doAndUndo(dock, pages, path, 'load', { record: await recordUuidOf(dock, 'A') });
    // The timeline shows both, and the second says that the first did not happen.
    expect((await timelineOf(dock, 'A')).slice(0, -entries)).toEqual(
      expect.arrayContaining(['LOADED', 'NOT_LOADED taken back']),
    );
    expect(
      (await auditOf(dock, 3)).filter((action) => action === 'ASSET_LOADING_STATUS_CHANGED').length,
    ).toBeGreaterThan(0);
  });

  it.each(['IN_PROGRESS', 'COMPLETED'])(
    'takes back the removal of a wrong pallet and of an unknown marker from a truck that is %s',
    async (status) => {
      const { dock, pages, path } = await twoTrucks(['S']);
      await dock.scan('X');
      await dock.scan(1_999_999_999);
      if (status === 'COMPLETED') await dock.must('POST', '/shipment/S/status/COMPLETED');
      const { body } = await dock.must('GET', '/shipment/S/asset-loading');
      const wrong = body.filter(({ loadingStatus }: { loadingStatus: string }) =>
        /WRONG|UNKNOWN/.test(loadingStatus),
      );
      expect(wrong).toHaveLength(2);
      for (const { uuid } of wrong)
        await doAndUndo(dock, pages, path, 'removeRecord', { record: uuid }, status === 'COMPLETED');
    },
  );

  it('takes back Detach of a pallet, with its place, its status and its retirement', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B', 'C');
    await dock.manifest('M', 'A', 'B', 'C');
    await mark(dock, 'manifest/M', 'B', 'LOADED');
    await dock.must('PATCH', '/track/B/retire');
    expect((await dock.must('GET', '/track/B')).body.trackStatus).toBe('SCHEDULED_FOR_RETIREMENT');
    const pages = pagesOf(await signIn(dock));
    const path = await pathOf(dock, 'manifest', 'M');
    await doAndUndo(dock, pages, path, 'detach', { trackIdentifier: 'B' });
    const { body } = await dock.must('GET', '/manifest/M/asset-loading');
    expect(body.map((one: { trackIdentifier: string }) => one.trackIdentifier)).toEqual(['A', 'B', 'C']);
    expect((await timelineOf(dock, 'B')).slice(0, 2)).toEqual(['ATTACHED', 'REACTIVATED taken back']);
  });

  it('takes back Detach of a manifest, with its place, its gate and its marked pallets', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B', 'C');
    for (const [manifest, pallet] of [
      ['M', 'A'],
      ['N', 'B'],
      ['O', 'C'],
    ] as const)
      await dock.manifest(manifest, pallet);
    await dock.shipment('S', ['M', 'N', 'O'], { gateIdentifier: 'G' });
    await mark(dock, 'shipment/S', 'B', 'LOADED');
    const pages = pagesOf(await signIn(dock));
    const { uuid } = (await dock.must('GET', '/manifest/N')).body;
    await doAndUndo(dock, pages, await pathOf(dock, 'shipment', 'S'), 'detach', { manifestUuid: uuid });
    const { manifests } = (await dock.must('GET', '/shipment/S')).body;
    expect(manifests.map((one: { manifestExternalId: string }) => one.manifestExternalId)).toEqual([
      'M',
      'N',
      'O',
    ]);
  });

  it('offers no undo after a question, because a pallet may be aboard', async () => {
    const { dock, pages } = await twoTrucks(['S']);
    await dock.scan('A');
    const done = await pages.agree(await pathOf(dock, 'manifest', 'M'), 'detach', { trackIdentifier: 'A' });
    expect([done.status, done.location?.includes('undo')]).toEqual([303, false]);
  });

  it.each<[string, (dock: Dock) => Promise<unknown>]>([
    ['the pallet was read', (dock) => dock.scan('A', 'UNLOAD')],
    ['the truck has left', (dock) => dock.must('POST', '/shipment/S/status/COMPLETED')],
  ])('refuses to take back what was changed since: %s', async (_, change) => {
    const { dock, pages, path } = await twoTrucks(['S']);
    const done = await pages.send(path, 'load', { record: await recordUuidOf(dock, 'A') });
    await change(dock);
    const before = await stateOf(dock);
    const of = new URL(done.location!, 'http://x').searchParams.get('undo')!;
    expect((await pages.send(path, 'undo', { of })).status).toBe(412);
    expect(await stateOf(dock)).toEqual(before);
  });

  it('refuses to take back what another user has done', async () => {
    const { dock, pages, path } = await twoTrucks(['S']);
    const done = await pages.send(path, 'load', { record: await recordUuidOf(dock, 'A') });
    const of = new URL(done.location!, 'http://x').searchParams.get('undo')!;
    expect((await pagesOf(await signIn(dock)).send(path, 'undo', { of })).status).toBe(412);
  });
});
