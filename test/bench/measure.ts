import { type Send, type Shot, succeed } from './client.ts';

/** A server and its requests: `shot` returns the n-th request. */
export interface Side {
  name: string;
  send: Send;
  shot(n: number): Shot;
  /** Called before each slice, outside its time, because requests may use something up. */
  prepare?(): Promise<void>;
}

/** The figures of a side in one round. */
interface Slice {
  perSecond: number;
  /** Median latency, milliseconds. */
  latency: number;
}

/** The figures of a side in all rounds. */
export interface Measured {
  name: string;
  perSecond: number;
  latency: number;
  p95: number;
  /** Its throughput divided by the first side's in the same round. */
  ratios: number[];
}

/** How to run a comparison. */
export interface Plan {
  concurrency: number;
  rounds: number;
  sliceMs: number;
  /** How long each side is warmed up, so that its code is compiled. More code takes longer. */
  warmMs: number;
}

/**
 * Measure sides against the first of them. They take turns in short slices, and every second round has the
 * reverse order. So other load of the machine affects all sides alike. A ratio compares two slices of the
 * same round.
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

/** Measure a side without a comparison. */
export const measureAlone = async (side: Side, plan: Plan): Promise<Measured> =>
  (await compare([side], plan))[0]!;

const shots = new Map<string, number>();

/**
 * Send as many requests as fit in a slice. Each connection sends its next request when the last one is
 * answered.
 */
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

/** The quantile of the values: `part` of them (0 to 1) are below it. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(position)] ?? 0, sorted[Math.ceil(position)] ?? 0];
  return low + (high - low) * (position % 1);
}
