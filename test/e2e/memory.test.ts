import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../src/core/http/bounded.ts';
import { PICTURES_MAXIMUM } from '../../src/web/pages/proof-photos.ts';
import { PHOTOS_SHOWN_MAXIMUM } from '../../src/web/pages/read-load.ts';
import { completeShipment, createLargeManifests, heavyTenant, largeUpsert } from '../heavy.ts';
import { noisyJpeg } from '../images.ts';
import { newTenant } from './client.ts';
import { freePort } from './ports.ts';
import { ownService } from './shared.ts';

/** The memory of an isolate on the platform. */
const ISOLATE_BYTES = 128 * 1024 * 1024;
/** Between two measurements, because each of them stops the Worker. */
const PAUSE_MS = 200;

const inspectorPort = await freePort();
const service = await ownService({ environment: { INSPECTOR_PORT: String(inspectorPort) } });
afterAll(() => service.dispose());

/**
 * The memory that the Worker uses: objects of JavaScript, and buffers outside of them. Bytes. Garbage is collected first.
 * It does not count, because an isolate collects it before it reaches its limit. Here, no limit makes it do so.
 */
async function openMemory(): Promise<{ now(): Promise<number>; close(): void }> {
  const targets: { webSocketDebuggerUrl: string }[] = await (
    await fetch(`http://127.0.0.1:${inspectorPort}/json`)
  ).json();
  const socket = new WebSocket(targets[0]!.webSocketDebuggerUrl);
  await new Promise((opened) => socket.addEventListener('open', opened, { once: true }));
  const waiting = new Map<number, (result: Record<string, number>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    if (error) throw new Error(JSON.stringify(error));
    waiting.get(id)?.(result);
  });
  let last = 0;
  const ask = (method: string): Promise<Record<string, number>> =>
    new Promise((answer) => {
      last += 1;
      waiting.set(last, answer);
      socket.send(JSON.stringify({ id: last, method }));
    });
  return {
    async now() {
      await ask('HeapProfiler.collectGarbage');
      const {
        usedSize,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await ask('Runtime.getHeapUsage');
      return usedSize! + embedderHeapUsedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}

/** The memory before some work, and the most memory during it. */
async function peakOf(work: () => Promise<void>): Promise<{ before: number; most: number }> {
  const memory = await openMemory();
  const before = await memory.now();
  let [most, isWorking] = [before, true];
  const watched = (async () => {
    for (; isWorking; await sleep(PAUSE_MS)) most = Math.max(most, await memory.now());
  })();
  await work();
  isWorking = false;
  await watched;
  memory.close();
  return { before, most };
}

it('a proof of 5,000 pallets with 100 photos takes half of the memory of an isolate at most', async () => {
  const tenant = await heavyTenant(service, 'large-proof');
  const proof = await completeShipment(tenant);
  // All photos together take almost as many bytes as a document shows at most.
  const photo = noisyJpeg(1_600, 1_200, 8);
  const share = (photo.length * PHOTOS_SHOWN_MAXIMUM) / PICTURES_MAXIMUM.bytes;
  expect([share > 0.9, share <= 1]).toEqual([true, true]);
  const sendPhoto = () =>
    fetch(`${service.origin}/integration/rest/api/v1/photo?kind=LOAD&shipmentExternalId=PROOF`, {
      method: 'POST',
      headers: { 'X-AUTH-KEY': tenant.key, 'Content-Type': 'image/jpeg' },
      body: Uint8Array.from(photo),
    });
  for (let count = 0; count < PHOTOS_SHOWN_MAXIMUM; count += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, sendPhoto));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  }
  let document = new Uint8Array();
  const { before, most } = await peakOf(async () => {
    document = new Uint8Array(await (await fetch(proof)).arrayBuffer());
  });
  const pictures = Buffer.from(document)
    .toString('latin1')
    .match(/DCTDecode/g);
  expect(pictures).toHaveLength(PHOTOS_SHOWN_MAXIMUM);
  console.log(JSON.stringify({ before, most, photo: photo.length, document: document.length }));
  // The other half is for other requests.
  expect(most).toBeLessThan(ISOLATE_BYTES / 2);
}, 600_000);

/** The events exceed one page. Each has so many fields of the largest size. */
const FIELDS = 50;
const EVENTS = 40;
const AT_ONCE = 4;

