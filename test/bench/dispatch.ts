import { type Send, type Shot, succeed } from './client.ts';
import { type Comparison, keyed, throughput } from './comparisons.ts';
import type { Side } from './measure.ts';
import { API, couplePallets, DEVICE_API, inParallel, provision } from './seed.ts';

/** Shipments for single scans, and for batches of scans. */
export const SCANNED = { gate: 'SINGLE', manifests: 5, pallets: 100 };
const BATCHED = { gate: 'BATCH', manifests: 10, pallets: 100 };
/** Gates of the shipments whose status changes, used in turn. */
const GATES = Array.from({ length: 40 }, (_, index) => `GATE${index}`);
/** Number of shipments that can be started when a slice begins. It is more than a slice can start. */
const STOCK = 500;
/**
 * Number of other starts between the start of a shipment and its completion. So the start was answered
 * before.
 */
const LAG = 24;
/** Number of shipments whose status the bare Worker changes, again and again. */
const BARE_MOVED = 500;
const BARE_FIRST = { scanned: 2_000_000_000, batched: 2_000_100_000 };

/** Codes of the pallets of a shipment in progress, grouped by manifest. */
export interface Loading {
  gate: string;
  codes: number[][];
}

/** Fill both servers with shipments in progress. @returns comparisons of scans and status changes. */
export async function prepareDispatch(service: string, bare: Send): Promise<Comparison[]> {
  const { send, device } = await provision(service, 'moving', [SCANNED.gate, BATCHED.gate, ...GATES]);
  const [scanned, batched] = [await startLoading(send, SCANNED), await startLoading(send, BATCHED)];
  for (const [{ manifests, pallets }, first, moved] of [
    [SCANNED, BARE_FIRST.scanned, BARE_MOVED],
    [BATCHED, BARE_FIRST.batched, 1],
  ] as const) {
    const query = `manifests=${manifests}&pallets=${pallets}&first=${first}&moved=${moved}`;
    await succeed(bare, { method: 'POST', path: `/seed-dispatch?${query}` });
  }
  return [
    comparison('scan', {
      bare: {
        name: 'bare object + batch, scan',
        send: bare,
        shot: (n) => bareScans(SCANNED, 'scanned', n, 1),
      },
      side: { name: 'scan', send: device, shot: (n) => scanOf(scanned, n) },
    }),
    comparison('100 scans', {
      bare: {
        name: 'bare object + batch, 100 scans',
        send: bare,
        shot: (n) => bareScans(BATCHED, 'batched', n, 100),
      },
      side: { name: '100 scans', send: device, shot: (n) => scansOf(batched, n) },
    }),
    comparison('status of a shipment', {
      bare: { name: 'bare object + batch, status', send: bare, shot: bareMove },
      side: moves(send),
    }),
  ];
}

const comparison = (title: string, { bare, side }: { bare: Side; side: Side }): Comparison => ({
  title,
  sides: [bare, side],
  targets: { [side.name]: throughput('dispatch') },
});

/** Create a shipment in progress at a gate, with all its pallets coupled. */
export async function startLoading(
  send: Send,
  { gate, manifests, pallets }: typeof SCANNED,
): Promise<Loading> {
  const names = Array.from({ length: manifests }, (_, index) => `${gate}-M${index}`);
  const assets = (name: string) => Array.from({ length: pallets }, (_, index) => `${name}-P${index}`);
  await createShipment(send, gate, gate, names, assets);
  const codes = await couplePallets(send, names.flatMap(assets));
  await succeed(send, { method: 'POST', path: `${API}/shipment/${gate}/status/IN_PROGRESS` });
  return { gate, codes: names.map((name) => assets(name).map((wmsId) => codes.get(wmsId)!)) };
}

async function createShipment(
  send: Send,
  identifier: string,
  gateIdentifier: string,
  manifests: string[],
  assets: (manifest: string) => string[],
): Promise<void> {
  for (const externalIdentifier of manifests) {
    const json = { externalIdentifier, assets: assets(externalIdentifier) };
    await succeed(send, { method: 'POST', path: `${API}/manifest`, json });
  }
  const references = manifests.map((manifestExternalId) => ({ manifestExternalId }));
  const json = { identifier, gateIdentifier, manifests: references };
  await succeed(send, { method: 'POST', path: `${API}/shipment`, json });
}

/** All pallets are loaded and then unloaded again, so that each scan changes a loading record. */
const direction = (n: number, pallets: number) => (Math.floor(n / pallets) % 2 === 0 ? 'LOAD' : 'UNLOAD');

export function scanOf({ gate, codes }: Loading, n: number): Shot {
  const all = codes.flat();
  return keyed(`${DEVICE_API}/gate/${gate}/scan`, {
    scanId: `scan-${n}`,
    markerCode: all[n % all.length],
    direction: direction(n, all.length),
  });
}

function scansOf({ gate, codes }: Loading, n: number): Shot {
  const scans = codes[n % codes.length]!.map((markerCode) => ({
    scanId: `batch-${n}-${markerCode}`,
    markerCode,
    direction: direction(n, codes.length),
  }));
  return keyed(`${DEVICE_API}/gate/${gate}/scans`, { scans });
}

function bareScans(
  { manifests, pallets }: typeof SCANNED,
  kind: keyof typeof BARE_FIRST,
  n: number,
  count: number,
): Shot {
  const all = manifests * pallets;
  const scans = Array.from({ length: count }, (_, index) => ({
    scanId: `${kind}-${n}-${index}`,
    markerCode: BARE_FIRST[kind] + 1 + ((n * count + index) % all),
    direction: direction(n, all / count),
  }));
  return keyed('/scan', { scans });
}

/** Like `moves` of the service: a start, then the completion of a shipment that was started before. */
function bareMove(n: number): Shot {
  const shipment = `MOVED${BARE_FIRST.scanned + 1 + ((n >> 1) % BARE_MOVED)}`;
  return keyed(`/move/${shipment}?status=${n % 2 === 0 ? 'IN_PROGRESS' : 'COMPLETED'}`);
}

/** Starts and completes shipments in turn, each once. A shipment has one manifest with three pallets. */
function moves(send: Send): Side {
  const fresh: string[] = [];
  const started: string[] = [];
  let created = 0;
  const create = async () => {
    const index = created;
    created += 1;
    const name = `MOVED${index}`;
    const assets = (manifest: string) => [0, 1, 2].map((pallet) => `${manifest}-P${pallet}`);
    await createShipment(send, name, GATES[index % GATES.length]!, [`${name}-M`], assets);
    return name;
  };
  const move = (name: string, status: string) => keyed(`${API}/shipment/${name}/status/${status}`);
  const begin = (): Shot => {
    const name = fresh.shift();
    if (name === undefined) throw new Error('no shipment is left to start');
    started.push(name);
    return move(name, 'IN_PROGRESS');
  };
  return {
    name: 'status of a shipment',
    send,
    async prepare() {
      const missing = Array.from({ length: STOCK - fresh.length });
      await inParallel(missing, async () => fresh.push(await create()));
      while (started.length < LAG) await succeed(send, begin());
    },
    shot: () => (started.length <= LAG ? begin() : move(started.shift()!, 'COMPLETED')),
  };
}
