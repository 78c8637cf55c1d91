import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginOf, dayAfter, dayIn, isDay } from '../../../../src/core/lib/zone.ts';
import {
  commonStart,
  type Departure,
  dayState,
  gridOf,
  heldBy,
  lanesOf,
  lateBy,
  nextAt,
  STEP_MS,
} from '../../../../src/web/console/today/rules.ts';
import { distance } from '../../../../src/web/ui/parts/time.tsx';

const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'America/Sao_Paulo',
];
const GATES = ['A', 'B', 'C'].map((name) => ({ uuid: name, externalIdentifier: name, name }));
const DAY = Date.parse('2026-11-22T00:00Z');

const departure = fc
  .record({
    uuid: fc.uuid(),
    externalIdentifier: fc.string(),
    status: fc.constantFrom('TO_DO' as const, 'IN_PROGRESS' as const, 'COMPLETED' as const),
    departureDate: fc.integer({ min: DAY - 48 * HOUR, max: DAY + 24 * HOUR - 1 }),
    gate: fc.constantFrom(...GATES),
    carrier: fc.constant(null),
    vehicle: fc.constant(null),
    arrivalDate: fc.constant(null),
    pallets: fc.nat(200),
    loaded: fc.nat(200),
    wrong: fc.nat(2),
    started: fc.integer({ min: -6 * HOUR, max: 2 * HOUR }),
    took: fc.nat(5 * HOUR),
  })
  .map(({ started, took, ...of }): Departure => {
    const activateDate = of.status === 'TO_DO' ? null : of.departureDate + started;
    return { ...of, activateDate, closeDate: of.status === 'COMPLETED' ? activateDate! + took : null };
  });

/** A shipment at the first gate that leaves at an hour of the day. */
const at = (hours: number, more: Partial<Departure> = {}): Departure => ({
  uuid: `${hours}`,
  externalIdentifier: 'S',
  status: 'TO_DO',
  departureDate: DAY + hours * HOUR,
  activateDate: null,
  closeDate: null,
  arrivalDate: null,
  gate: GATES[0]!,
  carrier: null,
  vehicle: null,
  pallets: 4,
  loaded: 0,
  wrong: 0,
  ...more,
});

