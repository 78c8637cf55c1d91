import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assetsCame,
  assetsTaken,
  boardingEffect,
  holderAmong,
  loadEnded,
  manifestsLeft,
  type PaperEffect,
  type PlacedRecord,
} from '../../../../../src/dispatch/load/shared/place-rules.ts';

/** A record: `A LOADED M` is pallet A on manifest M of load L. An unknown marker is `? UNKNOWN_LOADING M`. */
function record(text: string, more: Partial<PlacedRecord> = {}): PlacedRecord {
  const [pallet, loadingStatus, manifest] = text.split(' ') as [
    string,
    PlacedRecord['loadingStatus'],
    string,
  ];
  return {
    recordUuid: text,
    wmsId: pallet === '?' ? null : pallet,
    markerCode: null,
    trackUuid: null,
    loadingStatus,
    loadingDate: 1,
    gateUuid: null,
    gateExternalId: null,
    manifestUuid: manifest,
    manifestExternalId: manifest,
    manifestStatus: 'IN_PROGRESS',
    manifestGateUuid: null,
    shipmentExternalId: null,
    loadUuid: 'L',
    alertUuids: [],
    ...more,
  };
}
const records = (...texts: string[]): PlacedRecord[] => texts.map((text) => record(text));
const named = (list: readonly PlacedRecord[]): string[] => list.map(({ recordUuid }) => recordUuid);

/** An effect in short. */
const inShort = ({ restarted, stranded, handedOver, dropped, aboard }: PaperEffect): string[] => [
  ...named(restarted).map((text) => `${text} starts again`),
  ...stranded.map(({ record: { recordUuid }, holder }) => `${recordUuid} is wrong on ${holder.manifestUuid}`),
  ...handedOver.map(({ record: { recordUuid }, holder }) => `${recordUuid} goes to ${holder.manifestUuid}`),
  ...named(dropped).map((text) => `${text} is removed`),
  ...named(aboard).map((text) => `${text} is aboard`),
];

const LOAD = ['A LOADED M', 'B UNLOADED M', 'X WRONGLY_LOADED M', '? UNKNOWN_LOADING M', 'C LOADED N'];
const HOLDER = { manifestUuid: 'N', manifestExternalId: 'N' };

describe('assets are taken from a manifest', () => {
  it.each<[string, string[], string, boolean, string[]]>([
    ['a pallet that is aboard is wrong there', LOAD, 'A', true, ['A LOADED M is wrong on M']],
    ['a pallet that was taken off is gone', LOAD, 'B', true, []],
    ['nothing is aboard a load that is not in progress', LOAD, 'A', false, []],
    ['a pallet of another manifest is not concerned', LOAD, 'C', true, []],
    ['a wrong pallet is no asset', LOAD, 'X', true, []],
    ['another manifest of the load still expects the pallet', ['A LOADED M', 'A LOADED N'], 'A', true, []],
    [
      'another manifest has it as unloaded',
      ['A LOADED M', 'A UNLOADED N'],
      'A',
      true,
      ['A LOADED M is wrong on M'],
    ],
  ])('%s', (_, load, wmsId, isInProgress, effect) => {
    const taken = { manifestUuid: 'M', wmsIds: new Set([wmsId]) };
    expect(inShort(assetsTaken(records(...load), { isInProgress }, taken))).toEqual(effect);
  });
});

