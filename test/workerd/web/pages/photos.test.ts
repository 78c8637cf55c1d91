import { describe, expect, it } from 'vitest';
import { JPEG, noisyJpeg, png } from '../../../images.ts';
import { call } from '../../client.ts';
import { addPhoto, open } from '../../dispatch/photo/photos.ts';
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
    const { photos, ...rest } = (await call('GET', data)).body;
    expect(rest).toEqual(before);
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

  it('a large photo has a thumbnail, which the proof contains', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const large = noisyJpeg(800, 600);
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', large);
    const [whole, small] = [await open(body.link), await open(`${body.link}?thumbnail=true`)];
    expect(whole.bytes.length).toBe(body.sizeBytes);
    expect(small.headers.get('Content-Type')).toBe('image/jpeg');
    expect(small.headers.get('Content-Length')).toBe(String(small.bytes.length));
    expect(small.bytes.length).toBeLessThan(whole.bytes.length / 8);
    expect(small.headers.get('ETag')).not.toBe(whole.headers.get('ETag'));
    const pdf = latin((await call('GET', document)).body);
    expect(pdf).toContain(latin(small.bytes));
    expect(pdf.length).toBeLessThan(whole.bytes.length);
    const other = await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', png(), { type: 'image/png' });
    expect((await open(`${other.body.link}?thumbnail=true`)).bytes.length).toBe(other.body.sizeBytes);
  });

  it('a load with 101 photos shows 100 and says so, and the digest of its data is the one of the first 100', async () => {
    const dock = await departed();
    for (let count = 0; count < 100; count += 1) await addPhoto(dock, 'kind=LOAD&shipmentExternalId=S', JPEG);
    const { data, summary, document } = await addressesOf(dock, 'shipment', 'S');
    const note = async () => (await pageOf(summary)).includes('The first 100 photos are shown.');
    const tagsOf = async () => {
      const answers = [await call('GET', data), await call('GET', document)];
      return answers.map(({ headers }) => headers.get('ETag'));
    };
    const [{ body: before }, [digest, pdf]] = [await call('GET', data), await tagsOf()];
    expect(await note()).toBe(false);
    await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG);
    expect(await note()).toBe(true);
    expect((await call('GET', data)).body).toEqual(before);
    expect(before.photos).toHaveLength(100);
    const [sameDigest, otherPdf] = await tagsOf();
    expect(sameDigest).toBe(digest);
    expect(otherPdf).not.toBe(pdf);
    expect((await pageOf(summary)).match(/thumbnail=true/g)).toHaveLength(100);
    expect((await call('GET', document)).status).toBe(200);
  });

  it('a proof is made without a photo that no longer exists in the bucket', async () => {
    const dock = await departed();
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', JPEG);
    const { data, document } = await addressesOf(dock, 'shipment', 'S');
    expect((await call('GET', document)).status).toBe(200);
    expect((await dock.call('DELETE', `/photo/${body.uuid}`)).status).toBeLessThan(300);
    expect((await call('GET', data)).body.photos).toBeUndefined();
    expect((await call('GET', document)).status).toBe(200);
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
