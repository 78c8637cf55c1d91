import { beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../delivery/live/listener.ts';
import type { Dock } from '../dispatch/load/shipment/dock.ts';
import { pagesOf } from '../web/console/forms.ts';
import { bodiesOf, got, keysOf, longGone, resolveAlerts, retain, rowsOf, shownOf } from './archives.ts';

const TABLES = [
  'shipment',
  'manifest',
  'shipment_manifest',
  'asset_loading',
  'loading_correction',
  'custom_field',
  'track',
  'pallet_activity',
  'track_comment',
];

describe('a shipment that was closed long ago', () => {
  let dock: Dock;
  let before: Awaited<ReturnType<typeof shownOf>>;
  let uuids: Record<string, string>;
  let resources: Record<string, string>;
  beforeAll(async () => {
    dock = await longGone();
    await resolveAlerts(dock);
    before = await shownOf(dock);
    uuids = {};
    resources = {};
    for (const path of ['/shipment/S', '/manifest/M', '/manifest/N', '/manifest/O']) {
      uuids[path] = (await dock.must('GET', path)).body.uuid;
      resources[path] = await got(dock, path);
    }
    await retain(dock);
  });

  it('an archived shipment has the same public pages, documents and data, byte for byte', async () => {
    expect(await bodiesOf(before.urls)).toEqual(before.bodies);
  });

  it('the archive shows a shipment and its manifests as their GET did', async () => {
    for (const [path, uuid] of Object.entries(uuids)) {
      expect(await got(dock, `/archive/${uuid}`)).toBe(resources[path]);
    }
  });

  it('an archived shipment and its own pallets are no longer in the database', async () => {
    // D is not retired.
    expect(await rowsOf(dock, TABLES)).toEqual({
      shipment: 0,
      manifest: 0,
      shipment_manifest: 0,
      asset_loading: 0,
      loading_correction: 0,
      custom_field: 0,
      track: 1,
      pallet_activity: expect.any(Number),
      track_comment: 0,
    });
    expect(await keysOf(dock)).toMatchObject({ orphans: [], lost: [] });
  });

  it('an archived shipment and its manifests are shared as before, also by their former address', async () => {
    const pages = pagesOf(await signIn(dock));
    for (const [path, uuid] of Object.entries(uuids)) {
      const [, link] = /"shipmentSummaryUrl":"([^"]+)"/.exec(resources[path]!) ?? [];
      const isOffered = (await pages.get(`/app/archive/${uuid}`)).html.includes(
        `/app/archive/${uuid}/share"`,
      );
      expect([path, isOffered]).toEqual([path, link !== undefined]);
      const { html } = await pages.get(`/app/archive/${uuid}/share?language=de`);
      if (link === undefined) {
        expect([path, html.includes('The public page is available after loading is completed.')]).toEqual([
          path,
          true,
        ]);
        continue;
      }
      expect(html).toContain(`<code>${link}?language=de</code>`);
      expect(html).toContain(path.startsWith('/shipment') ? 'Sendung S' : 'Ladeliste');
      const former = await pages.get(`/app${path.replace(/[^/]+$/, uuid)}/share`);
      expect([path, former.status, former.location]).toEqual([path, 303, `/app/archive/${uuid}/share`]);
    }
    expect((await pages.get(`/app/archive/${crypto.randomUUID()}/share`)).status).toBe(404);
  });

  it('the archive lists an archived shipment', async () => {
    const { body } = await dock.must('GET', '/archive');
    expect(body.totalElements).toBe(4);
    expect(
      body.content.map((entry: { externalIdentifier: string }) => entry.externalIdentifier).sort(),
    ).toEqual(['M', 'N', 'O', 'S']);
    for (const [path, uuid] of Object.entries(uuids)) {
      const entry = body.content.find((one: { uuid: string }) => one.uuid === uuid);
      expect([path, entry.updateDate]).toEqual([path, /"updateDate":"([^"]+)"/.exec(resources[path]!)![1]]);
    }
    expect((await dock.must('GET', '/shipment')).body.totalElements).toBe(0);
    expect((await dock.must('GET', '/manifest')).body.totalElements).toBe(0);
    expect((await dock.must('GET', '/track')).body.totalElements).toBe(1);
  });
});
