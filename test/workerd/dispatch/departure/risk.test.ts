import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Dock } from '../load/shipment/dock.ts';
import {
  at,
  clock,
  departingDock,
  departs,
  dueOf,
  HOUR,
  MINUTE,
  minute,
  resolveByHand,
  told,
} from './departures.ts';

afterEach(() => vi.useRealTimers());

const PALLETS = Array.from({ length: 20 }, (_, index) => `P${index}`);

/** Shipment S of 20 pallets is being loaded and departs an hour after `now`. */
async function world(): Promise<{ dock: Dock; now: number }> {
  const dock = await departingDock();
  const now = Date.now();
  await dock.manifest('M', ...PALLETS);
  await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields: [departs(now + HOUR)] });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  return { dock, now };
}

/** Marks pallets as loaded, one each few minutes from a date. */
async function load(dock: Dock, [from, to]: [number, number], start: number, every: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    clock(start + (index - from) * every);
    await dock.must('PATCH', `/shipment/S/asset-loading/track/P${index}/status`, { status: 'LOADED' });
  }
}

describe('a departure at risk', () => {
  it('a pace that is too slow since the first pallet raises one alert, and a faster one resolves it', async () => {
    const { dock, now } = await world();
    await load(dock, [0, 9], now, 4 * MINUTE);
    await minute(dock);
    expect(await told(dock)).toEqual([]);
    await load(dock, [9, 10], now + 36 * MINUTE, 0);
    clock(Math.max(now + 37 * MINUTE, (await dueOf(dock))!) + 11_000);
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK OPEN S']);
    const [alert] = (await dock.must('GET', '/alert-event')).body.content;
    expect(alert).toMatchObject({ severity: 'WARNING', gate: { externalIdentifier: 'G' } });
    expect(alert.message).toMatch(
      `S may leave late. Planned departure: ${at(now + HOUR)}. At the current pace, the last pallet will be loaded at `,
    );
    clock((await dueOf(dock))! + 11_000);
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK OPEN S']);
    await load(dock, [10, 20], Date.now(), 1_000);
    clock((await dueOf(dock))! + 11_000);
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK RESOLVED S']);
  });

  it('an alert about a late departure replaces the one about a departure at risk', async () => {
    const { dock, now } = await world();
    await load(dock, [0, 10], now, 5 * MINUTE);
    clock(now + 50 * MINUTE);
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK OPEN S']);
    clock(now + HOUR + 11_000);
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK RESOLVED S', 'DEPARTURE_LATE OPEN S']);
    // The clock goes back: the shipment counts as late already.
    clock(now + 50 * MINUTE);
    await dock.must('POST', '/shipment/S/custom-field', { fieldKey: 'etd', fieldValue: at(now + HOUR) });
    await minute(dock);
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK RESOLVED S', 'DEPARTURE_LATE OPEN S']);
  });

  it('a risk that a person resolved is not reported again for the same departure', async () => {
    const { dock, now } = await world();
    await load(dock, [0, 10], now, 5 * MINUTE);
    clock(now + 50 * MINUTE);
    await minute(dock);
    await resolveByHand(dock);
    for (let later = 51; later < 60; later += 1) {
      clock(now + later * MINUTE);
      await minute(dock);
    }
    expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK RESOLVED S']);
    await dock.must('POST', '/shipment/S/custom-field', departs(now + 64 * MINUTE));
    await minute(dock);
    await vi.waitFor(async () =>
      expect(await told(dock)).toEqual(['DEPARTURE_AT_RISK RESOLVED S', 'DEPARTURE_AT_RISK OPEN S']),
    );
  });
});
