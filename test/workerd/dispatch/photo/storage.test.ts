import { beforeEach, expect, it, vi } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { parseViews } from '../../../../src/core/lib/view.ts';
import { photoKey } from '../../../../src/dispatch/photo/rules.ts';
import { photosOfLoadQuery } from '../../../../src/dispatch/photo/store.ts';
import { JPEG, noisyJpeg } from '../../../images.ts';
import { setOpen } from '../../access/database/places.ts';
import { operator } from '../../client.ts';
import { age, keepFor, retain } from '../../retention/archives.ts';
import { ended, move } from '../../storage/move/moves.ts';
import { exportOf, importOf, wipe } from '../../storage/transfer/exports.ts';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';
import { addAtPage, addPhoto, bindings, bucket, objectsOf, open, photosOf } from './photos.ts';

let dock: Dock;
beforeEach(async () => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
  await setOpen('DB_1', true);
  dock = await loadingDock();
});

const add = async (reference: string) => (await addPhoto(dock, `kind=LOAD&${reference}`, JPEG)).body;

it('an export has photos with their bytes, and an import restores both and the link', async () => {
  const photo = await add('trackIdentifier=A');
  const exported = await exportOf(dock.uuid);
  await wipe(dock.uuid);
  await bucket.delete(photoKey(dock.uuid, photo.uuid));
  expect((await open(photo.link)).status).toBe(404);
  expect((await importOf(exported)).status).toBe('SUCCEEDED');
  const { status, bytes } = await open(photo.link);
  expect([status, Buffer.from(bytes)]).toEqual([200, JPEG]);
});

it('an export and a move keep the thumbnail of a photo', async () => {
  const thumbnail = noisyJpeg(400, 300, 4);
  const photo = await addAtPage(dock, ['shipment', 'S'], noisyJpeg(800, 600), thumbnail);
  const shown = async () => Buffer.from((await open(`${photo.link}?thumbnail=true`)).bytes);
  expect((await move(dock, 'DB_1')).status).toBe('SUCCEEDED');
  expect(await shown()).toEqual(thumbnail);
  const exported = await exportOf(dock.uuid);
  await wipe(dock.uuid);
  await bucket.delete(photoKey(dock.uuid, photo.uuid));
  expect((await importOf(exported)).status).toBe('SUCCEEDED');
  expect(await shown()).toEqual(thumbnail);
});

it('a moved organization has its photos and their links', async () => {
  const photo = await add('shipmentExternalId=S');
  expect((await move(dock, 'DB_1')).status).toBe('SUCCEEDED');
  expect(await photosOf(dock)).toEqual([photo]);
  expect((await open(photo.link)).status).toBe(200);
  expect((await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', JPEG)).status).toBe(201);
});

it('an erased organization leaves no photo', async () => {
  const photo = await add('trackIdentifier=A');
  await operator('POST', `/organization/${dock.uuid}/suspend`);
  const { body } = await operator('DELETE', `/organization/${dock.uuid}?slug=${dock.slug}`);
  expect((await ended(body.operationId)).status).toBe('SUCCEEDED');
  expect([await objectsOf(dock), (await open(photo.link)).status]).toEqual([[], 404]);
  const rows = await bindings.DB.prepare('SELECT * FROM photo WHERE organization_uuid = ?')
    .bind(dock.uuid)
    .all();
  expect(rows.results).toEqual([]);
});

it('photos stay with their names and links when their shipment, manifest and pallet move to the archive', async () => {
  const photos = [
    await add('shipmentExternalId=S'),
    await add('manifestExternalId=M'),
    await add('trackIdentifier=A'),
  ];
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  await dock.must('PATCH', '/track/A/retire?force=true');
  await keepFor(dock, 90);
  await age(dock, 100);
  await retain(dock);
  expect((await dock.call('GET', '/shipment/S')).status).toBe(404);
  expect((await dock.call('GET', '/track/A')).status).toBe(404);
  expect(await photosOf(dock)).toEqual(expect.arrayContaining(photos));
  expect(await photosOf(dock, '&trackIdentifier=A')).toEqual([photos[2]]);
  for (const { link } of photos) expect((await open(link)).status).toBe(200);
});

it('the photos of a load include the photos of its manifests and pallets, without wrong pallets', async () => {
  const own = await add('shipmentExternalId=S');
  const members = [await add('manifestExternalId=M'), await add('manifestExternalId=N')];
  const pallets = [await add('trackIdentifier=A'), await add('trackIdentifier=C')];
  await dock.manifest('OTHER', 'X');
  const others = [await add('trackIdentifier=X'), await add('manifestExternalId=OTHER')];
  await dock.scan('X');
  const database = new Database(dock.uuid, databasesOf(bindings));
  const of = async (kind: 'SHIPMENT' | 'MANIFEST', path: string, limit = 100) => {
    const { uuid } = (await dock.must('GET', path)).body;
    const { photos } = await database.ask({ photos: photosOfLoadQuery(database, { kind, uuid }, limit) });
    return parseViews(photos).map((photo) => photo.uuid);
  };
  const uuids = (photos: { uuid: string }[]) => photos.map(({ uuid }) => uuid);
  const whole = uuids([own, ...members, ...pallets]);
  expect(await of('SHIPMENT', '/shipment/S')).toEqual(whole);
  expect(await of('SHIPMENT', '/shipment/S', 2)).toEqual(whole.slice(0, 2));
  expect(await of('MANIFEST', '/manifest/M')).toEqual(uuids([members[0], pallets[0]]));
  expect(await of('MANIFEST', '/manifest/OTHER')).toEqual(uuids([others[0], others[1]]));
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  // The pallet is retired, and another one gets its id. The load keeps the photos of its own pallet.
  await dock.must('PATCH', '/track/A/retire?force=true');
  await dock.couple('A');
  await add('trackIdentifier=A');
  expect(await of('SHIPMENT', '/shipment/S')).toEqual(whole);
});
