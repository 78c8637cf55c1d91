import { type Send, type Shot, succeed } from './client.ts';
import { type Loading, SCANNED, scanOf, startLoading } from './dispatch.ts';
import { type Measured, measureAlone } from './measure.ts';
import { printTable, type Verdict } from './report.ts';
import { API, inParallel, provision } from './seed.ts';
import { freePort, startPlatform } from './server.ts';

/** The time between two distant regions, in milliseconds each way: Singapore and Eastern Europe. */
const DISTANCE_MS = 90;
const CROSSING_MS = 2 * DISTANCE_MS;

/**
 * Where the object of the organization is. `far`: beside the caller, and each call of D1 crosses the distance. `near`:
 * beside D1, and each call of the object crosses it. The Worker looks up credentials where D1 is near, because it is
 * placed beside `DB`.
 */
const WORLDS = {
  far: { d1Ms: DISTANCE_MS, objectMs: 0 },
  near: { d1Ms: 0, objectMs: DISTANCE_MS },
};
/** The number of callers. The last one shows how many commits a second an object makes. */
const CALLERS = [1, 8, 32];
const SLICE = { rounds: 2, sliceMs: 1_000, warmMs: 300 };
/** Manifests whose status changes once. */
const MANIFESTS = 3_000;

/**
 * Targets for an object beside D1: crossings of a write, of the first write (to the nearest whole number), and commits a
 * second.
 */
const CROSSINGS_MAXIMUM = 1.2;
const COLD_MAXIMUM = 2;
const COMMITS_LEAST = 60;

/** The speed of an operation, with the object in one of the places. */
export interface WorldFigures {
  world: keyof typeof WORLDS;
  name: string;
  callers: number;
  perSecond: number;
  /** Milliseconds. */
  latency: number;
  p95: number;
  /** The median latency as a multiple of one crossing. */
  crossings: number;
}

/** An organization that was prepared without a delay, and has not been used since the start of the service. */
interface Prepared {
  operations: Record<string, { send: Send; shot(n: number): Shot }>;
  /** Writes of organizations whose object and credentials are not in memory. */
  cold: { send: Send; shot: Shot }[];
}

/** Measure writes of distant callers, with the organization's object beside the caller, and beside D1. */
export async function worlds(state: string): Promise<WorldFigures[]> {
  const port = await freePort();
  const prepared = await served({ state, port, d1Ms: 0, objectMs: 0 }, prepare);
  const figures: WorldFigures[] = [];
  for (const [world, distance] of Object.entries(WORLDS) as [keyof typeof WORLDS, typeof WORLDS.far][]) {
    const measured = await served({ state, port, ...distance }, () => measure(prepared));
    for (const [callers, { name, perSecond, latency, p95 }] of measured) {
      figures.push({ world, name, callers, perSecond, latency, p95, crossings: latency / CROSSING_MS });
    }
  }
  return figures;
}

/** Run the service while a function uses it. */
async function served<T>(
  { state, port, d1Ms, objectMs }: { state: string; port: number; d1Ms: number; objectMs: number },
  use: (origin: string) => Promise<T>,
): Promise<T> {
  const delays = { PLATFORM_D1_MS: String(d1Ms), PLATFORM_OBJECT_MS: String(objectMs) };
  const server = await startPlatform(state, port, delays);
  try {
    return await use(server.origin);
  } finally {
    await server.stop();
  }
}

async function prepare(origin: string): Promise<Prepared> {
  const { send, device } = await provision(origin, 'world', [SCANNED.gate]);
  const loading: Loading = await startLoading(send, SCANNED);
  const manifests = Array.from({ length: MANIFESTS }, (_, index) => `W${index}`);
  await inParallel(manifests, (externalIdentifier) =>
    succeed(send, { method: 'POST', path: `${API}/manifest`, json: { externalIdentifier } }),
  );
  const couple = (wmsId: string): Shot => ({
    method: 'POST',
    path: `${API}/track/get-and-couple?imageDelivery=URL`,
    json: { wmsId },
  });
  const cold: Prepared['cold'] = [];
  // One organization for each start of the service, and for the warm-up of its code.
  for (let index = 0; index < 2 * Object.keys(WORLDS).length; index += 1) {
    const { send: own } = await provision(origin, `cold-${index}`, []);
    cold.push({ send: own, shot: couple(`COLD-${index}`) });
  }
  return {
    cold,
    operations: {
      scan: { send: device, shot: (n) => scanOf(loading, n) },
      'get-and-couple': { send, shot: (n) => couple(`N${n}`) },
      'status of a manifest': {
        send,
        shot: (n) => ({ method: 'POST', path: `${API}/manifest/${manifests[n]}/status/TO_DO` }),
      },
    },
  };
}

const COLD = 'get-and-couple, object and credential not in memory';

async function measure({ operations, cold }: Prepared): Promise<[number, Measured][]> {
  const [warming, first] = cold.splice(0, 2);
  // The first request of all compiles the code. That depends on the machine and not on the distance.
  await succeed(warming!.send, warming!.shot);
  const start = performance.now();
  await succeed(first!.send, first!.shot);
  const latency = performance.now() - start;
  const measured: [number, Measured][] = [
    [1, { name: COLD, perSecond: 1_000 / latency, latency, p95: latency, ratios: [1] }],
  ];
  for (const [name, side] of Object.entries(operations)) {
    for (const callers of CALLERS) {
      measured.push([callers, await measureAlone({ name, ...side }, { ...SLICE, concurrency: callers })]);
    }
  }
  return measured;
}

export function printWorlds(figures: readonly WorldFigures[]): void {
  printTable(
    `Writes of callers ${CROSSING_MS} ms away from D1. far: the object is beside them. near: it is beside D1`,
    ['', 'callers', 'commands/s', 'median ms', 'p95 ms', 'crossings'],
    figures.map(({ world, name, callers, perSecond, latency, p95, crossings }) => [
      `${world}: ${name}`,
      callers,
      perSecond.toFixed(1),
      latency.toFixed(0),
      p95.toFixed(0),
      crossings.toFixed(2),
    ]),
  );
}

/** The targets of an object beside D1. A ratio of 1 or more meets its target. */
export function worldVerdicts(figures: readonly WorldFigures[]): Verdict[] {
  const near = figures.filter(({ world }) => world === 'near');
  return near.flatMap(({ name, callers, perSecond, crossings }) => {
    const verdict = (ratio: number, text: string) => [
      { name: `near, ${name}`, concurrency: callers, ratio, least: 1, text },
    ];
    if (name === COLD)
      return verdict(COLD_MAXIMUM / Math.round(crossings), `at most ${COLD_MAXIMUM} crossings`);
    if (callers === 1)
      return verdict(CROSSINGS_MAXIMUM / crossings, `at most ${CROSSINGS_MAXIMUM} crossings`);
    return callers === CALLERS.at(-1)
      ? verdict(perSecond / COMMITS_LEAST, `at least ${COMMITS_LEAST} commands a second`)
      : [];
  });
}
