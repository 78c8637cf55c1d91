import { describe, expect, it } from 'vitest';
import { gatesInOrder } from '../../../../src/dispatch/gate/rules.ts';
import { stateIn } from '../../../../src/web/console/board/board-parts.tsx';
import { gateTitle } from '../../../../src/web/console/board/gate-view.tsx';
import {
  type BoardGate,
  type BoardLoad,
  byDeparture,
  gateStateOf,
  gateTopics,
  type OpenAlert,
  onWall,
  progressOf,
  type WrongPallet,
  waitingInSight,
} from '../../../../src/web/console/board/rules.ts';
import { wordsIn } from '../../../messages.ts';

const wrongPallet = (recordUuid: string): WrongPallet => ({
  recordUuid,
  loadingStatus: 'WRONGLY_LOADED',
  wmsId: 'X',
  markerCode: 1,
  date: 0,
  manifestUuid: 'm',
  manifestExternalId: 'M',
  shipmentUuid: null,
  belongsTo: [],
  left: null,
});
const alert = (uuid: string): OpenAlert => ({
  uuid,
  alertType: 'PALLETS_ABOARD',
  recordUuid: null,
  severity: 'CRITICAL',
  params: { count: 1, wmsIds: [] },
  trackIdentifier: null,
  manifestExternalId: null,
  shipmentExternalId: null,
  markerCode: null,
  date: 0,
  count: 1,
  stillAboard: null,
});
const thing = (counts: BoardLoad['counts'], status = 'IN_PROGRESS'): BoardLoad => ({
  kind: 'manifest',
  uuid: 'm',
  externalIdentifier: 'M',
  status,
  activateDate: 0,
  createDate: 0,
  departureDate: null,
  carrier: null,
  vehicle: null,
  seal: null,
  notes: null,
  arrivalDate: null,
  manifestsCount: null,
  counts,
});
const gate = (more: Partial<BoardGate>): BoardGate => ({
  uuid: 'g',
  externalIdentifier: 'G',
  name: 'Gate',
  deleted: false,
  totals: { active: 0, waiting: 0, wrong: 0, alerts: 0 },
  active: [],
  waiting: [],
  wrong: [],
  alerts: [],
  ...more,
});

describe('progress', () => {
  it('progress counts assets and ignores invalid records', () => {
    const counts = {
      LOADED: 2,
      NOT_LOADED: 1,
      UNLOADED: 1,
      OFFLOADED: 1,
      WRONGLY_LOADED: 3,
      UNKNOWN_LOADING: 1,
    };
    expect(progressOf(counts)).toEqual({ loaded: 2, total: 5, missing: 3 });
    expect(progressOf({})).toEqual({ loaded: 0, total: 0, missing: 0 });
  });
});

describe('the state of a gate', () => {
  const loading = thing({ LOADED: 1, NOT_LOADED: 1 });
  const loaded = thing({ LOADED: 2 });
  it.each([
    ['FREE', gate({})],
    ['OUT', gate({ deleted: true })],
    ['WRONG', gate({ deleted: true, wrong: [wrongPallet('r')] })],
    ['WAITING', gate({ waiting: [thing({}, 'TO_DO')] })],
    ['LOADING', gate({ active: [loading], waiting: [thing({}, 'TO_DO')] })],
    ['LOADING', gate({ active: [loaded, loading] })],
    ['LOADING', gate({ active: [thing({})] })],
    ['LOADING', gate({ active: [thing({ LOADED: 2, WRONGLY_LOADED: 1 })] })],
    ['READY', gate({ active: [loaded] })],
    ['READY', gate({ active: [loaded], alerts: [alert('a')] })],
    ['FREE', gate({ alerts: [alert('a')] })],
    ['WRONG', gate({ active: [loaded], wrong: [wrongPallet('r')], alerts: [alert('a')] })],
  ] as const)('the state of a gate is %s', (state, at) => {
    expect(gateStateOf(at)).toBe(state);
  });
});

describe('the waiting loads of a gate', () => {
  const at = (uuid: string, departureDate: number | null) => ({
    ...thing({}, 'TO_DO'),
    uuid,
    departureDate,
  });
  it.each([
    [
      [at('late', 1), at('later', 2), at('next', 30)],
      ['late', 'later'],
    ],
    [[at('next', 30), at('after', 40), at('open', null)], ['next']],
    [[], []],
  ])('a card shows the next load that waits, and each late one', (waiting, shown) => {
    expect(waitingInSight({ waiting }, 10).map(({ uuid }) => uuid)).toEqual(shown);
  });
});

describe('the order of gates', () => {
  it('gates sort as people count', () => {
    const named = (name: string, externalIdentifier = name) => ({
      uuid: externalIdentifier,
      name,
      externalIdentifier,
    });
    const gates = [named('Gate 10'), named('Gate 2', 'b'), named('gate 1'), named('Gate 2', 'a')];
    expect(gatesInOrder(gates).map(({ uuid }) => uuid)).toEqual(['gate 1', 'a', 'b', 'Gate 10']);
  });
});

