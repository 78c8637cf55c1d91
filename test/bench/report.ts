import { billOf, PALLET_MAXIMUM, PRICES_DATE, USAGE } from './bill.ts';
import type { Comparison } from './comparisons.ts';
import type { Cost } from './cost.ts';
import type { Flow, Waited } from './delivery.ts';
import type { Scaled } from './dispatch-cost.ts';
import { KEPT_MAXIMUM, type Kept } from './kept.ts';
import { type Measured, median } from './measure.ts';
import type { PalletCost } from './pallet-cost.ts';
import { REPORT_MAXIMUM_MS, YEAR } from './reports.ts';
import { ROWS_MAXIMUM, type Sized } from './sizes.ts';

/** A figure with its target. `ratio` must be at least `least`. */
export interface Verdict {
  name: string;
  concurrency: number;
  ratio: number;
  least: number;
  text: string;
}

type Cell = string | number;

/** Print a table. The first column is aligned left, numbers right. */
export function printTable(title: string, header: string[], rows: Cell[][]): void {
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
    'Cost in D1 of one request to each endpoint',
    ['', 'round trips', 'rows read', 'rows written', 'ms', 'bytes'],
    costs.map(({ name, roundTrips, rowsRead, rowsWritten, milliseconds, bytes }) => [
      name,
      roundTrips,
      rowsRead,
      rowsWritten,
      milliseconds.toFixed(1),
      bytes,
    ]),
  );
}

/** Print each figure for all sizes next to each other. The first column of a figure contains its name. */
export function printScaled({ sizes, steps }: Scaled): void {
  const shown = sizes.map((size) => size.toLocaleString('en'));
  const figures = ['round trips', 'rows read', 'rows written', 'ms'];
  const rows = steps.map(({ name, costs }) => [
    name,
    ...costs.map(({ roundTrips }) => roundTrips),
    ...costs.map(({ rowsRead }) => rowsRead),
    ...costs.map(({ rowsWritten }) => rowsWritten),
    ...costs.map(({ milliseconds }) => milliseconds.toFixed(0)),
  ]);
  const header = figures.flatMap((figure) =>
    shown.map((size, index) => (index === 0 ? `${figure}: ${size}` : size)),
  );
  printTable(`A shipment of ${shown.join(', ')} pallets: cost of each step in D1`, ['', ...header], rows);
}

/** Print rows read and time of a page, by number of tracks. */
export function printSized({ sizes, lists }: Sized): void {
  const shown = sizes.map((size) => size.toLocaleString('en'));
  printTable(
    `The first page of a list of ${shown.join(', ')} tracks, with its total (at most ${ROWS_MAXIMUM} rows)`,
    ['', ...['rows read', 'ms'].flatMap((figure) => shown.map((size) => `${figure}: ${size}`))],
    lists.map(({ name, costs }) => [
      name,
      ...costs.map(({ rowsRead }) => rowsRead),
      ...costs.map(({ milliseconds }) => milliseconds.toFixed(1)),
    ]),
  );
}

/** Verdicts on the rows that a page of the largest table reads. */
export function sizedVerdicts({ sizes, lists }: Sized): Verdict[] {
  return lists.map(({ name, costs }) => ({
    name: `${name} of ${sizes.at(-1)!.toLocaleString('en')}`,
    concurrency: 1,
    ratio: ROWS_MAXIMUM / costs.at(-1)!.rowsRead,
    least: 1,
    text: `${costs.at(-1)!.rowsRead} rows read, at most ${ROWS_MAXIMUM}`,
  }));
}

/** Print rows read and time of reports of a year. */
export function printReports(reports: Cost[]): void {
  printTable(
    `A report of a year of ${YEAR.shipments.toLocaleString('en')} shipments (at most ${REPORT_MAXIMUM_MS} ms)`,
    ['', 'round trips', 'rows read', 'ms'],
    reports.map(({ name, roundTrips, rowsRead, milliseconds }) => [
      name,
      roundTrips,
      rowsRead,
      milliseconds.toFixed(0),
    ]),
  );
}