describe('a manifest leaves its load', () => {
  const start = ['A LOADED M starts again', 'B UNLOADED M starts again'];
  it.each<[string, string[], boolean, typeof HOLDER | undefined, string[]]>([
    [
      'the other manifest holds its pallets',
      LOAD,
      true,
      HOLDER,
      [...start, 'A LOADED M is wrong on N', 'X WRONGLY_LOADED M goes to N', '? UNKNOWN_LOADING M goes to N'],
    ],
    [
      'an alert names the pallets of a load without manifests',
      LOAD.slice(0, 4),
      true,
      undefined,
      [
        ...start,
        'X WRONGLY_LOADED M is removed',
        '? UNKNOWN_LOADING M is removed',
        'A LOADED M is aboard',
        'X WRONGLY_LOADED M is aboard',
        '? UNKNOWN_LOADING M is aboard',
      ],
    ],
    [
      'a mark by hand starts again before loading',
      ['A LOADED M'],
      false,
      undefined,
      ['A LOADED M starts again'],
    ],
    [
      'the other manifest expects the pallet, too',
      ['A LOADED M', 'A LOADED N'],
      true,
      HOLDER,
      ['A LOADED M starts again'],
    ],
  ])('%s', (_, load, isInProgress, holder, effect) => {
    expect(inShort(manifestsLeft(records(...load), { isInProgress, holder }, new Set(['M'])))).toEqual(
      effect,
    );
  });

  it.each([
    [
      'another manifest comes and holds its pallets',
      HOLDER,
      ['C'],
      ['A LOADED M is wrong on N', 'X WRONGLY_LOADED M goes to N'],
    ],
    ['the manifest that comes expects its pallet', HOLDER, ['A'], ['X WRONGLY_LOADED M goes to N']],
    ['the manifest that comes expects its wrong pallet', HOLDER, ['X'], ['A LOADED M is wrong on N']],
    ['the manifest that comes expects all its pallets', HOLDER, ['A', 'X'], []],
  ])('a manifest is replaced: %s', (_, holder, expected, effect) => {
    const change = { isInProgress: true, holder, expected: new Set(expected) };
    const load = records('A LOADED M', 'X WRONGLY_LOADED M');
    expect(inShort(manifestsLeft(load, change, new Set(['M'])))).toEqual([
      'A LOADED M starts again',
      ...effect,
    ]);
  });

  it('a pallet of two manifests that leave is one wrong pallet', () => {
    const both = records('A LOADED M', 'A LOADED O');
    const effect = manifestsLeft(both, { isInProgress: true, holder: HOLDER }, new Set(['M', 'O']));
    expect(effect.stranded).toHaveLength(1);
    expect(effect.restarted).toHaveLength(2);
  });

  it('no change of the paper loses a pallet that is aboard', () => {
    const any = fc.record({
      wmsId: fc.constantFrom('A', 'B', 'C'),
      status: fc.constantFrom('LOADED', 'UNLOADED', 'WRONGLY_LOADED'),
      manifest: fc.constantFrom('M', 'N', 'O'),
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 8 }),
        fc.subarray(['M', 'N', 'O']),
        fc.boolean(),
        (given, leaving, holds) => {
          const load = given.map(({ wmsId, status, manifest }, index) =>
            record(`${wmsId} ${status} ${manifest}`, { recordUuid: String(index) }),
          );
          const left = new Set(leaving);
          const holder = holds ? HOLDER : undefined;
          const effect = manifestsLeft(load, { isInProgress: true, holder }, left);
          const before = new Set(
            load.filter(({ loadingStatus }) => loadingStatus !== 'UNLOADED').map(({ wmsId }) => wmsId),
          );
          const after = new Set(
            [
              ...load.filter(
                ({ manifestUuid, loadingStatus }) => !left.has(manifestUuid) && loadingStatus !== 'UNLOADED',
              ),
              ...[...effect.stranded, ...effect.handedOver].map((one) => one.record),
              ...effect.aboard,
            ].map(({ wmsId }) => wmsId),
          );
          expect([...after].toSorted()).toEqual([...before].toSorted());
        },
      ),
    );
  });
});

it('a load that ends keeps its records, and an alert names the pallets aboard', () => {
  const effect = loadEnded(records(...LOAD), { isInProgress: true });
  expect(inShort(effect)).toEqual(
    ['A LOADED M', 'X WRONGLY_LOADED M', '? UNKNOWN_LOADING M', 'C LOADED N'].map(
      (text) => `${text} is aboard`,
    ),
  );
  expect(inShort(loadEnded(records(...LOAD), { isInProgress: false }))).toEqual([]);
});

