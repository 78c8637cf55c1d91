import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { fontsOf } from '../../../../src/core/http/document-fonts.ts';
import type { AppContext } from '../../../../src/core/http/types.ts';
import { digestOf } from '../../../../src/web/pages/proof-data.ts';
import { proofPdf } from '../../../../src/web/pages/proof-pdf.ts';
import {
  GOLDEN_DATA,
  GOLDEN_LINKS,
  GOLDEN_PDF,
  GOLDEN_TELLING,
  joined,
} from '../../../unit/web/pages/proofs.ts';
import { call, ORIGIN, type Tenant } from '../../client.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { costOf } from '../../statements.ts';
import { dataOf } from './data.ts';
import { addressesOf, departed } from './published.ts';

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;
const hex = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
const latin = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** JSON as in RFC 8785, for values without numbers beyond 2^53: keys in the order of their UTF-16 code units. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [two]) => (one < two ? -1 : 1)))
      : item,
  );

/** Builds the expected data of a shipment's proof in a second way: from answers of the API. */
async function expected(tenant: Tenant, name: string, shipmentId: string) {
  const get = async (path: string) => (await tenant.call('GET', path)).body;
  const path = `/shipment/${encodeURIComponent(shipmentId)}`;
  const [shipment, records] = [await get(path), await get(`${path}/asset-loading`)];
  const log = (await get('/audit-log?entityType=ASSET_LOADING&pageSize=100&sort.sortBy=sequenceNumber'))
    .content;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the service
  type Any = any;
  const field = (entry: Any, wanted: string) => entry.changes.find((change: Any) => change.field === wanted);
  const manifests: Any[] = await Promise.all(
    shipment.manifests.map(({ manifestUuid }: Any) => get(`/manifest/${manifestUuid}`)),
  );
  const cancelled = new Set(
    manifests.filter(({ manifestStatus }) => manifestStatus === 'CANCELLED').map(({ uuid }) => uuid),
  );
  const count = (status: string, of: 'any' | 'counted' | 'cancelled') =>
    records.filter(
      ({ loadingStatus, manifest }: Any) =>
        loadingStatus === status &&
        (of === 'any' || cancelled.has(manifest.manifestUuid) === (of === 'cancelled')),
    ).length;
  const corrected = log.filter((entry: Any) => field(entry, 'afterClose'));
  return {
    kind: 'SHIPMENT',
    organizationName: name,
    externalIdentifier: shipment.externalIdentifier,
    status: shipment.status,
    gate: { externalIdentifier: shipment.gate.externalIdentifier, name: shipment.gate.name },
    createDate: shipment.createDate,
    activateDate: shipment.activateDate,
    closeDate: shipment.closeDate,
    revision: corrected.length,
    part: 1,
    parts: 1,
    counts: {
      totalAssetsCount: shipment.totalAssetsCount,
      loadedAssetsCount: shipment.loadedAssetsCount,
      notLoadedAssetsCount: count('NOT_LOADED', 'counted'),
      unloadedAssetsCount: count('UNLOADED', 'counted'),
      offloadedAssetsCount: count('OFFLOADED', 'counted'),
      wronglyLoadedCount: count('WRONGLY_LOADED', 'any'),
      unknownLoadingCount: count('UNKNOWN_LOADING', 'any'),
      cancelledLoadedCount: count('LOADED', 'cancelled'),
    },
    manifests: manifests.map(({ uuid, externalIdentifier, manifestStatus }) => ({
      manifestExternalId: externalIdentifier,
      manifestStatus,
      records: records
        .filter(({ manifest }: Any) => manifest.manifestUuid === uuid)
        .map(({ trackIdentifier, markerCode, loadingStatus, loadingDate }: Any) => ({
          trackIdentifier,
          markerCode,
          loadingStatus,
          loadingDate,
        })),
    })),
    corrections: corrected.map((entry: Any, index: number) => ({
      revision: index + 1,
      date: entry.eventDate,
      actorType: entry.actor.actorType,
      manifestExternalId: field(entry, 'manifest').newValue ?? field(entry, 'manifest').oldValue,
      trackIdentifier: entry.entityExternalId,
      markerCode:
        records.find(({ recordUuid }: Any) => recordUuid === entry.entityUuid)?.markerCode ??
        field(entry, 'markerCode')?.oldValue ??
        null,
      field: 'loadingStatus',
      photoKind: null,
      oldValue: field(entry, 'loadingStatus').oldValue,
      newValue: field(entry, 'loadingStatus').newValue,
    })),
  };
}

describe('the data of a proof', () => {
  it('the data of a proof match the API, and the document prints their SHA-256', async () => {
    const dock = await departed();
    const { document, data } = await addressesOf(dock, 'shipment', 'S');
    const correct = [
      () => dock.must('PATCH', '/shipment/S/asset-loading/track/C/status', { status: 'LOADED' }),
      () => dock.must('DELETE', '/shipment/S/asset-loading/marker/4711'),
    ];
    for (const change of [undefined, ...correct]) {
      await change?.();
      const response = await worker.fetch(data);
      const text = await response.text();
      const wanted = await expected(dock, 'Acme Foods', 'S');
      expect(JSON.parse(text)).toEqual(wanted);
      expect(text).toBe(canonical(wanted));
      const digest = await hex(new TextEncoder().encode(canonical(wanted)));
      expect(response.headers.get('ETag')).toBe(`"${digest}"`);
      expect((await call('GET', document)).headers.get('ETag')).toBe(`"${digest}-10-en-UTC"`);
    }
  });
});

