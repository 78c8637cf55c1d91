import { setTimeout as wait } from 'node:timers/promises';
import { Receivers } from '../e2e/receivers.ts';
import { json, type Send, succeed } from './client.ts';
import { median, quantile } from './measure.ts';
import { API, couplePallets, DEVICE_API, inParallel, provision } from './seed.ts';

/** Writes of one event each, one after the other, with pauses. */
const RESTED = { writes: 100, restMs: 50 };
const WEBHOOKS = 20;
/**
 * Manifests that are created as fast as possible, and pallets that are scanned in batches. Each causes one
 * event.
 */
const BURST = { manifests: 500, pallets: 2_000, batch: 100 };
const ARRIVE_MAXIMUM_MS = 60_000;
const ARRIVE_POLL_MS = 50;
const GATE = 'TOLD';

/** How long receivers waited (milliseconds), from the date of a command, which is before its commit. */
export interface Waited {
  name: string;
  deliveries: number;
  median: number;
  p99: number;
  longest: number;
}

/** Events per second in one organization. */
export interface Flow {
  name: string;
  events: number;
  /** Events per second until the last write was answered. */
  writtenPerSecond: number;
  /** Events per second until the last event arrived. */
  deliveredPerSecond: number;
}

/** Measure the time from command to delivery at rest, next to a receiver that never answers, and in bursts. */
export async function deliveries(service: string): Promise<{ waited: Waited[]; flows: Flow[] }> {
  const receivers = await Receivers.start();
  try {
    const one = await newListener(service, receivers, 'rest', 1);
    const waited = [await atRest(one, 'one webhook')];
    const flows = [await manifestBurst(one), await scanBurst(one)];
    const twenty = await newListener(service, receivers, 'twenty', WEBHOOKS);
    waited.push(await atRest(twenty, `${WEBHOOKS} webhooks`));
    const besideDead = await newListener(service, receivers, 'dead', WEBHOOKS);
    // This receiver takes requests and never answers.
    receivers.at(besideDead.paths.pop()!, () => undefined);
    waited.push(await atRest(besideDead, `${WEBHOOKS - 1} next to a webhook that never answers`));
    return { waited, flows };
  } finally {
    receivers.stop();
  }
}

/** An organization with webhooks. */
interface Listener {
  send: Send;
  device: Send;
  receivers: Receivers;
  paths: string[];
  written: number;
}

async function newListener(
  service: string,
  receivers: Receivers,
  slug: string,
  count: number,
): Promise<Listener> {
  const { send, device } = await provision(service, slug, [GATE]);
  const paths = Array.from({ length: count }, (_, index) => `/${slug}/${index}`);
  for (const path of paths) {
    const body = { name: path, url: receivers.url(path) };
    await succeed(send, { method: 'POST', path: `${API}/webhook`, json: body });
  }
  return { send, device, receivers, paths, written: 0 };
}

const createManifest = ({ send }: Listener, externalIdentifier: string, assets: string[] = []) =>
  succeed(send, { method: 'POST', path: `${API}/manifest`, json: { externalIdentifier, assets } });

async function atRest(listener: Listener, name: string): Promise<Waited> {
  for (let write = 0; write < RESTED.writes; write += 1) {
    await createManifest(listener, `REST${write}`);
    await wait(RESTED.restMs);
  }
  listener.written += RESTED.writes;
  await arrive(listener);
  const waits = listener.paths
    .flatMap((path) => firsts(listener, path))
    .map(({ body, date }) => {
      const { eventDate } = JSON.parse(body) as { eventDate: string };
      return performance.timeOrigin + date - Date.parse(eventDate);
    });
  return {
    name,
    deliveries: waits.length,
    median: median(waits),
    p99: quantile(waits, 0.99),
    longest: Math.max(...waits),
  };
}

async function manifestBurst(listener: Listener): Promise<Flow> {
  const names = Array.from({ length: BURST.manifests }, (_, index) => `BURST${index}`);
  return flow(listener, 'manifests created, one event a request', names.length, () =>
    inParallel(names, (name) => createManifest(listener, name)),
  );
}

/** Scan all pallets of a manifest in progress, in batches. */
async function scanBurst(listener: Listener): Promise<Flow> {
  const { send, device } = listener;
  const wmsIds = Array.from({ length: BURST.pallets }, (_, index) => `P${index}`);
  const codes = await couplePallets(send, wmsIds);
  await createManifest(listener, 'SCANNED', wmsIds);
  const reference = { manifestExternalId: 'SCANNED' };
  const shipment = { identifier: 'SCANNED', gateIdentifier: GATE, manifests: [reference] };
  await succeed(send, { method: 'POST', path: `${API}/shipment`, json: shipment });
  await succeed(send, { method: 'POST', path: `${API}/shipment/SCANNED/status/IN_PROGRESS` });
  listener.written = await lastNumber(send);
  await arrive(listener);
  const batches = Array.from({ length: BURST.pallets / BURST.batch }, (_, index) =>
    wmsIds.slice(index * BURST.batch, (index + 1) * BURST.batch),
  );
  return flow(listener, `pallets scanned, ${BURST.batch} events a request`, wmsIds.length, async () => {
    for (const batch of batches) {
      const scans = batch.map((wmsId) => ({
        scanId: wmsId,
        markerCode: codes.get(wmsId),
        direction: 'LOAD',
      }));
      await succeed(device, { method: 'POST', path: `${DEVICE_API}/gate/${GATE}/scans`, json: { scans } });
    }
  });
}

async function flow(
  listener: Listener,
  name: string,
  events: number,
  write: () => Promise<void>,
): Promise<Flow> {
  const start = performance.now();
  const perSecond = () => events / ((performance.now() - start) / 1_000);
  await write();
  const writtenPerSecond = perSecond();
  listener.written += events;
  await arrive(listener);
  return { name, events, writtenPerSecond, deliveredPerSecond: perSecond() };
}

/** Wait until each receiver has every event. */
async function arrive(listener: Listener): Promise<void> {
  const deadline = performance.now() + ARRIVE_MAXIMUM_MS;
  for (const path of listener.paths) {
    while (
      new Set(firsts(listener, path).map(({ sequenceNumber }) => sequenceNumber)).size < listener.written
    ) {
      if (performance.now() > deadline) throw new Error(`${path} did not receive every event`);
      await wait(ARRIVE_POLL_MS);
    }
  }
}

const firsts = ({ receivers }: Listener, path: string) =>
  receivers.received.filter((received) => received.path === path);

async function lastNumber(send: Send): Promise<number> {
  for (let last = 0; ; ) {
    const path = `${API}/event?limit=1000&afterSequence=${last}`;
    const { content } = await json<{ content: { sequenceNumber: number }[] }>(send, { method: 'GET', path });
    if (content.length === 0) return last;
    last = content.at(-1)!.sequenceNumber;
  }
}
