import { randomUUID } from 'node:crypto';
import { client, type Send, succeed } from './client.ts';
import { firstCode } from './cost.ts';
import type { Side } from './measure.ts';
import { API, seedTenant, type Tenant } from './seed.ts';

/** The least part of the bare Worker's throughput that an operation may have. */
const THROUGHPUT_TARGET = 0.6;
/** The most times as long as over 100 manifests that a page may take over 5,000. */
const GROWTH_TARGET = 1.3;
const MARKERS = 60;
const FEW = 100;
const MANY = 5_000;

/** Sides to measure against their first one, and what is asked of each other side. */
export interface Comparison {
  title: string;
  sides: Side[];
  /** By the name of a side; a side without one is shown for information. */
  targets: Record<string, { least: number; text: string }>;
}

/** Both servers filled, and what to compare. */
export interface Prepared {
  small: Tenant;
  large: Tenant;
  comparisons: Comparison[];
}

/** Fill both servers with the same amount and size of rows. */
export async function prepare(service: string, bareOrigin: string): Promise<Prepared> {
  const [small, large] = await Promise.all([
    seedTenant(service, 'few', FEW),
    seedTenant(service, 'many', MANY),
  ]);
  const allocation = await succeed(small.send, {
    method: 'POST',
    path: `${API}/marker-code/allocate?quantity=${MARKERS}&imageDelivery=URL`,
  });
  const first = firstCode(allocation);
  const read = await succeed(small.send, { method: 'GET', path: `${API}/manifest/${small.manifests[0]}` });
  const image = await succeed(small.send, { method: 'GET', path: imagePath(first) });
  const bare = client(bareOrigin);
  // The other columns of a row are about 100 bytes of its JSON.
  const size = Math.max(1, read.body.length - 100);
  for (const [collection, rows] of [
    ['few', FEW],
    ['many', MANY],
  ]) {
    await succeed(bare, { method: 'POST', path: `/seed/${collection}?rows=${rows}&size=${size}` });
  }
  return {
    small,
    large,
    comparisons: [
      reads(bare, small, large, first),
      writes('allocate', bare, 'bare object + batch, allocate', '/allocate', {
        name: 'allocate, URL',
        send: small.send,
        shot: () => keyed(`${API}/marker-code/allocate?quantity=1&imageDelivery=URL`),
      }),
      writes('get-and-couple', bare, 'bare object + batch, couple', '/couple', {
        name: 'get-and-couple, URL',
        send: small.send,
        shot: (n) => keyed(`${API}/track/get-and-couple?imageDelivery=URL`, { wmsId: `C${n}` }),
      }),
      images(bare, small, first, image.body.length),
      lists(bare, small, large),
    ],
  };
}

const imagePath = (markerCode: number): string => `${API}/marker-code/image/${markerCode}.png`;

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length]!;

/** A write as a careful caller sends it: with a key of its own. */
export const keyed = (path: string, json?: unknown) => ({
  method: 'POST' as const,
  path,
  headers: { 'Idempotency-Key': randomUUID() },
  ...(json === undefined ? {} : { json }),
});

/** What is asked of an operation beside the bare Worker. */
export const throughput = { least: THROUGHPUT_TARGET, text: `≥ ${THROUGHPUT_TARGET} of bare throughput` };

function reads(bare: Send, small: Tenant, large: Tenant, first: number): Comparison {
  const side = (name: string, { send }: Tenant, path: (n: number) => string): Side => ({
    name,
    send,
    shot: (n) => ({ method: 'GET', path: `${API}${path(n)}` }),
  });
  const sides = [
    side('get manifest', small, (n) => `/manifest/${pick(small.manifests, n)}`),
    side('get manifest of 5,000', large, (n) => `/manifest/${pick(large.manifests, n)}`),
    side('get track', small, (n) => `/track/${pick(small.tracks, n)}`),
    side('get marker', small, (n) => `/marker-code/${first + (n % MARKERS)}`),
  ];
  return {
    title: 'single reads',
    sides: [
      {
        name: 'bare D1 read',
        send: bare,
        shot: (n) => ({ method: 'GET', path: `/read/few-${n % FEW}` }),
      },
      ...sides,
    ],
    targets: Object.fromEntries(sides.map(({ name }) => [name, throughput])),
  };
}

function writes(title: string, bare: Send, bareName: string, barePath: string, side: Side): Comparison {
  const bareSide: Side = {
    name: bareName,
    send: bare,
    shot: (n) => keyed(barePath, barePath === '/couple' ? { wmsId: `C${n}` } : undefined),
  };
  return { title, sides: [bareSide, side], targets: { [side.name]: throughput } };
}

function images(bare: Send, { send }: Tenant, first: number, bytes: number): Comparison {
  return {
    title: 'public image',
    sides: [
      { name: 'bare response', send: bare, shot: () => ({ method: 'GET', path: `/image/${bytes}` }) },
      {
        name: 'marker image',
        send,
        shot: (n) => ({ method: 'GET', path: imagePath(first + (n % MARKERS)) }),
      },
    ],
    targets: { 'marker image': throughput },
  };
}

function lists(bare: Send, small: Tenant, large: Tenant): Comparison {
  const side = (name: string, send: Send, path: string): Side => ({
    name,
    send,
    shot: () => ({ method: 'GET', path }),
  });
  return {
    title: 'list of manifests',
    sides: [
      side('list of 100', small.send, `${API}/manifest`),
      side('list of 5,000', large.send, `${API}/manifest`),
      side('bare list of 100', bare, '/list/few'),
      side('bare list of 5,000', bare, '/list/many'),
    ],
    // Time is the reciprocal of throughput at a fixed concurrency.
    targets: {
      'list of 5,000': { least: 1 / GROWTH_TARGET, text: `≤ ${GROWTH_TARGET}× the time of 100` },
    },
  };
}