describe('the order of a wall', () => {
  it('the wall shows wrong pallets first, then the shown times in order, then gates without a load', () => {
    const begun = (uuid: string, activateDate: number, counts: BoardLoad['counts']) =>
      gate({ uuid, active: [{ ...thing(counts), activateDate }] });
    const gates = [
      gate({ uuid: 'free' }),
      gate({ uuid: 'free too' }),
      gate({ uuid: 'ready', waiting: [thing({}, 'TO_DO')] }),
      begun('late', 2_000, { NOT_LOADED: 1 }),
      begun('early', 1_000, { NOT_LOADED: 1 }),
      begun('full', 3_000, { LOADED: 1 }),
      gate({ uuid: 'wrong', wrong: [wrongPallet('w')] }),
    ];
    expect(onWall(gates, 0).map(({ gate: { uuid } }) => uuid)).toEqual([
      'wrong',
      'early',
      'late',
      'full',
      'ready',
      'free',
      'free too',
    ]);
  });
});

describe('departures', () => {
  const leaves = (uuid: string, departureDate: number | null, status = 'TO_DO'): BoardLoad => ({
    ...thing({ NOT_LOADED: 1 }, status),
    uuid,
    departureDate,
  });

  it('departures sort by time, and loads without a plan keep their order', () => {
    const things = [leaves('a', null), leaves('b', 9), leaves('c', null), leaves('d', 3)];
    expect(byDeparture(things).map(({ uuid }) => uuid)).toEqual(['d', 'b', 'a', 'c']);
  });

  it('late departures come after wrong pallets, and the others follow by departure, loading or not', () => {
    const gates = [
      gate({ uuid: 'full', active: [{ ...leaves('f', 90), counts: { LOADED: 1 } }] }),
      gate({ uuid: 'soon', waiting: [leaves('s', 60)] }),
      gate({ uuid: 'late', waiting: [leaves('l', 40)] }),
      gate({ uuid: 'later', active: [leaves('m', 20)] }),
      gate({ uuid: 'wrong', active: [leaves('w', 99)], wrong: [wrongPallet('w')] }),
    ];
    expect(onWall(gates, 50).map(({ gate: { uuid }, late }) => [uuid, late?.uuid])).toEqual([
      ['wrong', undefined],
      ['later', 'm'],
      ['late', 'l'],
      ['soon', undefined],
      ['full', undefined],
    ]);
  });

  it('a gate is late by the truck of its row, or else by its latest truck', () => {
    const gates = [
      gate({ uuid: 'on time', active: [leaves('on time', 70)] }),
      gate({ uuid: 'behind', active: [leaves('loading', 60)], waiting: [leaves('behind', 10)] }),
      gate({ uuid: 'both', active: [leaves('less', 40)], waiting: [leaves('more', 20)] }),
    ];
    const rows = onWall(gates, 50).map(({ gate: { uuid }, thing, late }) => [uuid, thing?.uuid, late?.uuid]);
    expect(rows).toEqual([
      ['both', 'less', 'less'],
      ['behind', 'loading', 'behind'],
      ['on time', 'on time', undefined],
    ]);
  });
});

describe('the order of late gates', () => {
  it('a late departure comes before loading that began earlier and has no departure', () => {
    const gates = [
      gate({ uuid: 'begun', active: [{ ...thing({ NOT_LOADED: 1 }), activateDate: 10 }] }),
      gate({ uuid: 'late', waiting: [{ ...thing({ NOT_LOADED: 1 }, 'TO_DO'), departureDate: 40 }] }),
    ];
    expect(onWall(gates, 50).map(({ gate: { uuid } }) => uuid)).toEqual(['late', 'begun']);
  });
});

describe('problems at a gate', () => {
  it('a wrong pallet at a gate shows all its names', () => {
    const at = gate({ active: [thing({})], wrong: [wrongPallet('r')], alerts: [alert('a')] });
    expect(gateTopics(at)).toEqual(['gate:G', 'manifest:M', 'alert:a']);
  });
});

it.each([
  [['WRONGLY_LOADED'], 'WRONG PALLET, Gate', 'Wrong pallet'],
  [['UNKNOWN_LOADING'], 'UNKNOWN MARKER, Gate', 'Unknown marker'],
  [['UNKNOWN_LOADING', 'WRONGLY_LOADED'], 'WRONG PALLET, Gate', 'Wrong pallet'],
] as const)('the title and the state of a gate name the trouble %s', (kinds, title, state) => {
  const wrong = kinds.map((loadingStatus, at) => ({ ...wrongPallet(`r${at}`), loadingStatus }));
  const shown = gate({ wrong });
  expect(gateTitle(wordsIn('en'), shown)).toBe(title);
  expect(stateIn(wordsIn('en'), gateStateOf(shown), wrong)).toBe(state);
});