it('four of the largest pages at once stay within the memory of an isolate', async () => {
  const tenant = await newTenant(service, 'large-answers');
  await createLargeManifests(tenant, EVENTS, FIELDS);
  const read = async () => {
    const headers = { 'X-AUTH-KEY': tenant.key };
    const answer = await fetch(`${service.origin}/integration/rest/api/v1/event?limit=1000`, { headers });
    return (await answer.arrayBuffer()).byteLength;
  };
  let sizes: number[] = [];
  const { before, most } = await peakOf(async () => {
    for (let round = 0; round < 5; round += 1)
      sizes = await Promise.all(Array.from({ length: AT_ONCE }, read));
  });
  for (const size of sizes) expect(size).toBeGreaterThan(PAGE_BYTES * 0.9);
  console.log(JSON.stringify({ before, most }));
  expect(most).toBeLessThan(ISOLATE_BYTES);
}, 300_000);

const PAGE_MINIMUM = 9_000_000;

it('four list pages of 9 MB at once take half of the memory of an isolate at most', async () => {
  const tenant = await newTenant(service, 'large-lists');
  await createLargeManifests(tenant);
  const read = async (): Promise<[status: number, bytes: number]> => {
    const headers = { 'X-AUTH-KEY': tenant.key };
    const answer = await fetch(`${service.origin}/integration/rest/api/v1/manifest?pageSize=100`, {
      headers,
    });
    const bytes = (await answer.arrayBuffer()).byteLength;
    // On a busy machine, a page may wait too long for the memory of the others.
    return answer.status === 503 ? read() : [answer.status, bytes];
  };
  let answers: Awaited<ReturnType<typeof read>>[] = [];
  const { before, most } = await peakOf(async () => {
    answers = await Promise.all(Array.from({ length: AT_ONCE }, read));
  });
  for (const [status, size] of answers) expect([status, size > PAGE_MINIMUM]).toEqual([200, true]);
  console.log(JSON.stringify({ before, most }));
  expect(most).toBeLessThan(ISOLATE_BYTES / 2);
}, 300_000);

const UPSERTS = 13;

it('thirteen bulk upserts of 4.5 MB at once are taken or refused for a moment, within the memory of an isolate', async () => {
  const tenant = await heavyTenant(service, 'large-upserts');
  const body = largeUpsert();
  const upsert = async (_: unknown, index: number) => {
    const answer = await fetch(`${service.origin}/integration/rest/api/v1/shipment/bulk-upsert`, {
      method: 'POST',
      headers: {
        'X-AUTH-KEY': tenant.key,
        'Content-Type': 'application/json',
        'Idempotency-Key': `upsert-${index}`,
      },
      body,
    });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: Number(answer.headers.get('Retry-After')) };
  };
  let answers: Awaited<ReturnType<typeof upsert>>[] = [];
  const { before, most } = await peakOf(async () => {
    answers = await Promise.all(Array.from({ length: UPSERTS }, upsert));
  });
  const taken = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter >= 1);
  console.log(JSON.stringify({ before, most, taken: taken.length, refused: refused.length }));
  expect([taken.length > 0, taken.length + refused.length]).toEqual([true, UPSERTS]);
  expect(most).toBeLessThan(ISOLATE_BYTES);
  // A refused request is taken later.
  expect(await upsert(undefined, 0)).toMatchObject({ status: 202 });
}, 300_000);

/** The most memory of an isolate that has the objects of two busy organizations, and answers their requests. */
const BUSY_BYTES = 100 * 1024 * 1024;
const ROUNDS = 30;
const CALLERS = 10;

it('an isolate with the objects of two busy organizations takes 100 MB at most', async () => {
  const tenants = await Promise.all(['busy-one', 'busy-two'].map((name) => newTenant(service, name)));
  let statuses: number[] = [];
  const { before, most } = await peakOf(async () => {
    const all = await Promise.all(
      tenants.flatMap((tenant) =>
        Array.from({ length: CALLERS }, async (_, caller) => {
          const seen: number[] = [];
          for (let round = 0; round < ROUNDS; round += 1) {
            const id = `${caller}-${round}`;
            const assets = Array.from({ length: 20 }, (_, index) => `P-${id}-${index}`);
            const calls = [
              ['POST', '/manifest', { externalIdentifier: id, assets }],
              ['POST', '/track/get-and-couple', { wmsId: assets[0] }],
              ['GET', '/manifest?pageSize=100', undefined],
              ['GET', `/event?limit=1000`, undefined],
            ] as const;
            for (const [method, path, json] of calls)
              seen.push((await tenant.send({ method, path, ...(json && { json }) })).status);
          }
          return seen;
        }),
      ),
    );
    statuses = all.flat();
  });
  const busy = statuses.filter((status) => status === 503).length;
  console.log(JSON.stringify({ before, most, calls: statuses.length, busy }));
  expect(statuses.filter((status) => status >= 300 && status !== 503)).toEqual([]);
  expect(busy).toBeLessThan(statuses.length / 10);
  expect(most).toBeLessThan(BUSY_BYTES);
}, 300_000);
