import { newDock } from '../dispatch/load/shipment/dock.ts';
import { recorded, type Trip } from '../statements.ts';

/** Pallets of an order. */
export const PALLETS = 5;
/** Orders that are measured. An order before them stores the names of actions and actors. */
const ORDERS = 4;

/** The rows that each statement of an operation wrote, in one run of it. */
export type Written = ReadonlyMap<string, number>;

/** The cost of a day: for each kind of operation all its runs, and the rows for each pallet. */
export interface Day {
  runs: Record<string, Written[]>;
  perPallet: { rowsWritten: number; rowsRead: number };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);

/** The rows that a run of an operation wrote. */
export const rowsOf = (run: Written): number => sum(run.values());

/** The statements of a run with their rows, most rows first, for the message of a failed test. */
export const shown = (run: Written): string =>
  [...run]
    .toSorted(([, one], [, other]) => other - one)
    .map(([statement, rows]) => `${rows} ${statement}`)
    .join('\n');

/**
 * A day at a dock: orders of 5 pallets with a shipment each. Each pallet is coupled and scanned once. `settle` waits
 * until the deliveries of an operation have ended, so that their rows count for it. WMS ids begin with `start`.
 */
export async function dispatchDay(
  begin: (dock: Awaited<ReturnType<typeof newDock>>) => Promise<() => Promise<unknown>>,
  start = 'PAL',
): Promise<Day> {
  const dock = await newDock();
  const settle = await begin(dock);
  const runs: Day['runs'] = {};
  let rowsRead = 0;
  for (let order = 0; order <= ORDERS; order += 1) {
    const step = async (name: string, run: () => Promise<unknown>) => {
      const trips = await recorded(async () => {
        await run();
        await settle();
      });
      if (order === 0) return;
      runs[name] = [...(runs[name] ?? []), writtenBy(trips)];
      rowsRead += sum(trips.map((trip) => trip.rowsRead));
    };
    const pallets = Array.from({ length: PALLETS }, (_, index) => `${start}-${order}-${index}`);
    for (const pallet of pallets) await step('get-and-couple', () => dock.couple(pallet));
    await step('manifest of 5', () => dock.manifest(`M${order}`, ...pallets));
    await step('shipment', () => dock.shipment(`S${order}`, [`M${order}`], { gateIdentifier: 'G' }));
    await step('status IN_PROGRESS', () => dock.must('POST', `/shipment/S${order}/status/IN_PROGRESS`));
    for (const pallet of pallets) await step('scan', () => dock.scan(pallet));
    await step('status COMPLETED', () => dock.must('POST', `/shipment/S${order}/status/COMPLETED`));
  }
  const rowsWritten = sum(Object.values(runs).flatMap((of) => of.map(rowsOf)));
  const pallets = ORDERS * PALLETS;
  return { runs, perPallet: { rowsWritten: rowsWritten / pallets, rowsRead: rowsRead / pallets } };
}

function writtenBy(trips: readonly Trip[]): Written {
  const rows = new Map<string, number>();
  for (const { statements, rowsWritten } of trips) {
    for (const [at, { text }] of statements.entries()) {
      const written = rowsWritten[at] ?? 0;
      if (written === 0) continue;
      const [, statement = text] = /((?:INSERT INTO|UPDATE|DELETE FROM)\s+"?\w+)/.exec(text) ?? [];
      rows.set(statement, (rows.get(statement) ?? 0) + written);
    }
  }
  return rows;
}
