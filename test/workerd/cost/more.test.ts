import { expect, it } from 'vitest';
import { ARCHIVED_ROWS_WRITTEN, MORE_ROWS_WRITTEN, ROWS_WRITTEN } from '../../bench/bill.ts';
import { deliveries, registerMail, until } from '../delivery/webhook/receiver.ts';
import { type Dock, newDock } from '../dispatch/load/shipment/dock.ts';
import { report, today } from '../dispatch/report/reports.ts';
import { age, keepFor, plan, retain } from '../retention/archives.ts';
import { recorded } from '../statements.ts';
import { PALLETS } from './day.ts';

/** A second run of each action, because the first one also stores the names of its action and actor. */
const RUNS = 2;

type Action = keyof typeof MORE_ROWS_WRITTEN;

/** The work of each action on shipment `S{number}` with manifest `M{number}`, which lacks two pallets. */
const ACTIONS: Record<Exclude<Action, 'an e-mail'>, (dock: Dock, number: number) => Promise<unknown>> = {
  'a comment on a pallet': (dock, number) =>
    dock.must('POST', `/track/A${number}/comments`, { additionalInfo: 'Wrapped again' }),
  'the arrival of a truck': (dock, number) =>
    dock.must('POST', `/shipment/S${number}/arrival`, { arrivalDate: new Date().toISOString() }),
  'a signature on a shipment': (dock, number) =>
    dock.must('POST', `/shipment/S${number}/signature`, {
      role: 'DRIVER',
      name: 'Ben Kraft',
      strokes: [[[10, 20]]],
      signDate: new Date().toISOString(),
    }),
  'a back order of 2 pallets': async (dock, number) => {
    await dock.must('POST', `/manifest/M${number}/backorder`, { externalIdentifier: `B${number}` });
  },
  'a report': (dock) => report(dock, 'DAY', today()),
};

/** A dock with two completed shipments. Each lacks two pallets. */
async function shortDock(): Promise<Dock> {
  const dock = await newDock();
  for (let number = 1; number <= RUNS; number += 1) {
    await dock.couple(`A${number}`);
    await dock.manifest(`M${number}`, `A${number}`, `B${number}`, `C${number}`);
    await dock.shipment(`S${number}`, [`M${number}`], { gateIdentifier: 'G' });
    await dock.must('POST', `/shipment/S${number}/status/IN_PROGRESS`);
    await dock.scan(`A${number}`);
  }
  return dock;
}

const isMail = (text: string): boolean => /webhook_delivery|mail_recipient|UPDATE webhook\b/.test(text);

/** The rows that the second run writes, in the statements that count. */
async function rowsOf(run: (number: number) => Promise<unknown>, counts = (_text: string) => true) {
  await run(1);
  const trips = await recorded(() => run(2));
  return trips
    .flatMap(({ statements, rowsWritten }) =>
      statements.map(({ text }, at) => [text, rowsWritten[at] ?? 0] as const),
    )
    .reduce((sum, [text, rows]) => sum + (counts(text) ? rows : 0), 0);
}

it.each(Object.entries(ACTIONS))(
  '%s writes as many rows as the guide about costs says',
  async (name, run) => {
    const dock = await shortDock();
    if (name.startsWith('a back order') || name === 'a report')
      for (let number = 1; number <= RUNS; number += 1)
        await dock.must('POST', `/shipment/S${number}/status/COMPLETED`);
    expect(await rowsOf((number) => run(dock, number))).toBe(MORE_ROWS_WRITTEN[name as Action]);
  },
);

it('coupling writes as many rows for each spelling of a WMS id in letters of one case', async () => {
  const dock = await newDock();
  const rows: number[] = [];
  for (const start of ['1', 'pal', 'PAL'])
    rows.push(await rowsOf((number) => dock.couple(`${start}-${number}`)));
  expect(rows).toEqual(Array(3).fill(ROWS_WRITTEN['get-and-couple']));
});

it('an e-mail writes as many rows as the guide about costs says', async () => {
  const dock = await shortDock();
  await dock.couple('W1', 'W2');
  const { uuid } = await registerMail(dock, `cost-${crypto.randomUUID()}@example.com`);
  const mailed = async (number: number) => {
    await dock.scan(`W${number}`);
    await until(async () => {
      const log = await deliveries(dock, uuid);
      return log.length === number && log.every(({ status }) => status === 'SUCCEEDED');
    });
  };
  expect(await rowsOf(mailed, isMail)).toBe(MORE_ROWS_WRITTEN['an e-mail']);
});

it('the archive of an order writes as many rows for a pallet as the guide about costs says', async () => {
  const dock = await newDock();
  await keepFor(dock, 90);
  const rows: number[] = [];
  for (let number = 1; number <= RUNS; number += 1) {
    const pallets = Array.from({ length: PALLETS }, (_, index) => `P${number}-${index}`);
    await dock.couple(...pallets);
    await dock.manifest(`M${number}`, ...pallets);
    await dock.shipment(`S${number}`, [`M${number}`], { gateIdentifier: 'G' });
    await dock.must('POST', `/shipment/S${number}/status/IN_PROGRESS`);
    for (const pallet of pallets) await dock.scan(pallet);
    await dock.must('POST', `/shipment/S${number}/status/COMPLETED`);
    for (const pallet of pallets) await dock.must('PATCH', `/track/${pallet}/retire`);
    await age(dock, 100);
    await plan(dock);
    const trips = await recorded(() => retain(dock));
    rows.push(trips.flatMap(({ rowsWritten }) => rowsWritten).reduce((sum, written) => sum + written, 0));
  }
  expect((await dock.must('GET', '/archive')).body.totalElements).toBe(2 * RUNS);
  expect(rows[1]! / PALLETS).toBeCloseTo(ARCHIVED_ROWS_WRITTEN, 1);
});
