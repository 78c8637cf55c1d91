import { expect, it } from 'vitest';
import type { Env } from '../../../src/core/env.ts';
import { ON_REQUEST } from '../../../src/core/writer/jobs.ts';
import { sweepOrphans } from '../../../src/dispatch/calibration/objects.ts';
import { platformBindings } from '../../platform/bindings.ts';
import { Invocation, within } from '../../platform/invocation.ts';
import { bindings } from '../access/database/places.ts';
import { named, numbered, planManifests } from '../dispatch/load/shipment/bulk.ts';
import { type Dock, newDock } from '../dispatch/load/shipment/dock.ts';
import { recorded } from '../statements.ts';
import { age, bodiesOf, bucket, got, keysOf, plan, retain, rowsOf, runOnce, shownOf } from './archives.ts';
import { killedAt } from './killing.ts';
import { HOUR_MS } from './whole.ts';

/** Cloudflare allows 1,000 statements in a run of an object, and its other jobs need some. */
const RUN_STATEMENTS = 500;
/** A run ends after 60 calls of D1, but first it finishes a document and saves how far it is. */
const RUN_CALLS = 70;
/** The runs for 300 manifests. */
const RUNS_MAXIMUM = 80;

/** A shipment of this many manifests of one pallet each, closed 100 days ago, and everything that is shown of it. */
async function world(manifestsCount: number) {
  const dock = await newDock({ retentionDays: 90 });
  const manifests = numbered('M', manifestsCount);
  await planManifests(
    dock,
    manifests.map((externalIdentifier) => ({ externalIdentifier, assets: [`of ${externalIdentifier}`] })),
  );
  await dock.must('POST', '/shipment', { identifier: 'S', gateIdentifier: 'G', ...named(manifests) });
  for (const status of ['IN_PROGRESS', 'COMPLETED']) await dock.must('POST', `/shipment/S/status/${status}`);
  await age(dock, 100);
  const names = ['shipment/S', 'manifest/M0', `manifest/M${manifestsCount - 1}`];
  const resources: [uuid: string, resource: string][] = [];
  for (const name of names) {
    const { uuid } = (await dock.must('GET', `/${name}`)).body;
    resources.push([uuid, await got(dock, `/${name}`)]);
  }
  const pages = await shownOf(dock, names);
  return { dock, pages, resources, loadsCount: manifestsCount + 1 };
}
type World = Awaited<ReturnType<typeof world>>;

/** Check that all loads of the unit are in the database or all in the archive, and that all pages are the same. */
async function expectWhole({ dock, pages, resources, loadsCount }: World): Promise<'living' | 'archived'> {
  const archivedCount = (await dock.must('GET', '/archive')).body.totalElements;
  const { manifest, shipment } = await rowsOf(dock, ['manifest', 'shipment']);
  expect([archivedCount, manifest! + shipment!]).toEqual(
    archivedCount === 0 ? [0, loadsCount] : [loadsCount, 0],
  );
  expect(await bodiesOf(pages.urls)).toEqual(pages.bodies);
  for (const [uuid, resource] of archivedCount === 0 ? [] : resources)
    expect(await got(dock, `/archive/${uuid}`)).toBe(resource);
  expect((await keysOf(dock)).lost).toEqual([]);
  return archivedCount === 0 ? 'living' : 'archived';
}

/** Check that the bucket has a document for each load and one object of records, and nothing else. */
async function expectNoOrphans({ dock, loadsCount }: World): Promise<void> {
  await sweepOrphans(bindings.DB, bucket, Date.now() + HOUR_MS + 1);
  const { keys, orphans } = await keysOf(dock);
  expect(orphans).toEqual([]);
  expect(keys).toHaveLength(loadsCount + 1);
}

/** Run retention once. Only the number of calls ends the run, so that it is the same on a slow machine. */
const longRun = (dock: Dock, env: Partial<Env> = {}) => runOnce(dock, env, Date.now() + HOUR_MS);

/** The number of documents that the bucket has of the unit. */
const documentsOf = async (dock: Dock): Promise<number> =>
  (await keysOf(dock)).keys.filter((key) => !key.includes('/copy-')).length;

