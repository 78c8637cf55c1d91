import { neighbourWaits, type Waits } from '../heavy.ts';
import { printTable, type Verdict } from './report.ts';

/** Target: 95 % of the requests of an organization take at most this time beside heavy requests of another one. */
const WAIT_MAXIMUM_MS = 300;

/** Measure how long an organization waits while another one sends ten heavy requests of each kind. */
export async function neighbours(origin: string): Promise<Waits[]> {
  const waits: Waits[] = [];
  for await (const found of neighbourWaits({ origin })) waits.push(found);
  return waits;
}

/** Print the waits of the neighbour, and how many heavy requests were done. */
export function printNeighbours(waits: readonly Waits[]): void {
  printTable(
    'GET of one track, while another organization sends ten heavy requests at once (p95, ms)',
    ['', 'done', 'refused for a moment', 'before', 'beside'],
    waits.map(({ name, statuses, idleMs, busyMs }) => [
      name,
      statuses.filter((status) => status < 300).length,
      statuses.filter((status) => status === 503).length,
      idleMs.toFixed(1),
      busyMs.toFixed(1),
    ]),
  );
}

/** Verdicts on the waits of the neighbour. */
export const neighbourVerdicts = (waits: readonly Waits[]): Verdict[] =>
  waits.map(({ name, busyMs }) => ({
    name: `a neighbour of ${name}`,
    concurrency: 10,
    ratio: WAIT_MAXIMUM_MS / busyMs,
    least: 1,
    text: `p95 ${busyMs.toFixed(0)} ms, at most ${WAIT_MAXIMUM_MS}`,
  }));
