import { runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { bindings } from '../../failing.ts';
import type { Dock } from '../shipment/dock.ts';
import { clock, departingDock, departs, MINUTE, told } from './departures.ts';

afterEach(() => vi.useRealTimers());

/** A step of a history. Times are minutes from its start. */
type Step =
  | { do: 'move'; shipment: number; planned: number }
  | { do: 'clear' | 'start' | 'complete' | 'cancel' | 'delete'; shipment: number }
  | { do: 'clock'; now: number };

const shipment = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      shipment,
      planned: fc.integer({ min: -60, max: 240 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('clear', 'start', 'complete', 'cancel', 'delete'), shipment }),
  },
  // Clocks run on, jump ahead and jump back.
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('clock' as const), now: fc.integer({ min: 0, max: 240 }) }),
  },
);

/** The rule: a departure is reported once, when the clock has reached it, and until it no longer applies. */
class Model {
  now = 0;
  alerts: { shipment: number; open: boolean }[] = [];
  shipments = [0, 1, 2].map(() => ({ status: 'TO_DO', planned: null as number | null, isTold: false }));

  apply(next: Step): void {
    if (next.do === 'clock') this.now = next.now;
    else {
      const one = this.shipments[next.shipment]!;
      if (next.do === 'start') one.status = 'IN_PROGRESS';
      else {
        const planned = next.do === 'move' ? next.planned : null;
        if (next.do === 'move' && planned === one.planned) return;
        for (const alert of this.alerts) if (alert.shipment === next.shipment) alert.open = false;
        Object.assign(one, { planned, isTold: false });
        if (next.do !== 'move' && next.do !== 'clear') one.status = 'CLOSED';
      }
    }
    for (const [index, one] of this.shipments.entries())
      if (one.planned !== null && one.planned <= this.now && !one.isTold) {
        one.isTold = true;
        this.alerts.push({ shipment: index, open: true });
      }
  }

  /** Whether the service takes the step. */
  allows(next: Step): boolean {
    if (next.do === 'clock') return true;
    const { status, planned } = this.shipments[next.shipment]!;
    if (next.do === 'start') return status === 'TO_DO';
    if (next.do === 'complete') return status === 'IN_PROGRESS';
    if (next.do === 'clear') return status !== 'CLOSED' && planned !== null;
    return status !== 'CLOSED';
  }
}

const perform = async (dock: Dock, start: number, next: Step): Promise<void> => {
  if (next.do === 'clock') return clock(start + next.now * MINUTE);
  const path = `/shipment/S${next.shipment}`;
  if (next.do === 'move')
    await dock.must('POST', `${path}/custom-field`, departs(start + next.planned * MINUTE));
  else if (next.do === 'clear') await dock.must('DELETE', `${path}/custom-field/etd`);
  else if (next.do === 'delete') await dock.must('DELETE', path);
  else {
    const status = { start: 'IN_PROGRESS', complete: 'COMPLETED', cancel: 'CANCELLED' }[next.do];
    await dock.must('POST', `${path}/status/${status}`);
  }
};

/** Runs the jobs of the object, as its alarm does. */
const runJobs = ({ uuid }: Dock) =>
  runInDurableObject(bindings.WRITER.get(bindings.WRITER.idFromName(uuid)), (object) =>
    (object as unknown as { alarm(): Promise<void> }).alarm(),
  );

it('exactly the right alerts are open after any history of departures, closings and clocks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      vi.useRealTimers();
      const dock = await departingDock();
      for (const index of [0, 1, 2]) {
        await dock.manifest(`M${index}`);
        await dock.shipment(`S${index}`, [`M${index}`], { gateIdentifier: 'G' });
      }
      const [start, model] = [Date.now(), new Model()];
      for (const next of steps.filter((one) => one !== undefined)) {
        if (!model.allows(next)) continue;
        await perform(dock, start, next);
        await runJobs(dock);
        model.apply(next);
        const expected = model.alerts.map(
          (alert) => `DEPARTURE_LATE ${alert.open ? 'OPEN' : 'RESOLVED'} S${alert.shipment}`,
        );
        expect((await told(dock)).sort()).toEqual(expected.sort());
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);
