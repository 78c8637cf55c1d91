import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeEach, expect, it, vi } from 'vitest';
import { app } from '../../../../src/app.ts';
import type { Env } from '../../../../src/core/env.ts';
import { sweepOrphans } from '../../../../src/dispatch/calibration/objects.ts';
import { photoKey } from '../../../../src/dispatch/photo/rules.ts';
import { JPEG, png } from '../../../images.ts';
import { API, ORIGIN } from '../../client.ts';
import { request, writerOf } from '../../core/writer/requests.ts';
import { bucketWith, HOUR_MS } from '../calibration/files.ts';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';
import { addPhoto, bindings, bucket, objectsOf, open, orphansOf, photosOf, sha256 } from './photos.ts';

let dock: Dock;
beforeEach(async () => {
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
  dock = await loadingDock();
});

const QUERY = 'kind=LOAD&trackIdentifier=A';
const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

/** Sends a photo through a Worker with another bucket. */
async function addWith(CALIBRATION: R2Bucket, headers: Record<string, string> = {}): Promise<Response> {
  const context = createExecutionContext();
  const sent = new Request(`${ORIGIN}${API}/photo?${QUERY}`, {
    method: 'POST',
    headers: { 'X-AUTH-KEY': dock.key, 'Content-Type': 'image/jpeg', ...headers },
    body: Uint8Array.from(JPEG),
  });
  const answer = await app.fetch(sent, { ...bindings, CALIBRATION } as Env, context);
  await waitOnExecutionContext(context);
  return answer;
}

const sweep = (later: number) => sweepOrphans(bindings.DB, bucket, Date.now() + later);

it('stores a photo once that is sent ten times at once and again later with one key', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => addPhoto(dock, QUERY, JPEG, keyed('k1'))),
  );
  answers.push(await addPhoto(dock, QUERY, JPEG, keyed('k1')));
  const [{ body }] = answers as [(typeof answers)[0]];
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([201, body]);
  expect(answers.at(-1)!.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await photosOf(dock)).toEqual([body]);
  expect(await objectsOf(dock)).toEqual([photoKey(dock.uuid, body.uuid)]);
  expect(await orphansOf(dock)).toEqual([]);
  expect((await open(body.link)).status).toBe(200);
});

it('refuses other bytes or another reference with a used key, and leaves nothing of them', async () => {
  const { body } = await addPhoto(dock, QUERY, JPEG, keyed('k2'));
  const bytes = await addPhoto(dock, QUERY, png(), { ...keyed('k2'), type: 'image/png' });
  const reference = await addPhoto(dock, 'kind=LOAD&trackIdentifier=B', JPEG, keyed('k2'));
  for (const answer of [bytes, reference]) {
    expect([answer.status, answer.body.code]).toEqual([422, 'idempotencyKeyReused']);
  }
  expect(await photosOf(dock)).toEqual([body]);
  expect([await objectsOf(dock), await orphansOf(dock)]).toEqual([[photoKey(dock.uuid, body.uuid)], []]);
});

it('gives the photo of a lost answer to the retry', async () => {
  // The first answer is lost on the way: the client does not see it, and sends the photo again.
  await addWith(bucket, { 'Idempotency-Key': 'k3' });
  const { status, body } = await addPhoto(dock, QUERY, JPEG, keyed('k3'));
  expect(status).toBe(201);
  expect(await photosOf(dock)).toEqual([body]);
  expect(await objectsOf(dock)).toHaveLength(1);
});

it('adds no row if the bucket does not take the object, and the retry adds the photo', async () => {
  const died = bucketWith({ put: () => Promise.reject(new Error('the bucket is gone')) });
  const failed = await addWith(died, { 'Idempotency-Key': 'k4' });
  expect([failed.status, ((await failed.json()) as { code: string }).code]).toEqual([
    503,
    'temporarilyUnavailable',
  ]);
  expect([await photosOf(dock), await objectsOf(dock)]).toEqual([[], []]);
  expect((await addPhoto(dock, QUERY, JPEG, keyed('k4'))).status).toBe(201);
  expect(await photosOf(dock)).toHaveLength(1);
});

it('leaves an object without a row to the sweep, after an hour', async () => {
  const died = bucketWith({
    async put(...args: Parameters<R2Bucket['put']>) {
      await bucket.put(...args);
      throw new Error('the process ended here');
    },
    delete: () => Promise.reject(new Error('the process ended here')),
  });
  await addWith(died);
  const [key] = await objectsOf(dock);
  expect([await photosOf(dock), await orphansOf(dock)]).toEqual([[], [key]]);
  await bindings.DB.exec('UPDATE calibration_orphan SET claimed_date = NULL');
  expect(await sweep(HOUR_MS - 60_000)).toBe(0);
  expect(await sweep(HOUR_MS + 60_000)).toBe(1);
  expect([await objectsOf(dock), await orphansOf(dock)]).toEqual([[], []]);
});

it('adds no photo of an object that the sweep has claimed', async () => {
  const uuid = '01936c9d-2c80-7000-8000-000000000017';
  const objectKey = photoKey(dock.uuid, uuid);
  const image = {
    ...{ contentType: 'image/jpeg', sizeBytes: 1, thumbnailBytes: 0, sha256: sha256(JPEG) },
    ...{ width: 1, height: 1 },
  };
  const facts = {
    kind: 'LOAD',
    reference: { type: 'TRACK', identifier: 'A' },
    takenDate: null,
    gateIdentifier: null,
  };
  const add = () => writerOf(dock).execute(request('addPhoto', { ...facts, uuid, image }));
  await bindings.DB.prepare('INSERT INTO calibration_orphan VALUES (?, ?, 1, 2)')
    .bind(dock.uuid, objectKey)
    .run();
  const detail = 'The upload took too long. Upload the photo again.';
  expect(await add()).toMatchObject({ kind: 'refused', refusal: { code: 'temporarilyUnavailable', detail } });
  expect(await photosOf(dock)).toEqual([]);
  await bindings.DB.exec('UPDATE calibration_orphan SET claimed_date = NULL');
  expect(await add()).toMatchObject({ kind: 'done' });
  expect(await photosOf(dock)).toHaveLength(1);
});

it('deletes the object of a deleted photo later if the bucket does not answer', async () => {
  const { body } = await addPhoto(dock, QUERY, JPEG);
  const context = createExecutionContext();
  const deletion = new Request(`${ORIGIN}${API}/photo/${body.uuid}`, {
    method: 'DELETE',
    headers: { 'X-AUTH-KEY': dock.key },
  });
  const undeletable = bucketWith({ delete: () => Promise.reject(new Error('the bucket is gone')) });
  const answer = await app.fetch(deletion, { ...bindings, CALIBRATION: undeletable } as Env, context);
  expect([answer.status, (await open(body.link)).status]).toEqual([200, 404]);
  expect(await objectsOf(dock)).toHaveLength(1);
  await sweep(HOUR_MS + 60_000);
  expect(await objectsOf(dock)).toEqual([]);
});

it('keeps the row of a photo with a lost object, and answers 404 for its link', async () => {
  const { body } = await addPhoto(dock, QUERY, JPEG);
  await bucket.delete(photoKey(dock.uuid, body.uuid));
  expect((await open(body.link)).status).toBe(404);
  expect(await photosOf(dock)).toEqual([body]);
  expect((await dock.call('DELETE', `/photo/${body.uuid}`)).status).toBe(200);
});