describe('a proof of shipment', () => {
  it('a proof of shipment is a PDF with the headers of public pages', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const { headers, body } = await call('GET', document);
    expect(latin(body).startsWith('%PDF-1.7')).toBe(true);
    expect(latin(body).trimEnd().endsWith('%%EOF')).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="proof-of-shipment-S.pdf"',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-cache',
    });
  });

  it('a proof of shipment keeps bytes and tag until a correction, even if its pallets change', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const first = await call('GET', document);
    await dock.must('PATCH', '/track/B/flag', { damaged: true });
    const { uuid } = (await dock.must('GET', '/track/C')).body;
    await dock.must('DELETE', `/track/${uuid}`);
    await dock.couple('C');
    const second = await call('GET', document);
    expect(Buffer.compare(second.body, first.body)).toBe(0);
    const tag = first.headers.get('ETag')!;
    const again = () => call('GET', document, { headers: { 'If-None-Match': tag } });
    expect((await again()).status).toBe(304);
    await dock.must('PATCH', '/shipment/S/asset-loading/track/D/status', { status: 'LOADED' });
    const third = await again();
    expect(third.status).toBe(200);
    expect(Buffer.compare(third.body, first.body)).not.toBe(0);
  });

  it('a proof of shipment has the same bytes in workerd as in Node', async () => {
    const fonts = await fontsOf({ env: env as unknown as Env } as AppContext);
    const { digest } = digestOf(GOLDEN_DATA);
    expect(
      await hex(await joined(await proofPdf(GOLDEN_DATA, digest, GOLDEN_LINKS, GOLDEN_TELLING, fonts))),
    ).toBe(GOLDEN_PDF);
  });

  it('a proof of shipment has a plain file name for any identifier', async () => {
    const dock = await newDock();
    const identifier = "../\"; filename*=UTF-8''x\r\n é 📦";
    await dock.manifest('M', 'A');
    await dock.shipment(identifier, ['M'], { gateIdentifier: 'G' });
    for (const status of ['IN_PROGRESS', 'COMPLETED']) {
      await dock.must('POST', `/shipment/${encodeURIComponent(identifier)}/status/${status}`);
    }
    const { document } = await addressesOf(dock, 'shipment', identifier);
    expect((await call('GET', document)).headers.get('Content-Disposition')).toBe(
      'inline; filename="proof-of-shipment-.._filename_UTF-8_x_.pdf"',
    );
  });

  it('a proof of more than 5,000 pallets has parts, each with the total counts', async () => {
    const dock = await newDock();
    await dock.manifest('L', ...Array.from({ length: 5_000 }, (_, index) => `L${index}`));
    await dock.manifest('M', 'M0', 'M1', 'M2');
    await dock.manifest('N');
    await dock.shipment('S', ['M', 'L', 'N'], { gateIdentifier: 'G' });
    for (const status of ['IN_PROGRESS', 'COMPLETED'])
      await dock.must('POST', `/shipment/S/status/${status}`);
    const { document, data } = await addressesOf(dock, 'shipment', 'S');
    const pallets: string[] = [];
    for (const part of [1, 2]) {
      const answer = await dataOf(`${data}?part=${part}`);
      const { body } = answer;
      expect([body.part, body.parts, body.counts.totalAssetsCount]).toEqual([part, 2, 5_003]);
      const named = body.manifests.map(
        ({ manifestExternalId }: { manifestExternalId: string }) => manifestExternalId,
      );
      expect(named).toEqual(part === 1 ? ['M', 'L', 'N'] : ['L']);
      for (const { records } of body.manifests) {
        pallets.push(...records.map((record: { trackIdentifier: string }) => record.trackIdentifier));
      }
      expect(costOf(answer).trips).toBe(2);
      const pdf = await call('GET', `${document}?part=${part}`);
      expect(pdf.headers.get('Content-Disposition')).toContain(`proof-of-shipment-S-part-${part}.pdf`);
      expect(latin(pdf.body).trimEnd().endsWith('%%EOF')).toBe(true);
    }
    expect(new Set(pallets).size).toBe(5_003);
    expect((await call('GET', document)).headers.get('ETag')).toBe(
      (await call('GET', `${document}?part=1`)).headers.get('ETag'),
    );
    expect((await call('GET', `${document}?part=3`)).status).toBe(404);
  }, 120_000);

  it('a proof of shipment names the requested host', async () => {
    const dock = await departed();
    const { document } = await addressesOf(dock, 'shipment', 'S');
    const own = await call('GET', document.replace(ORIGIN, `http://${dock.slug}.localhost:8787`));
    expect(latin(own.body)).toContain(
      `QR code of the summary page: http://${dock.slug}.localhost:8787/public/`,
    );
  });
});
