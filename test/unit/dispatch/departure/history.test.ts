import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { Service } from './service.ts';

const MINUTE = 60_000;

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
      planned: fc.constantFrom(-30, 20, 60, 120),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('clear', 'start', 'complete', 'cancel', 'delete'), shipment }),
  },
  // Clocks run on, jump ahead and jump back.
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('clock' as const), now: fc.constantFrom(0, 10, 30, 61, 130) }),
  },
);

/** The rule: a departure is reported once, when the clock has reached it, and until it no longer applies. */
class Model {
  now = 0;
  alerts: { shipment: number; open: boolean }[] = [];
  shipments = [0, 1, 2].map(() => ({ status: 'TO_DO', planned: null as number | null, isTold: false }));

  /** The change of a command itself. It resolves alerts. */
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
  }

  /** The check after it. It raises alerts. */
  check(): void {
    for (const [index, one] of this.shipments.entries())
      if (one.planned !== null && one.planned <= this.now && !one.isTold) {
        one.isTold = true;
        this.alerts.push({ shipment: index, open: true });
      }
  }

  /** The alerts as `Service.alerts` returns them. */
  texts(): string[] {
    const textOf = (alert: Model['alerts'][number]) =>
      `DEPARTURE_LATE ${alert.open ? 'OPEN' : 'RESOLVED'} S${alert.shipment}`;
    return this.alerts.map(textOf).sort();
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

/** Performs a step at a service. */
async function perform(service: Service, organization: string, start: number, next: Step): Promise<void> {
  if (next.do === 'clock') {
    vi.setSystemTime(start + next.now * MINUTE);
    return;
  }
  const identifier = `S${next.shipment}`;
  const run = (name: Parameters<Service['run']>[1], input: object) =>
    service.run(organization, name, { identifier, ...input });
  if (next.do === 'move') {
    const fieldValue = new Date(start + next.planned * MINUTE).toISOString();
    await run('putShipmentField', { field: { fieldKey: 'etd', fieldValue } });
  } else if (next.do === 'clear') await run('removeShipmentField', { fieldKey: 'etd' });
  else if (next.do === 'delete') await run('deleteShipment', { ifMatch: null });
  else {
    const status = { start: 'IN_PROGRESS', complete: 'COMPLETED', cancel: 'CANCELLED' }[next.do];
    await run('changeShipmentStatus', { status });
  }
}

it('exactly the right alerts are open after any history of departures, closings and clocks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
      const start = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: start });
      const service = new Service();
      const organization = await service.organization();
      for (const index of [0, 1, 2]) await service.shipment(organization, `S${index}`);
      const model = new Model();
      let lastRun: number | null = null;
      for (const next of steps) {
        if (!model.allows(next)) continue;
        await perform(service, organization, start, next);
        model.apply(next);
        expect(service.alerts()).toEqual(model.texts());
        await service.job(organization, lastRun);
        lastRun = Date.now();
        model.check();
        expect(service.alerts()).toEqual(model.texts());
      }
      vi.useRealTimers();
    }),
    { numRuns: 60 },
  );
}, 60_000);