it('retention archives a shipment of 300 manifests in many runs, each within the limits of the platform', async () => {
  const large = await world(300);
  const { dock } = large;
  await plan(dock);
  const runs: { calls: number; statements: number; end: string; documents: number }[] = [];
  for (let next: unknown; next !== ON_REQUEST; ) {
    const trips = await recorded(async () => {
      next = await within(new Invocation(), () => longRun(dock, platformBindings(bindings)));
    });
    const statements = trips.reduce((sum, trip) => sum + trip.statements.length + 1, 0);
    // Looking at everything takes long, so every fourth run is looked at.
    const end = runs.length % 4 === 0 ? await expectWhole(large) : '';
    // A run copies about ten documents, if it continues the copy of the run before.
    expect(runs.length).toBeLessThan(RUNS_MAXIMUM);
    runs.push({ calls: trips.length, statements, end, documents: await documentsOf(dock) });
  }
  expect(Math.max(...runs.map(({ calls }) => calls))).toBeLessThan(RUN_CALLS);
  expect(Math.max(...runs.map(({ statements }) => statements))).toBeLessThan(RUN_STATEMENTS);
  // No object was made twice.
  expect(runs.filter(({ end }) => end === 'living').length).toBeGreaterThan(2);
  expect(runs.at(-1)!.documents).toBe(large.loadsCount + 1);
  expect(await expectWhole(large)).toBe('archived');
  await expectNoOrphans(large);
}, 240_000);

/** The manifests of a shipment that takes two runs to copy. */
const OF_TWO_RUNS = 18;

/** Run retention once with calls that are recorded, or until it is killed. */
async function killedRun({ dock }: World, at: number, late: boolean) {
  const { env, calls, death } = killedAt(at, late);
  const run = longRun(dock, env).then((next) => next !== null && next !== ON_REQUEST);
  const ended = await Promise.race([run, death.then(() => 'killed' as const)]);
  return { ended, calls };
}

it.each([false, true])(
  'a copy that is killed between two runs starts again or continues, and is seen whole; late: %s',
  async (late) => {
    const { calls } = await (async () => {
      const once = await world(OF_TWO_RUNS);
      await plan(once.dock);
      return killedRun(once, Number.POSITIVE_INFINITY, false);
    })();
    // The last calls of the first run save the progress: reserve a key, put the object, look whether it arrived.
    expect(calls.slice(-3)).toEqual(['D1', 'put', 'head']);
    for (const at of [calls.length - 3, calls.length - 2, calls.length - 1, calls.length]) {
      const gone = await world(OF_TWO_RUNS);
      await plan(gone.dock);
      expect((await killedRun(gone, at, late)).ended).toBe('killed');
      expect(await expectWhole(gone)).toBe('living');
      // The next run continues or starts again. It is killed at its first calls, too.
      for (const again of [2, 3, 4, 5]) {
        expect((await killedRun(gone, again, late)).ended).toBe('killed');
        expect(await expectWhole(gone)).toBe('living');
      }
      await retain(gone.dock);
      expect(await expectWhole(gone)).toBe('archived');
      await expectNoOrphans(gone);
    }
  },
  240_000,
);

it('a copy starts again if the shipment has changed since, or if its objects are about to be deleted', async () => {
  const changes = [
    (dock: Dock) =>
      dock.must('PATCH', '/shipment/S/asset-loading/track/of%20M0/status', { status: 'LOADED' }),
    // The progress is younger than the first objects, so the sweep leaves it.
    async (dock: Dock) => {
      await bindings.DB.prepare(
        "UPDATE calibration_orphan SET create_date = 1 WHERE organization_uuid = ? AND object_key NOT LIKE '%/copy-%'",
      )
        .bind(dock.uuid)
        .run();
      await sweepOrphans(bindings.DB, bucket, Date.now());
    },
  ];
  for (const change of changes) {
    const gone = await world(OF_TWO_RUNS);
    await plan(gone.dock);
    await longRun(gone.dock);
    expect(await documentsOf(gone.dock)).toBeGreaterThan(5);
    await change(gone.dock);
    const pages = await shownOf(gone.dock, ['shipment/S', 'manifest/M0']);
    await retain(gone.dock);
    const archive = (await gone.dock.must('GET', '/archive')).body;
    expect(archive.totalElements).toBe(gone.loadsCount);
    expect(await bodiesOf(pages.urls)).toEqual(pages.bodies);
    await expectNoOrphans(gone);
  }
});
