import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../src/core/http/bounded.ts';
import { READ_BYTES_MAXIMUM } from '../../src/web/pages/proof-photos.ts';
import { PHOTOS_SHOWN_MAXIMUM } from '../../src/web/pages/read-load.ts';
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

it('a proof of 5,000 pallets with 100 photos stays within the memory of an isolate', async () => {
  const tenant = await newTenant(service, 'large-proof', { dispatchStrategy: 'SHIPMENT' });
  const must = async (method: string, path: string, json?: object) => {
    const answer = await tenant.send({ method, path, ...(json ? { json } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.json;
  };
  const assets = Array.from({ length: 5_000 }, (_, index) => `39521234900${String(index).padStart(7, '0')}`);
  await must('POST', '/manifest', { externalIdentifier: 'M', assets });
  await must('POST', '/shipment', {
    identifier: 'S',
    gateIdentifier: 'G1',
    manifests: [{ manifestExternalId: 'M' }],
  });
  await must('POST', '/shipment/S/status/IN_PROGRESS');
  await must('POST', '/shipment/S/status/COMPLETED');
  // All photos together take almost as many bytes as a document reads at most.
  const photo = noisyJpeg(1_600, 1_200, 64);
  const share = (photo.length * PHOTOS_SHOWN_MAXIMUM) / READ_BYTES_MAXIMUM;
  expect([share > 0.85, share <= 1]).toEqual([true, true]);
  const sendPhoto = () =>
    fetch(`${service.origin}/integration/rest/api/v1/photo?kind=LOAD&shipmentExternalId=S`, {
      method: 'POST',
      headers: { 'X-AUTH-KEY': tenant.key, 'Content-Type': 'image/jpeg' },
      body: Uint8Array.from(photo),
    });
  for (let count = 0; count < PHOTOS_SHOWN_MAXIMUM; count += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, sendPhoto));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
  }
  const { proofOfShipmentUrl } = await must('GET', '/shipment/S');
  let document = new Uint8Array();
  const { before, most } = await peakOf(async () => {
    document = new Uint8Array(await (await fetch(proofOfShipmentUrl)).arrayBuffer());
  });
  const pictures = Buffer.from(document)
    .toString('latin1')
    .match(/DCTDecode/g);
  expect(pictures).toHaveLength(PHOTOS_SHOWN_MAXIMUM);
  console.log(JSON.stringify({ before, most, photo: photo.length, document: document.length }));
  expect(most).toBeLessThan(ISOLATE_BYTES);
}, 600_000);

/** The events exceed one page. Each has so many fields of the largest size. */
const FIELDS = 50;
const EVENTS = 40;
const AT_ONCE = 4;

it('four of the largest pages at once stay within the memory of an isolate', async () => {
  const tenant = await newTenant(service, 'large-answers');
  const customFields = Array.from({ length: FIELDS }, (_, index) => ({
    fieldKey: `field ${index}`,
    fieldValue: '\u0001'.repeat(1_000),
  }));
  for (let index = 0; index < EVENTS; index += 1) {
    const json = { externalIdentifier: `M${index}`, customFields };
    expect((await tenant.send({ method: 'POST', path: '/manifest', json })).status).toBe(201);
  }
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