/** Verdicts on the time of reports of a year. */
export function reportVerdicts(reports: Cost[]): Verdict[] {
  return reports.map(({ name, milliseconds }) => ({
    name: `${name} of a year`,
    concurrency: 1,
    ratio: REPORT_MAXIMUM_MS / milliseconds,
    least: 1,
    text: `${milliseconds.toFixed(0)} ms, at most ${REPORT_MAXIMUM_MS}`,
  }));
}

/** Print the rows that D1 writes for a pallet, and the bill for a million of them. */
export function printPallet({ steps, perPallet }: PalletCost): void {
  printTable(
    `Rows that D1 writes for a pallet: ${perPallet.rowsWritten.toFixed(1)}`,
    ['', 'of a request', 'of a pallet'],
    steps.map(({ name, rowsWritten, ofPallet }) => [name, rowsWritten.toFixed(1), ofPallet.toFixed(1)]),
  );
  const withoutWebhook = billOf({ ...USAGE.withoutWebhook, ...perPallet });
  const withWebhook = billOf(USAGE.withWebhook);
  printTable(
    `US dollars for a million pallets, beyond the included amounts (prices of ${PRICES_DATE})`,
    ['', 'no webhook', 'one webhook'],
    withoutWebhook.map(({ name, dollars }, at) => [
      name,
      dollars.toFixed(1),
      withWebhook[at]!.dollars.toFixed(1),
    ]),
  );
}

/** The verdict on the rows that D1 writes for a pallet. */
export function palletVerdict({ perPallet }: PalletCost): Verdict {
  return {
    name: 'a pallet, rows written',
    concurrency: 1,
    ratio: PALLET_MAXIMUM / perPallet.rowsWritten,
    least: 1,
    text: `${perPallet.rowsWritten.toFixed(1)} rows, at most ${PALLET_MAXIMUM}`,
  };
}

const bytesOf = (kept: readonly Kept[], pruned: boolean): number =>
  kept.filter((part) => part.pruned === pruned).reduce((sum, { bytes }) => sum + bytes, 0);

/** Print the bytes that a pallet leaves, the largest part first. */
export function printKept(kept: readonly Kept[]): void {
  for (const pruned of [false, true]) {
    const parts = kept.filter((part) => part.pruned === pruned);
    printTable(
      `Bytes that a pallet leaves ${pruned ? 'until housekeeping deletes them' : 'permanently'}`,
      ['', 'table', 'bytes'],
      [
        ...parts.map(({ name, table, bytes }) => [name, name === table ? '' : table, bytes.toFixed(0)]),
        ['all', '', bytesOf(kept, pruned).toFixed(0)],
      ],
    );
  }
}

/** The verdict on the bytes that a pallet leaves permanently. */
export function keptVerdict(kept: readonly Kept[]): Verdict {
  const bytes = bytesOf(kept, false);
  return {
    name: 'a pallet, permanently',
    concurrency: 8,
    ratio: KEPT_MAXIMUM / bytes,
    least: 1,
    text: `${bytes.toFixed(0)} bytes, at most ${KEPT_MAXIMUM}`,
  };
}

export function printDeliveries({ waited, flows }: { waited: Waited[]; flows: Flow[] }): void {
  printTable(
    'Time from a command to the first delivery attempt, at rest',
    ['', 'deliveries', 'median ms', 'p99 ms', 'longest ms'],
    waited.map(({ name, deliveries, median: middle, p99, longest }) => [
      name,
      deliveries,
      ...[middle, p99, longest].map((milliseconds) => milliseconds.toFixed(1)),
    ]),
  );
  printTable(
    'Events of one organization with one webhook',
    ['', 'events', 'written per second', 'delivered per second'],
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

/** Print one line for each target: PASS or BELOW. */
export function printVerdicts(verdicts: Verdict[]): void {
  console.log('\nTargets (median ratio of throughput)');
  for (const { name, concurrency, ratio, least, text } of verdicts) {
    const verdict = ratio >= least ? 'PASS ' : 'BELOW';
    console.log(
      `${verdict}  ${ratio.toFixed(2)} (target ${least.toFixed(2)})  ${name}, concurrency ${concurrency}: ${text}`,
    );
  }
}
