import { expect } from 'vitest';
import { sweepOrphans } from '../../../src/dispatch/calibration/objects.ts';
import { bindings } from '../access/database/places.ts';
import type { Dock } from '../dispatch/load/shipment/dock.ts';
import {
  bodiesOf,
  bucket,
  got,
  keysOf,
  longGone,
  resolveAlerts,
  retain,
  rowsOf,
  shownOf,
} from './archives.ts';

export const HOUR_MS = 3_600_000;
const PATHS = ['/shipment/S', '/manifest/M', '/manifest/N', '/manifest/O'];

/** A shipment that will be archived, with everything that is shown of it now. */
export async function world() {
  const dock = await longGone();
  await resolveAlerts(dock);
  const pages = await shownOf(dock);
  const resources: Record<string, string> = {};
  for (const path of PATHS) {
    const { uuid } = (await dock.must('GET', path)).body;
    resources[uuid] = await got(dock, path);
  }
  return { dock, pages, resources };
}
export type World = Awaited<ReturnType<typeof world>>;

/**
 * Check what must be true at every moment: everything is shown once and unchanged, from the database or the
 * archive. Lists count what they show.
 */
export async function expectAllThere({ dock, pages, resources }: World): Promise<'living' | 'archived'> {
  expect(await bodiesOf(pages.urls)).toEqual(pages.bodies);
  const archive = (await dock.must('GET', '/archive')).body;
  const living = { shipment: await listOf(dock, '/shipment'), manifest: await listOf(dock, '/manifest') };
  const all = [...archive.content, ...living.shipment.content, ...living.manifest.content].map(
    ({ uuid }) => uuid,
  );
  expect(all.sort()).toEqual(Object.keys(resources).sort());
  expect([archive, living.shipment, living.manifest].map(({ totalElements }) => totalElements)).toEqual(
    [archive, living.shipment, living.manifest].map(({ content }) => content.length),
  );
  for (const { uuid } of archive.content) expect(await got(dock, `/archive/${uuid}`)).toBe(resources[uuid]);
  for (const { uuid } of living.shipment.content)
    expect(await got(dock, `/shipment/${uuid}`)).toBe(resources[uuid]);
  for (const { uuid } of living.manifest.content)
    expect(await got(dock, `/manifest/${uuid}`)).toBe(resources[uuid]);
  // All four loads are archived together.
  expect([0, 4]).toContain(archive.content.length);
  const tracks = await listOf(dock, '/track');
  expect(tracks.totalElements).toBe(tracks.content.length);
  expect((await keysOf(dock)).lost).toEqual([]);
  return archive.content.length === 0 ? 'living' : 'archived';
}

const listOf = async (dock: Dock, path: string) =>
  (await dock.must('GET', `${path}?pageSize=100&includeDeleted=true`)).body;

/** Run the job to its end. Then nothing is left over, and each archived pallet is in the bucket once. */
export async function expectDone(gone: World): Promise<void> {
  const { dock } = gone;
  await retain(dock);
  expect(await expectAllThere(gone)).toBe('archived');
  expect(
    await rowsOf(dock, ['manifest', 'shipment', 'asset_loading', 'loading_correction', 'track']),
  ).toEqual({
    manifest: 0,
    shipment: 0,
    asset_loading: 0,
    loading_correction: 0,
    track: 1,
  });
  await sweepOrphans(bindings.DB, bucket, Date.now() + HOUR_MS + 1);
  const { keys, orphans } = await keysOf(dock);
  expect(orphans).toEqual([]);
  const kept: string[] = [];
  for (const key of keys) {
    const { rows } = JSON.parse(await (await bucket.get(key))!.text());
    kept.push(...(rows.track ?? []).map((row: { wms_id: string }) => row.wms_id));
  }
  expect(kept.sort()).toEqual(['A', 'B', 'C', 'E', 'X']);
  expect(await rowsOf(dock, ['archived_marker'])).toEqual({ archived_marker: 5 });
}