describe('the gates over a day', () => {
  it('the day grid shows every shipment once, without overlap and inside its columns', () => {
    fc.assert(
      fc.property(fc.array(departure, { maxLength: 40 }), fc.nat(24 * HOUR), (departures, passed) => {
        const now = DAY + passed;
        const grid = gridOf(departures, DAY, DAY + 24 * HOUR, now);
        expect(grid.columns).toBeLessThanOrEqual(96);
        expect((grid.begin - DAY) % HOUR).toBe(0);
        const lanes = lanesOf(GATES, departures, grid, now);
        expect(
          lanes
            .flatMap(({ lines }) => lines.flat())
            .map((slot) => slot.departure.uuid)
            .sort(),
        ).toEqual(departures.map(({ uuid }) => uuid).sort());
        for (const line of lanes.flatMap(({ lines }) => lines)) {
          let at = 0;
          for (const { departure: of, column, columns, late, beside, taken } of line) {
            const [first, end] = taken;
            expect([first >= at, column >= first, end >= column + columns]).toEqual([true, true, true]);
            expect(columns - late).toBeGreaterThan(0);
            if (lateBy(of, now) === 0) expect(late).toBe(0);
            // The delay of a late shipment is drawn from its departure until now, also before it is loaded.
            else {
              expect((column + columns) * STEP_MS).toBeGreaterThanOrEqual(now - grid.begin);
              if (of.departureDate > grid.begin + STEP_MS)
                expect(now - lateBy(of, now) - grid.begin).toBeLessThanOrEqual(
                  (column + columns - late) * STEP_MS,
                );
            }
            // A text has room in the slot, or beside it. The columns of a long grid are narrow.
            const needed = Math.max(5, grid.columns / 10);
            expect(beside === null).toBe(columns - late >= needed);
            if (beside === 'ON_DELAY') expect(late).toBeGreaterThanOrEqual(5);
            else if (beside !== null) expect(end - first - columns).toBeGreaterThanOrEqual(5);
            at = end;
          }
          expect(at).toBeLessThanOrEqual(grid.columns);
        }
      }),
    );
  });

  it('the day grid keeps a gate busy from before to after, and a late shipment until now', () => {
    fc.assert(
      fc.property(departure, fc.nat(24 * HOUR), (of, passed) => {
        const { from, until } = heldBy(of, DAY + passed);
        expect(from).toBeLessThanOrEqual(until);
        if (of.status === 'IN_PROGRESS') expect(until).toBeGreaterThanOrEqual(DAY + passed);
        if (of.status !== 'COMPLETED') expect(until - from).toBeGreaterThanOrEqual(STEP_MS);
      }),
    );
  });

  it('the day grid shows the load at each gate, or the next one', () => {
    const next = (departures: Departure[]) => {
      const now = DAY + 9 * HOUR;
      const grid = gridOf(departures, DAY, DAY + 24 * HOUR, now);
      return nextAt(lanesOf([GATES[0]!], departures, grid, now)[0]!, now);
    };
    expect(next([at(15), at(12), at(7, { status: 'COMPLETED', closeDate: DAY + 7 * HOUR })])).toMatchObject({
      departure: { uuid: '12' },
      from: DAY + 11.5 * HOUR,
    });
    expect(next([at(12), at(9.5, { status: 'IN_PROGRESS', activateDate: DAY + 8 * HOUR })])!.from).toBe(
      DAY + 8 * HOUR,
    );
    expect(next([])).toBe(undefined);
  });

  it('the present day leaves out hours that are over and empty, and has eight hours at least', () => {
    const from = (now: number, departures: Departure[] = [], day = DAY) =>
      (gridOf(departures, day, day + 24 * HOUR, DAY + now * HOUR).begin - day) / HOUR;
    expect([from(5), from(9), from(15), from(20), from(22.5)]).toEqual([6, 8, 10, 10, 10]);
    expect(from(22.5, [at(23)])).toBe(16);
    expect(from(22.5, [at(23), at(7, { status: 'COMPLETED', closeDate: DAY + 7 * HOUR })])).toBe(6);
    expect([from(15, [], DAY - 24 * HOUR), from(15, [], DAY + 24 * HOUR)]).toEqual([6, 6]);
  });

  it('the day grid shortens names by their common beginning and never to nothing', () => {
    // A name keeps four characters, because 1 and 2 are no names.
    expect(commonStart(['SH-1', 'SH-2'])).toBe('');
    expect(commonStart(['SH-1121-01', 'SH-1121-02'])).toBe('SH-');
    expect(commonStart(['SH-1121-0001', 'SH-1121-0002'])).toBe('SH-1121-');
    expect(commonStart(['SH-2026-1121-01', 'SH-2026-1120-31'])).toBe('SH-2026-');
    expect([
      commonStart([]),
      commonStart(['A-1']),
      commonStart(['A1', 'A2']),
      commonStart(['A-', 'A-1']),
    ]).toEqual(['', '', '', '']);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ab-]{1,9}$/), { maxLength: 5 }), (names) => {
        const start = commonStart(names);
        for (const name of names)
          expect([name, name.startsWith(start), start === '' || name.length >= start.length + 4]).toEqual([
            name,
            true,
            true,
          ]);
      }),
    );
  });

  it('the day grid shows the key facts of a shipment', () => {
    const of: Departure = {
      uuid: 'u',
      externalIdentifier: 'S',
      status: 'IN_PROGRESS',
      departureDate: DAY,
      activateDate: DAY,
      closeDate: null,
      arrivalDate: null,
      gate: GATES[0]!,
      carrier: null,
      vehicle: null,
      pallets: 4,
      loaded: 4,
      wrong: 0,
    };
    expect(dayState(of)).toBe('ALL_LOADED');
    expect(dayState({ ...of, wrong: 1 })).toBe('WRONG');
    expect(dayState({ ...of, loaded: 3 })).toBe('LOADING');
    expect(dayState({ ...of, pallets: 0, loaded: 0 })).toBe('LOADING');
    expect(dayState({ ...of, status: 'TO_DO' })).toBe('READY');
    expect(dayState({ ...of, status: 'TO_DO', gate: null })).toBe('PLANNED');
    expect(dayState({ ...of, status: 'COMPLETED', loaded: 3 })).toBe('SHORT');
    expect([
      lateBy(of, DAY + 5),
      lateBy({ ...of, status: 'COMPLETED' }, DAY + 5),
      lateBy(of, DAY - 5),
    ]).toEqual([5, 0, 0]);
    expect([60_000, 42 * 60_000, 65 * 60_000, 2 * HOUR, 80 * HOUR].map(distance)).toEqual([
      '1 min',
      '42 min',
      '1 h 5 min',
      '2 h',
      '3 days',
    ]);
  });
});

describe('a day of the calendar', () => {
  it('a calendar day begins once and contains every instant of it in any zone', () => {
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
        const at = date.getTime();
        const day = dayIn(zone, at);
        const [begin, end] = [beginOf(zone, day), beginOf(zone, dayAfter(day, 1))];
        expect([begin <= at, at < end]).toEqual([true, true]);
        expect([22, 23, 24, 25, 26].map((hours) => hours * HOUR)).toContain(end - begin);
        expect(dayIn(zone, begin)).toBe(day);
        expect(dayIn(zone, begin - 1)).toBe(dayAfter(day, -1));
      }),
    );
  });

  it('a calendar day must exist', () => {
    expect(
      [
        '2026-11-22',
        '2024-02-29',
        '2026-02-29',
        '2026-13-01',
        '26-1-1',
        'today',
        '',
        '0000-01-01',
        '1899-12-31',
        '2900-01-01',
      ].filter(isDay),
    ).toEqual(['2026-11-22', '2024-02-29']);
  });
});
