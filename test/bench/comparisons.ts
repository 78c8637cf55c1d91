import { randomUUID } from 'node:crypto';
import { client, type Send, succeed } from './client.ts';
import { firstCode } from './cost.ts';
import type { Side } from './measure.ts';
import { API, seedTenant, type Tenant } from './seed.ts';

/** Targets: throughput as a share of the bare Worker's. */
const LEAST = { read: 0.8, write: 1.5, dispatch: 1, image: 0.6, evidence: 0.5 };
/** Target: a page of 5,000 manifests may take this many times as long as a page of 100. */
const GROWTH_TARGET = 1.3;
const MARKERS = 60;
const FEW = 100;
const MANY = 5_000;
/** Callers of one organization on a busy morning. */
const MANY_CALLERS = 32;

/** The target of a side: the least ratio of its throughput to the first side's. */
export interface Target {
  least: number;
  text: string;
  /** If set, the target applies only to this number of callers. */
  callers?: number;
}

/** A comparison: its sides are measured against the first one, and may have targets. */
export interface Comparison {
  title: string;
  sides: Side[];
  /** Targets by name of the side. A side without a target is shown for information. */
  targets: Record<string, Target>;
  /** A number of callers in addition to the usual ones. */
  callers?: number;
}

/** Servers to measure. */
export interface Servers {
  service: string;
  bare: string;
  rival: { origin: string; engine: string } | undefined;
}

/** The organizations that were seeded, and the comparisons. */
export interface Prepared {
  small: Tenant;
  large: Tenant;
  reads: Comparison[];
  writes: Comparison[];
}

/** Fill the servers with rows of equal number and size. */
export async function prepare({ service, bare: bareOrigin, rival }: Servers): Promise<Prepared> {
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
  const beside = rival && {
    name: `Fastify + ${rival.engine}`,
    send: client(rival.origin, { 'X-AUTH-KEY': 'rival' }),
  };
  // The other columns of a row are about 100 bytes of its JSON.
  const size = Math.max(1, read.body.length - 100);
  for (const [collection, rows] of [
    ['few', FEW],
    ['many', MANY],
  ]) {
    for (const send of [bare, ...(beside ? [beside.send] : [])]) {
      await succeed(send, { method: 'POST', path: `/seed/${collection}?rows=${rows}&size=${size}` });
    }
  }
  return {
    small,
    large,
    reads: [
      reads(bare, small, large, first, beside),
      images(bare, small, first, image.body.length),
      lists(bare, small, large),
    ],
    writes: [
      writes('allocate', bare, beside, '/allocate', {
        name: 'allocate, URL',
        send: small.send,
        shot: () => keyed(`${API}/marker-code/allocate?quantity=1&imageDelivery=URL`),
      }),
      writes('get-and-couple', bare, beside, '/couple', {
        name: 'get-and-couple, URL',
        send: small.send,
        shot: (n) => keyed(`${API}/track/get-and-couple?imageDelivery=URL`, { wmsId: `C${n}` }),
      }),
    ],
  };
}

const imagePath = (markerCode: number): string => `${API}/marker-code/image/${markerCode}.png`;

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length]!;

/** A write with its own idempotency key, as a careful caller sends it. */
export const keyed = (path: string, json?: unknown) => ({
  method: 'POST' as const,
  path,
  headers: { 'Idempotency-Key': randomUUID() },
  ...(json === undefined ? {} : { json }),
});

/** The target of an operation compared with the bare Worker. */
export const throughput = (kind: keyof typeof LEAST, callers?: number): Target => ({
  least: LEAST[kind],
  text: `≥ ${LEAST[kind]} of bare throughput`,
  ...(callers === undefined ? {} : { callers }),
});

type Beside = { name: string; send: Send } | undefined;

function reads(bare: Send, small: Tenant, large: Tenant, first: number, beside: Beside): Comparison {
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
      ...(beside
        ? [
            {
              name: `${beside.name}, read`,
              send: beside.send,
              shot: (n: number) => ({ method: 'GET' as const, path: `/read/few-${n % FEW}` }),
            },
          ]
        : []),
    ],
    targets: Object.fromEntries(sides.map(({ name }) => [name, throughput('read')])),
  };
}

function writes(title: string, bare: Send, beside: Beside, path: string, side: Side): Comparison {
  const shot = (n: number) => keyed(path, path === '/couple' ? { wmsId: `C${n}` } : undefined);
  return {
    title,
    sides: [
      { name: `bare object + batch, ${path.slice(1)}`, send: bare, shot },
      side,
      ...(beside ? [{ name: `${beside.name}, ${path.slice(1)}`, send: beside.send, shot }] : []),
    ],
    targets: { [side.name]: throughput('write', MANY_CALLERS) },
    callers: MANY_CALLERS,
  };
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
    targets: { 'marker image': throughput('image') },
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
