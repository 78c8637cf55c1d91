import { type Send, type Shot, succeed } from './client.ts';

/** One thing to measure: who is asked, and what for the n-th time. */
export interface Side {
  name: string;
  send: Send;
  shot(n: number): Shot;
  /** Called before each slice, which does not count it: shots may use something up. */
  prepare?(): Promise<void>;
}

/** What was measured of a side in one round. */
interface Slice {
  perSecond: number;
  /** Median latency, milliseconds. */
  latency: number;
}

/** All rounds of a side, and how it stands to the first side of its comparison in the same round. */
export interface Measured {
  name: string;
  perSecond: number;
  latency: number;
  p95: number;
  /** Throughput over that of the first side, by round. */
  ratios: number[];
}

/** How each comparison is run. */
export interface Plan {
  concurrency: number;
  rounds: number;
  sliceMs: number;
  /** How long each side is asked beforehand, so that what is measured is compiled: more code takes longer to be. */
  warmMs: number;
}

/**
 * Measure sides against the first of them. They take turns in short slices, in turning order, so that whatever
 * else the machine does hits all alike; a ratio is taken within a round.
 */
export async function compare(sides: Side[], plan: Plan): Promise<Measured[]> {
  const slices = sides.map((): Slice[] => []);
  const latencies = sides.map((): number[] => []);
  for (const side of sides) await slice(side, { ...plan, sliceMs: plan.warmMs }, []);
  for (let round = 0; round < plan.rounds; round += 1) {
    const order = sides.map((_, index) => index);
    if (round % 2 === 1) order.reverse();
    for (const index of order) slices[index]!.push(await slice(sides[index]!, plan, latencies[index]!));
  }
  return sides.map(({ name }, index) => ({
    name,
    perSecond: median(slices[index]!.map(({ perSecond }) => perSecond)),
    latency: median(slices[index]!.map(({ latency }) => latency)),
    p95: quantile(latencies[index]!, 0.95),
    ratios: slices[index]!.map(({ perSecond }, round) => perSecond / slices[0]![round]!.perSecond),
  }));
}

const shots = new Map<string, number>();

/** As many requests as fit in a slice, each connection sending its next one when the last is answered. */
async function slice(side: Side, { concurrency, sliceMs }: Plan, latencies: number[]): Promise<Slice> {
  await side.prepare?.();
  const own: number[] = [];
  const start = performance.now();
  const connection = async () => {
    while (performance.now() - start < sliceMs) {
      const n = shots.get(side.name) ?? 0;
      shots.set(side.name, n + 1);
      const sent = performance.now();
      await succeed(side.send, side.shot(n));
      own.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, connection));
  const seconds = (performance.now() - start) / 1_000;
  latencies.push(...own);
  return { perSecond: own.length / seconds, latency: median(own) };
}

export const median = (values: number[]): number => quantile(values, 0.5);

/** The value below which this part of the values lies. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return low + (high - low) * (position % 1);
}
