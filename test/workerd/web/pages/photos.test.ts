import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { app } from '../../../../src/app.ts';
import type { Env } from '../../../../src/core/env.ts';
import { photoKey } from '../../../../src/dispatch/photo/rules.ts';
import { JPEG, jpegFrame, jpegWith, noisyJpeg, png, segment, WEBP } from '../../../images.ts';
import { call } from '../../client.ts';
import { bucketWith } from '../../dispatch/calibration/files.ts';
import { addAtPage, addPhoto, bindings, bucket, open } from '../../dispatch/photo/photos.ts';
import { longGone, resolveAlerts, retain } from '../../retention/archives.ts';
import { addressesOf, departed, pageOf } from './published.ts';

const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

describe('photos on public pages', () => {
  it('the proof lists each photo of the load, its manifests and pallets with its SHA-256', async () => {
    const dock = await departed();
    await dock.couple('STRANGER');
    const { data, document } = await addressesOf(dock, 'shipment', 'S');
    const before = (await call('GET', data)).body;
    expect(before.photos).toBeUndefined();
    const size = (await call('GET', document)).body.length;
    const added = [
      await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', JPEG),
      await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', png(), { type: 'image/png' }),
      await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG),
    ].map(({ body }) => body);
    const other = (await addPhoto(dock, 'kind=OTHER&trackIdentifier=STRANGER', JPEG)).body;
    const { photos, corrections, revision, ...rest } = (await call('GET', data)).body;
    expect({ ...rest, corrections: [], revision: 0 }).toEqual(before);
    // A photo that is added after completion is a correction.
    expect([
      revision,
      corrections.map(
        ({ field, photoKind, oldValue, newValue, trackIdentifier }: Record<string, unknown>) => [
          ...[field, photoKind, oldValue, newValue, trackIdentifier],
        ],
      ),
    ]).toEqual([3, added.map((photo) => ['photo', photo.kind, null, photo.sha256, photo.trackIdentifier])]);
    expect(
      photos.map(({ kind, sha256, trackIdentifier }: Record<string, unknown>) => [
        kind,
        sha256,
        trackIdentifier,
      ]),
    ).toEqual(added.map(({ kind, sha256, trackIdentifier }) => [kind, sha256, trackIdentifier]));
    const pdf = (await call('GET', document)).body;
    expect(latin(pdf)).toContain('/DCTDecode');
    expect(pdf.length).toBeGreaterThan(size + 2 * added[0].sizeBytes);
    const html = await pageOf((await addressesOf(dock, 'shipment', 'S')).summary);
    for (const { link } of added) expect(html).toContain(`src="${new URL(link).pathname}?thumbnail=true"`);
    expect(html).not.toContain(new URL(other.link).pathname);
    expect(html).toContain('loading="lazy"');
    expect((await open(added[0].link)).bytes.length).toBe(added[0].sizeBytes);
  });

  it('the proof contains the thumbnail of a photo, and a JPEG without one as it is', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const [large, thumbnail, other] = [noisyJpeg(800, 600), noisyJpeg(400, 300, 4), noisyJpeg(640, 480)];
    await addAtPage(dock, ['shipment', 'S'], large, thumbnail);
    await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', other);
    await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', png(), { type: 'image/png' });
    await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', WEBP, { type: 'image/webp' });
    const pdf = latin((await call('GET', document)).body);
    for (const drawn of [thumbnail, other]) expect(pdf).toContain(latin(drawn));
    for (const linked of [large, png(), WEBP]) expect(pdf).not.toContain(latin(linked));
  });

  it('a photo of 25 megapixels is its own thumbnail, and is in the proof as it is', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const large = noisyJpeg(5_000, 5_000, 0);
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', large);
    expect([body.width, body.height]).toEqual([5_000, 5_000]);
    expect(Buffer.from((await open(`${body.link}?thumbnail=true`)).bytes)).toEqual(large);
    expect(latin((await call('GET', document)).body)).toContain(latin(large));
  });

  it('a load with 101 photos shows the first 100 and says so', async () => {
    const dock = await departed();
    for (let count = 0; count < 100; count += 1) await addPhoto(dock, 'kind=LOAD&shipmentExternalId=S', JPEG);
    const { data, summary, document } = await addressesOf(dock, 'shipment', 'S');
    const note = async () => (await pageOf(summary)).includes('The first 100 photos are shown.');
    const tagsOf = async () => {
      const answers = [await call('GET', data), await call('GET', document)];
      return answers.map(({ headers }) => headers.get('ETag'));
    };
    const { body: before } = await call('GET', data);
    const [digest, pdf] = await tagsOf();
    expect(await note()).toBe(false);
    await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG);
    expect(await note()).toBe(true);
    const { body: after } = await call('GET', data);
    expect(after.photos).toEqual(before.photos);
    expect([after.photos.length, after.revision]).toEqual([100, 101]);
    const [otherDigest, otherPdf] = await tagsOf();
    expect([otherDigest === digest, otherPdf === pdf]).toEqual([false, false]);
    expect((await pageOf(summary)).match(/thumbnail=true/g)).toHaveLength(100);
    expect((await call('GET', document)).status).toBe(200);
  });

  it('a deleted photo is no longer in the proof', async () => {
    const dock = await departed();
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', JPEG);
    const { data, document } = await addressesOf(dock, 'shipment', 'S');
    expect((await call('GET', document)).status).toBe(200);
    expect((await dock.call('DELETE', `/photo/${body.uuid}`)).status).toBeLessThan(300);
    expect((await call('GET', data)).body.photos).toBeUndefined();
    expect((await call('GET', document)).status).toBe(200);
  });

  /** The links of the photos that a proof shows as pictures. The others are lines with their link. */
  const picturesIn = (pdf: Uint8Array) => {
    const text = latin(pdf);
    const links = [...text.matchAll(/\/URI \(([^)]+)\)/g)].map(([, link]) => link);
    expect(text.match(/DCTDecode/g) ?? []).toHaveLength(links.length);
    return links;
  };

  async function picturesOf(document: string) {
    const { status, body } = await call('GET', document);
    expect(status).toBe(200);
    return picturesIn(body);
  }

  it.each([
    ['is missing', null],
    ['has a frame without pixels before its frame', jpegWith(jpegFrame(0, 0))],
    ['has another size', noisyJpeg(640, 480)],
    ['is no image', Buffer.from('PK')],
    [
      'has more parts than an image may have',
      jpegWith(...Array<Buffer>(2_000).fill(segment(0xfe, Buffer.alloc(0)))),
    ],
  ])('a photo is a line with its link in a proof if its object %s', async (_, object) => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', noisyJpeg(800, 600));
    const other = await addPhoto(dock, 'kind=LOAD&shipmentExternalId=S', JPEG);
    // As a forged import may write it.
    const key = photoKey(dock.uuid, body.uuid);
    if (object) await bucket.put(key, object);
    else await bucket.delete(key);
    if (object)
      await bindings.DB.prepare('UPDATE photo SET size_bytes = ? WHERE uuid = ?')
        .bind(object.length, body.uuid)
        .run();
    expect(await picturesOf(document)).toEqual([other.body.link]);
  });

  it('a wrong thumbnail of an import is a line with its link in a proof', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const photo = await addAtPage(dock, ['shipment', 'S'], noisyJpeg(800, 600), noisyJpeg(400, 300, 4));
    const wrong = Buffer.concat([noisyJpeg(800, 600), jpegWith(jpegFrame(0, 0))]);
    await bucket.put(photoKey(dock.uuid, photo.uuid), wrong);
    await bindings.DB.prepare('UPDATE photo SET thumbnail_bytes = ? WHERE uuid = ?')
      .bind(wrong.length - photo.sizeBytes, photo.uuid)
      .run();
    expect(await picturesOf(document)).toEqual([]);
  });

  it('a bucket that does not answer breaks no proof, and the proof is made again later', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    vi.spyOn(console, 'error').mockReturnValue();
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', JPEG);
    const dead = bucketWith({ get: () => Promise.reject(new Error('the bucket is gone')) });
    const from = async (CALIBRATION: R2Bucket, url: string) => {
      const context = createExecutionContext();
      const answer = await app.fetch(new Request(url), { ...bindings, CALIBRATION } as Env, context);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      await waitOnExecutionContext(context);
      return { answer, bytes };
    };
    const without = await from(dead, document);
    expect(without.answer.status).toBe(200);
    expect(picturesIn(without.bytes)).toEqual([]);
    const link = await from(dead, body.link);
    expect([link.answer.status, link.answer.headers.get('Content-Type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
    expect(await picturesOf(document)).toEqual([body.link]);
  });

  it('an archived load keeps the photos in its proof', async () => {
    const dock = await longGone();
    await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', JPEG);
    const { data, summary } = await addressesOf(dock, 'shipment', 'S');
    const [before, page] = [(await call('GET', data)).body, await pageOf(summary)];
    await resolveAlerts(dock);
    await retain(dock);
    expect((await dock.call('GET', '/shipment/S')).status).toBe(404);
    expect((await call('GET', data)).body).toEqual(before);
    expect(before.photos).toHaveLength(1);
    expect(await pageOf(summary)).toBe(page);
  });
});
