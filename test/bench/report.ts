import type { Comparison } from './comparisons.ts';
import type { Cost } from './cost.ts';
import type { Flow, Waited } from './delivery.ts';
import type { Scaled } from './dispatch-cost.ts';
import { KEPT_MAXIMUM, type Kept } from './kept.ts';
import { type Measured, median } from './measure.ts';
import { ROWS_MAXIMUM, type Sized } from './sizes.ts';

/** How a side stands to its target, or a figure that may be so large at most. */
export interface Verdict {
  name: string;
  concurrency: number;
  ratio: number;
  least: number;
  text: string;
}

type Cell = string | number;

/** Print rows under a title, the first column left, numbers right. */
function printTable(title: string, header: string[], rows: Cell[][]): void {
  const lines = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const format = (line: string[]) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  console.log(`\n${title}\n${lines.map(format).join('\n')}`);
}

export function printMeasured(title: string, measured: Measured[]): void {
  printTable(
    title,
    ['', 'requests/s', 'median ms', 'p95 ms', 'ratio: median', 'min', 'max'],
    measured.map(({ name, perSecond, latency, p95, ratios }) => [
      name,
      perSecond.toFixed(0),
      latency.toFixed(2),
      p95.toFixed(2),
      median(ratios).toFixed(2),
      Math.min(...ratios).toFixed(2),
      Math.max(...ratios).toFixed(2),
    ]),
  );
}

export function printCosts(costs: Cost[]): void {
  printTable(
    'One request of each: what it asked of D1',
    ['', 'round trips', 'rows read', 'ms', 'bytes'],
    costs.map(({ name, roundTrips, rowsRead, milliseconds, bytes }) => [
      name,
      roundTrips,
      rowsRead,
      milliseconds.toFixed(1),
      bytes,
    ]),
  );
}

/** Each figure for all sizes side by side; the first column of a figure names it. */
export function printScaled({ sizes, steps }: Scaled): void {
  const shown = sizes.map((size) => size.toLocaleString('en'));
  const figures = ['round trips', 'rows read', 'ms'];
  const rows = steps.map(({ name, costs }) => [
    name,
    ...costs.map(({ roundTrips }) => roundTrips),
    ...costs.map(({ rowsRead }) => rowsRead),
    ...costs.map(({ milliseconds }) => milliseconds.toFixed(0)),
  ]);
  const header = figures.flatMap((figure) =>
    shown.map((size, index) => (index === 0 ? `${figure}: ${size}` : size)),
  );
  printTable(`A shipment of ${shown.join(', ')} pallets: what each step asked of D1`, ['', ...header], rows);
}

/** Rows read and time of a page, by the number of tracks. */
export function printSized({ sizes, lists }: Sized): void {
  const shown = sizes.map((size) => size.toLocaleString('en'));
  printTable(
    `The first page of a list of ${shown.join(', ')} tracks, its total included (at most ${ROWS_MAXIMUM} rows)`,
    ['', ...['rows read', 'ms'].flatMap((figure) => shown.map((size) => `${figure}: ${size}`))],
    lists.map(({ name, costs }) => [
      name,
      ...costs.map(({ rowsRead }) => rowsRead),
      ...costs.map(({ milliseconds }) => milliseconds.toFixed(1)),
    ]),
  );
}

/** Whether the largest table's pages stay within their rows, as a verdict beside those of throughput. */
export function sizedVerdicts({ sizes, lists }: Sized): Verdict[] {
  return lists.map(({ name, costs }) => ({
    name: `${name} of ${sizes.at(-1)!.toLocaleString('en')}`,
    concurrency: 1,
    ratio: ROWS_MAXIMUM / costs.at(-1)!.rowsRead,
    least: 1,
    text: `${costs.at(-1)!.rowsRead} rows read, at most ${ROWS_MAXIMUM}`,
  }));
}

const bytesOf = (kept: readonly Kept[], pruned: boolean): number =>
  kept.filter((part) => part.pruned === pruned).reduce((sum, { bytes }) => sum + bytes, 0);

/** What a pallet leaves behind, the largest first. */
export function printKept(kept: readonly Kept[]): void {
  for (const pruned of [false, true]) {
    const parts = kept.filter((part) => part.pruned === pruned);
    printTable(
      `Bytes that a pallet leaves behind, ${pruned ? 'until housekeeping deletes them' : 'for ever'}`,
      ['', 'of table', 'bytes'],
      [
        ...parts.map(({ name, table, bytes }) => [name, name === table ? '' : table, bytes.toFixed(0)]),
        ['all', '', bytesOf(kept, pruned).toFixed(0)],
      ],
    );
  }
}

/** Whether a pallet leaves behind little enough, as a verdict beside those of throughput. */
export function keptVerdict(kept: readonly Kept[]): Verdict {
  const bytes = bytesOf(kept, false);
  return {
    name: 'a pallet, for ever',
    concurrency: 8,
    ratio: KEPT_MAXIMUM / bytes,
    least: 1,
    text: `${bytes.toFixed(0)} bytes, at most ${KEPT_MAXIMUM}`,
  };
}

export function printDeliveries({ waited, flows }: { waited: Waited[]; flows: Flow[] }): void {
  printTable(
    'From the instant of a command to the first attempt of its delivery, at rest',
    ['', 'deliveries', 'median ms', 'p99 ms', 'longest ms'],
    waited.map(({ name, deliveries, median: middle, p99, longest }) => [
      name,
      deliveries,
      ...[middle, p99, longest].map((milliseconds) => milliseconds.toFixed(1)),
    ]),
  );
  printTable(
    'Events through one organization, with one webhook',
    ['', 'events', 'written a second', 'delivered a second'],
    flows.map(({ name, events, writtenPerSecond, deliveredPerSecond }) => [
      name,
      events,
      writtenPerSecond.toFixed(0),
      deliveredPerSecond.toFixed(0),
    ]),
  );
}

export function verdictsOf(comparison: Comparison, measured: Measured[], concurrency: number): Verdict[] {
  return measured.flatMap(({ name, ratios }) => {
    const target = comparison.targets[name];
    return target && (target.callers ?? concurrency) === concurrency
      ? [{ name, concurrency, ratio: median(ratios), ...target }]
      : [];
  });
}

/** One line a target: PASS, or BELOW by how much. */
export function printVerdicts(verdicts: Verdict[]): void {
  console.log('\nTargets (median ratio of throughput)');
  for (const { name, concurrency, ratio, least, text } of verdicts) {
    const verdict = ratio >= least ? 'PASS ' : 'BELOW';
    console.log(
      `${verdict}  ${ratio.toFixed(2)} (least ${least.toFixed(2)})  ${name}, concurrency ${concurrency}: ${text}`,
    );
  }
}
