import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import { madePrefix } from '../../../../src/core/lib/object-prefix.ts';
import { call } from '../../client.ts';
import type { Dock } from '../../dispatch/load/shipment/dock.ts';
import { addressesOf, departed } from './published.ts';

const { CALIBRATION: bucket, DB } = env as unknown as Env;
const ofOrganization = async (dock: Dock) =>
  (await bucket.list({ prefix: madePrefix(dock.uuid), include: ['customMetadata'] })).objects;
const cacheOf = (looks: string): string => `https://proof.invalid/${looks}`;
const bytesOf = async (url: string): Promise<string> => {
  const { status, body } = await call('GET', url);
  expect(status).toBe(200);
  const text = Buffer.from(body).toString('latin1');
  return text.startsWith('%PDF-') ? `PDF ${sha256Hex(text)}` : text;
};
/** Waits until the document is in the bucket and in the cache. */
const stored = (dock: Dock) =>
  vi.waitFor(async () => {
    const [object, ...others] = await ofOrganization(dock);
    const looks = object!.customMetadata!['looks']!;
    expect([others, await caches.default.match(cacheOf(looks))]).toEqual([[], expect.any(Response)]);
    return { key: object!.key, looks };
  });
const inCache = (looks: string, text: string) =>
  caches.default.put(
    cacheOf(looks),
    new Response(text, { headers: { 'Cache-Control': 'public, max-age=60' } }),
  );
afterEach(() => vi.restoreAllMocks());

describe('a proof of shipment that was made', () => {
  it('a stored proof comes from the cache, else from the bucket, with the same bytes', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const made = await bytesOf(document);
    expect(made).toMatch(/^PDF /);
    const { key, looks } = await stored(dock);
    expect(await bytesOf(document)).toBe(made);
    // Replace the stored bytes, to see where the next answer comes from.
    await inCache(looks, 'of the cache');
    expect(await bytesOf(document)).toBe('of the cache');
    await caches.default.delete(cacheOf(looks));
    await bucket.put(key, 'of the bucket', { customMetadata: { looks } });
    expect(await bytesOf(document)).toBe('of the bucket');
    await vi.waitFor(async () =>
      expect(await (await caches.default.match(cacheOf(looks)))?.text()).toBe('of the bucket'),
    );
  });

  it('a stored proof is rendered again after a correction or for another host, and replaces the old one', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const made = await bytesOf(document);
    const { key, looks } = await stored(dock);
    await bucket.put(key, 'out of date', { customMetadata: { looks } });
    await inCache(looks, 'out of date');
    await dock.must('PATCH', '/shipment/S/asset-loading/track/B/status', { status: 'LOADED' });
    const corrected = await bytesOf(document);
    expect([corrected.startsWith('PDF '), corrected === made]).toEqual([true, false]);
    await vi.waitFor(async () => expect((await stored(dock)).looks).not.toBe(looks));
    const elsewhere = await bytesOf(document.replace('127.0.0.1', 'localhost'));
    expect([elsewhere.startsWith('PDF '), elsewhere === corrected]).toEqual([true, false]);
    await vi.waitFor(async () => expect(await ofOrganization(dock)).toHaveLength(1));
  });

  it('a proof has another tag only if its data is drawn in another normal form', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const tag = async () => (await call('GET', document)).headers.get('ETag');
    expect(await tag()).toMatch(/^"[0-9a-f]{64}-10-en-/);
    await DB.prepare(
      "UPDATE shipment SET proof_names = json_set(proof_names, '$.gateName', 'Tor e\u0301') WHERE organization_uuid = ?",
    )
      .bind(dock.uuid)
      .run();
    expect(await tag()).toMatch(/^"[0-9a-f]{64}-11-en-/);
    expect(await bytesOf(document)).toMatch(/^PDF /);
  });

  it('a proof is on Letter paper if the labels of the organization are Letter or in inches, with a tag of its own', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const paperFor = async (size: string | null) => {
      await DB.prepare('UPDATE organization SET label_size = ? WHERE uuid = ?').bind(size, dock.uuid).run();
      const { headers, body } = await call('GET', document);
      const [box] = Buffer.from(body)
        .toString('latin1')
        .match(/\/MediaBox \[[^\]]*\]/)!;
      return [box, headers.get('ETag')!.replace(/^"[0-9a-f]{64}-/, '')];
    };
    const [a4, letter] = [
      ['/MediaBox [0 0 595.28 841.89]', '10-en-UTC"'],
      ['/MediaBox [0 0 612 792]', '10-en-UTC-LETTER"'],
    ];
    for (const size of [null, 'A4', 'A6']) expect([size, ...(await paperFor(size))]).toEqual([size, ...a4]);
    for (const size of ['LETTER', 'INCH_4X6'])
      expect([size, ...(await paperFor(size))]).toEqual([size, ...letter]);
  });

  it('a proof is rendered each time when it cannot be stored', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const down = async () => {
      throw new Error('R2 does not answer');
    };
    vi.spyOn(caches.default, 'match').mockImplementation(down);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const _ of [1, 2]) expect(await bytesOf(document)).toMatch(/^PDF /);
  });

  it('an erasure leaves no proof that is rendered during the erasure', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const { put } = bucket;
    const erased = DB.prepare("UPDATE shipment SET public_token = 'of nobody' WHERE organization_uuid = ?");
    vi.spyOn(bucket, 'put').mockImplementation(async (...args: Parameters<typeof put>) => {
      await erased.bind(dock.uuid).run();
      return put.apply(bucket, args);
    });
    await bytesOf(document);
    await vi.waitFor(() => expect(bucket.put).toHaveBeenCalled());
    await Promise.all(vi.mocked(bucket.put).mock.results.map(({ value }) => value));
    await vi.waitFor(async () => expect(await ofOrganization(dock)).toEqual([]));
  });
});
