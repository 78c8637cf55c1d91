import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join } from 'node:path';
import type { Waits } from '../heavy.ts';
import type { Comparison } from './comparisons.ts';
import type { Cost } from './cost.ts';
import type { Flow, Waited } from './delivery.ts';
import type { Scaled } from './dispatch-cost.ts';
import type { Kept } from './kept.ts';
import { type Measured, median } from './measure.ts';
import type { PalletCost } from './pallet-cost.ts';
import { plotOf } from './plot.ts';
import { type Verdict, verdictsOf } from './report.ts';
import type { Sized } from './sizes.ts';
import type { WorldFigures } from './worlds.ts';

/**
 * All figures of a run, as written to the JSON file. Times are in milliseconds, throughput in requests per
 * second.
 */
export interface Figures {
  /** ISO 8601. */
  date: string;
  machine: string;
  /** The SQLite engine of the rival; null if the rival did not run. */
  rival: string | null;
  measured: MeasuredFigures[];
  costs: Cost[];
  sized: Sized;
  /** Reports of a year. */
  reports: Cost[];
  /** Bytes that a pallet leaves. */
  kept: Kept[];
  dispatch: Scaled;
  pallet: PalletCost;
  deliveries: { waited: Waited[]; flows: Flow[] };
  /** Writes of distant callers. */
  worlds: WorldFigures[];
  /** Waits of an organization beside another one with heavy requests. */
  neighbours: Waits[];
  verdicts: Verdict[];
}

/** The figures of some parts of a run, with the verdicts on their targets. */
export type PartFigures = Partial<Figures> & { verdicts: Verdict[] };

interface MeasuredFigures {
  title: string;
  callers: number;
  /** The other sides are compared with the first one. */
  sides: {
    name: string;
    perSecond: number;
    latency: number;
    p95: number;
    ratio: number;
    least: number | undefined;
  }[];
}

export function figuresOf(comparison: Comparison, measured: Measured[], callers: number): MeasuredFigures {
  const verdicts = verdictsOf(comparison, measured, callers);
  return {
    title: comparison.title,
    callers,
    sides: measured.map(({ name, perSecond, latency, p95, ratios }) => ({
      name,
      perSecond,
      latency,
      p95,
      ratio: median(ratios),
      least: verdicts.find((verdict) => verdict.name === name)?.least,
    })),
  };
}

/** The machine on which the figures were measured. */
export const machine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`;

/** The figures of several parts as one. */
export const merged = (parts: readonly PartFigures[]): PartFigures => ({
  ...Object.assign({}, ...parts),
  measured: parts.flatMap(({ measured = [] }) => measured),
  verdicts: parts.flatMap(({ verdicts }) => verdicts),
});

/** The figures in the JSON of an earlier run, with new figures of some parts in their places. */
export function replaced(path: string, parts: PartFigures): Figures {
  const before = JSON.parse(readFileSync(path, 'utf8')) as Figures;
  return {
    ...before,
    ...parts,
    measured: renewed(before.measured, parts.measured ?? [], ({ title, callers }) => `${title} ${callers}`),
    verdicts: renewed(before.verdicts, parts.verdicts, ({ name, concurrency }) => `${name} ${concurrency}`),
  };
}

/** Earlier items with new items in the places of those with the same key. Items with other keys follow. */
function renewed<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): T[] {
  const items = new Map(before.map((item) => [keyOf(item), item]));
  for (const item of after) items.set(keyOf(item), item);
  return [...items.values()];
}

/** Write the figures as JSON, and their plot next to it. @returns the paths. */
export function writeFigures(path: string, figures: Figures): string[] {
  const plot = join(dirname(path), 'results.svg');
  writeFileSync(path, jsonOf(figures));
  writeFileSync(plot, plotOf(figures));
  return [path, plot];
}

const rounded = (_: string, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;
const jsonOf = (figures: Figures): string => `${JSON.stringify(figures, rounded, 2)}\n`;