describe('a pallet becomes LOADED on a load', () => {
  const there = { loadUuid: 'K' };
  it.each<[string, PlacedRecord, string]>([
    ['its record on another load in progress', record('A LOADED K', there), 'unloaded'],
    ['its record on the same load', record('A LOADED N'), '-'],
    ['its wrong record on another load', record('A WRONGLY_LOADED K', there), 'cleared'],
    ['its wrong record on the same load', record('A WRONGLY_LOADED N'), 'settled'],
    ['its record as an unknown SSCC', record('A UNKNOWN_LOADING N'), 'settled'],
    [
      'its wrong record on a completed load',
      record('A WRONGLY_LOADED K', { ...there, manifestStatus: 'COMPLETED' }),
      'cleared',
    ],
    [
      'its wrong record on a cancelled load',
      record('A WRONGLY_LOADED K', { ...there, manifestStatus: 'CANCELLED' }),
      '-',
    ],
  ])('%s', (_, other, effect) => {
    const changed = Object.entries(boardingEffect([other], 'L')).filter(([, list]) => list.length > 0);
    expect(changed.map(([kind]) => kind).join() || '-').toBe(effect);
  });
});

describe('assets come to a load in progress', () => {
  const far = { loadUuid: 'K' };
  const own = (status: string, loadingDate: number | null = 1) =>
    record(`A ${status} M`, { recordUuid: 'own', loadingDate, manifestStatus: 'PLANNED' });
  it.each<[string, PlacedRecord[], PlacedRecord[], string]>([
    ['nobody has read the pallet', [], [], ''],
    [
      'it was read there as a wrong pallet',
      [own('NOT_LOADED')],
      records('A WRONGLY_LOADED N'),
      'loaded; settles 1',
    ],
    ['another manifest of the load has it', [own('NOT_LOADED')], records('A LOADED N'), 'loaded'],
    ['it is on another truck', [own('NOT_LOADED')], [record('A LOADED K', far)], ''],
    [
      'it was read there after it was loaded on another truck',
      [own('NOT_LOADED')],
      [...records('A WRONGLY_LOADED N'), record('A LOADED K', far)],
      'loaded; unloads 1; settles 1',
    ],
    ['a person has marked it before', [own('LOADED')], [], ''],
    [
      'a person has marked it before another truck read it',
      [own('LOADED', 1)],
      [record('A LOADED K', { ...far, loadingDate: 2 })],
      'outdated 1',
    ],
    [
      'a person has marked it on two manifests before another truck read it',
      [own('LOADED', 1), own('LOADED', 1)],
      [record('A LOADED K', { ...far, loadingDate: 2 })],
      'outdated 2',
    ],
    [
      'a person has marked it after another truck read it',
      [own('LOADED', 3)],
      [record('A LOADED K', { ...far, loadingDate: 2 })],
      'unloads 1',
    ],
  ])('%s', (_, coming, where, effect) => {
    const { loaded, outdated, boarding } = assetsCame(['A'], coming, where, 'L');
    const said = [
      loaded.has('A') && 'loaded',
      outdated.length > 0 && `outdated ${outdated.length}`,
      boarding.unloaded.length > 0 && `unloads ${boarding.unloaded.length}`,
      boarding.settled.length > 0 && `settles ${boarding.settled.length}`,
    ];
    expect(said.filter(Boolean).join('; ')).toBe(effect);
  });
});

it('the manifest in progress that was activated last holds the records of wrong pallets', () => {
  const manifest = (uuid: string, manifestStatus: 'IN_PROGRESS' | 'CANCELLED', activateDate: number) => ({
    uuid,
    externalIdentifier: uuid,
    manifestStatus,
    activateDate,
  });
  const holder = holderAmong([
    manifest('A', 'IN_PROGRESS', 1),
    manifest('B', 'IN_PROGRESS', 2),
    manifest('C', 'CANCELLED', 3),
  ]);
  expect(holder).toEqual({ manifestUuid: 'B', manifestExternalId: 'B' });
  expect(holderAmong([manifest('C', 'CANCELLED', 3)])).toBeUndefined();
});
