import { describe, expect, it } from 'vitest';
import { ALERTS } from '../../../../src/dispatch/alert/rules.ts';
import type { PlacedRecord } from '../../../../src/dispatch/load/shared/place-rules.ts';
import {
  cameraOf,
  type Decision,
  type Direction,
  type GateView,
  type HeldRecord,
  type MarkerView,
  type Pallet,
  type Scan,
  UNKNOWN_MARKER,
} from '../../../../src/dispatch/loading/gate-view-rules.ts';
import { decideScans, readingKey } from '../../../../src/dispatch/loading/scan-rules.ts';

const GATE = { uuid: 'gate', externalIdentifier: 'G', name: 'Gate 1' };
const CODE = 7;
const PALLET: Pallet = {
  markerCode: CODE,
  trackUuid: 'track',
  wmsId: 'P7',
  retirement: 'NONE',
  flagged: 0,
  damaged: 0,
};

/** A manifest of this load. A manifest with a name in small letters is in the load of the manifest with capital letters. */
const manifest = (id: string) => ({
  manifestUuid: `uuid of ${id}`,
  manifestExternalId: id,
  shipmentExternalId: `S of ${id}`,
  loadUuid: `load of ${id.toUpperCase()}`,
});

/** A record of the pallet on a manifest in progress at the gate. It has the name of the manifest. */
const held = (id: string, loadingStatus = 'NOT_LOADED'): HeldRecord => ({
  ...manifest(id),
  recordUuid: id,
  wmsId: PALLET.wmsId,
  trackUuid: PALLET.trackUuid,
  loadingStatus,
  gateUuid: null,
  gateExternalId: null,
  manifestStatus: 'IN_PROGRESS',
});
/** A record of the pallet on a completed manifest. */
const gone = (id: string, status = 'LOADED'): HeldRecord => ({
  ...held(id, status),
  manifestStatus: 'COMPLETED',
});
/** A record of the pallet on a manifest that was cancelled at the gate while the pallet was aboard. */
const cancelled = (id: string): HeldRecord => ({ ...held(id, 'LOADED'), manifestStatus: 'CANCELLED' });

const WRONG: PlacedRecord = {
  ...manifest('M'),
  recordUuid: 'wrong',
  trackUuid: PALLET.trackUuid,
  wmsId: PALLET.wmsId,
  markerCode: CODE,
  loadingStatus: 'WRONGLY_LOADED',
  loadingDate: 1,
  gateUuid: 'gate',
  gateExternalId: 'G',
  manifestStatus: 'IN_PROGRESS',
  manifestGateUuid: 'gate',
  alertUuids: ['alert'],
};
const EARLIER: PlacedRecord = { ...WRONG, trackUuid: 'another track', wmsId: 'P6' };
const UNKNOWN: PlacedRecord = {
  ...WRONG,
  recordUuid: 'unknown',
  trackUuid: null,
  wmsId: null,
  loadingStatus: 'UNKNOWN_LOADING',
};
/** A record of a manifest that was completed. */
const LEFT: PlacedRecord = { ...WRONG, ...manifest('D'), recordUuid: 'left', manifestStatus: 'COMPLETED' };
/** Records at another gate. */
const FAR: PlacedRecord = {
  ...WRONG,
  ...manifest('F'),
  recordUuid: 'far',
  gateUuid: 'far',
  gateExternalId: 'H',
};
const LOADED_FAR: PlacedRecord = { ...FAR, recordUuid: 'loaded', loadingStatus: 'LOADED', alertUuids: [] };

/** The marker of a pallet with these records. */
const pallet = (...records: HeldRecord[]): MarkerView => ({ ...UNKNOWN_MARKER, pallet: PALLET, records });
/** A pallet that is on no manifest. */
const stray = pallet();
const noPallet = UNKNOWN_MARKER;
/** A marker with these invalid records at the gate. */
const after = (marker: MarkerView, ...invalid: PlacedRecord[]) => ({
  ...marker,
  invalid,
  where: invalid.filter(({ wmsId }) => wmsId !== null && wmsId === marker.pallet?.wmsId),
});
/** A marker whose pallet has these records at other gates. */
const besides = (marker: MarkerView, ...where: PlacedRecord[]) => ({
  ...marker,
  where: [...marker.where, ...where],
});
const alerted = (marker: MarkerView) => ({ ...marker, alerted: true });

/** A gate where this manifest was activated last; null if no manifest is in progress. */
const viewOf = (target: string | null, marker: MarkerView): GateView => ({
  gate: GATE,
  active: target === null ? undefined : manifest(target),
  idleAlert: undefined,
  earlier: new Map(),
  usedIds: new Set(),
  markers: new Map([
    [`marker ${CODE}`, marker],
    ['pallet P7', marker],
  ]),
});

const scanOf = (direction: Direction, more: Partial<Scan> = {}): Scan => ({
  scanId: 'scan',
  markerCode: CODE,
  identifier: null,
  wmsId: null,
  direction,
  damaged: false,
  scanDate: 1,
  cameraHardwareId: null,
  camera: 'CAMERA 1',
  ...more,
});

const decide = (view: GateView, ...scans: Scan[]) => decideScans(view, scans, () => 'new');

/** A decision as one line: the outcome, the record in the result, and all changes. */
const inShort = ({ result, changed, added, removed, boarding, alert, countedIn }: Decision): string =>
  [
    `${result.outcome} ${result.recordUuid ?? '-'} of ${result.manifestExternalId ?? '-'}`,
    ...changed.map(({ record, to }) => `${record.recordUuid} to ${to}`),
    ...(added ? [`adds ${added.loadingStatus} to ${added.manifestExternalId}`] : []),
    ...removed.map(({ recordUuid }) => `removes ${recordUuid}`),
    ...boarding.unloaded.map(({ recordUuid }) => `unloads ${recordUuid}`),
    ...[...boarding.settled, ...boarding.cleared].map(({ recordUuid }) => `clears ${recordUuid}`),
    ...(alert ? [`${ALERTS[alert.alertType].severity} ${alert.alertType}`] : []),
    ...(countedIn ? [`counts in ${countedIn}`] : []),
  ].join('; ');

const ADDS_WRONG = 'WRONGLY_LOADED new of M; adds WRONGLY_LOADED to M; CRITICAL WRONGLY_LOADED';
const ADDS_UNKNOWN = 'UNKNOWN_LOADING new of M; adds UNKNOWN_LOADING to M; CRITICAL UNKNOWN_LOADING';
const QUIET = 'NO_ACTIVE_MANIFEST - of -';
const WARNS = `${QUIET}; WARNING SCAN_WITHOUT_ACTIVE_MANIFEST`;
const NOTHING = 'NOT_LOADED - of -';
const REMOVES_WRONG = 'UNLOADED wrong of M; removes wrong';
const REMOVES_UNKNOWN = 'UNLOADED unknown of M; removes unknown';
const REMOVES_LEFT = 'UNLOADED left of D; removes left';

/** The effect of a scan, the manifest that was activated last at the gate, the marker, and the decision. */
type Row = [effect: string, target: string | null, marker: MarkerView, decision: string];
const expectedTwice = pallet(held('M'), held('m'));
const onTwo = pallet(held('M'), held('m', 'LOADED'));
const offTwo = pallet(gone('D'), gone('E'));
const onBoth = pallet(held('M', 'LOADED'), gone('D'));
const returned = pallet(gone('D', 'OFFLOADED'), held('M', 'LOADED'));

const TABLE: Record<Direction, Row[]> = {
  LOAD: [
    ['loads a pallet that is expected', 'M', pallet(held('M')), 'LOADED M of M; M to LOADED'],
    ['loads a pallet that was unloaded', 'M', pallet(held('M', 'UNLOADED')), 'LOADED M of M; M to LOADED'],
    ['changes nothing for a loaded pallet', 'M', pallet(held('M', 'LOADED')), 'LOADED M of M'],
    [
      'loads a pallet on each manifest of a load',
      'M',
      expectedTwice,
      'LOADED M of M; M to LOADED; m to LOADED',
    ],
    [
      'loads a pallet of two loads on the load that was activated last',
      'M',
      pallet(held('M'), held('N')),
      'LOADED M of M; M to LOADED',
    ],
    [
      'takes a pallet from another load, where it was read before',
      'M',
      besides(pallet(held('M')), LOADED_FAR),
      'LOADED M of M; M to LOADED; unloads loaded',
    ],
    [
      'clears the wrong records of a pallet everywhere',
      'M',
      besides(after(pallet(held('M')), WRONG), FAR, LEFT),
      'LOADED M of M; M to LOADED; clears wrong; clears far; clears left',
    ],
    [
      'leaves the facts of a cancelled load',
      'M',
      besides(pallet(held('M')), { ...FAR, manifestStatus: 'CANCELLED' }),
      'LOADED M of M; M to LOADED',
    ],
    [
      'moves a pallet that a second reading finds at its own gate',
      'M',
      besides(pallet(held('M', 'LOADED')), FAR),
      'LOADED M of M; clears far',
    ],
    [
      'leaves a pallet LOADED on another load until it is read again',
      'M',
      besides(stray, LOADED_FAR),
      ADDS_WRONG,
    ],
    ['changes only records that are not loaded', 'M', onTwo, 'LOADED M of M; M to LOADED'],
    ['names the manifest that has the pallet', 'M', pallet(held('N')), 'LOADED N of N; N to LOADED'],
    [
      'clears the invalid record of a pallet that is expected now',
      'M',
      after(onTwo, WRONG),
      'LOADED M of M; M to LOADED; clears wrong',
    ],
    ['ignores completed manifests', 'M', pallet(gone('D')), ADDS_WRONG],
    ['adds a record for a pallet that is not expected', 'M', stray, ADDS_WRONG],
    ['adds a record for an unknown marker', 'M', noPallet, ADDS_UNKNOWN],
    ['finds the invalid record of a pallet', 'M', after(stray, WRONG), 'WRONGLY_LOADED wrong of M'],
    ['finds the invalid record of a marker', 'M', after(noPallet, UNKNOWN), 'UNKNOWN_LOADING unknown of M'],
    ['ignores a record of an earlier pallet with the marker', 'M', after(stray, EARLIER), ADDS_WRONG],
    ['ignores a record made before the marker was coupled', 'M', after(stray, UNKNOWN), ADDS_WRONG],
    ['ignores a record made before the track was deleted', 'M', after(noPallet, WRONG), ADDS_UNKNOWN],
    ['ignores a record of another manifest', 'M', after(stray, LEFT), ADDS_WRONG],
    ['adds a record although a warning is open', 'M', alerted(stray), ADDS_WRONG],
    ['warns of a pallet where nothing is in progress', null, stray, WARNS],
    ['warns of an unknown marker where nothing is in progress', null, noPallet, WARNS],
    ['warns of a dispatched pallet where nothing is in progress', null, pallet(gone('D')), WARNS],
    ['raises no second warning for a pallet', null, alerted(stray), QUIET],
    ['raises no second warning for an unknown marker', null, alerted(noPallet), QUIET],
  ],
  UNLOAD: [
    ['unloads a loaded pallet', 'M', pallet(held('M', 'LOADED')), 'UNLOADED M of M; M to UNLOADED'],
    ['unloads a pallet that was never loaded', 'M', pallet(held('M')), 'UNLOADED M of M; M to UNLOADED'],
    ['changes nothing for an unloaded pallet', 'M', pallet(held('M', 'UNLOADED')), 'UNLOADED M of M'],
    [
      'unloads a pallet on each manifest of a load',
      'M',
      onTwo,
      'UNLOADED m of m; M to UNLOADED; m to UNLOADED',
    ],
    [
      'unloads a pallet from the load that it is on',
      'M',
      pallet(held('M'), held('N', 'LOADED')),
      'UNLOADED N of N; N to UNLOADED',
    ],
    [
      'takes a pallet off a truck that was cancelled',
      null,
      pallet(cancelled('C')),
      'UNLOADED C of C; C to UNLOADED',
    ],
    ['leaves a pallet on another truck', 'M', besides(stray, LOADED_FAR, FAR), NOTHING],
    ['removes the record of a wrong pallet', 'M', after(stray, WRONG), REMOVES_WRONG],
    ['removes the record of an unknown marker', 'M', after(noPallet, UNKNOWN), REMOVES_UNKNOWN],
    ['removes a record made before the marker was coupled', 'M', after(stray, UNKNOWN), REMOVES_UNKNOWN],
    ['removes a record made before the track was deleted', 'M', after(noPallet, WRONG), REMOVES_WRONG],
    ['removes a record of another manifest', 'M', after(stray, LEFT), REMOVES_LEFT],
    ['removes a record after its manifest was closed', null, after(stray, LEFT), REMOVES_LEFT],
    ['removes each record of the pallet', 'M', after(stray, WRONG, LEFT), `${REMOVES_WRONG}; removes left`],
    [
      'unloads an expected pallet and removes its record',
      'M',
      after(pallet(held('M', 'LOADED')), WRONG),
      'UNLOADED M of M; M to UNLOADED; removes wrong',
    ],
    ['finds nothing to take off for a pallet', 'M', stray, NOTHING],
    ['finds nothing to take off for an unknown marker', 'M', noPallet, NOTHING],
    ['finds nothing to take off for a dispatched pallet', 'M', pallet(gone('D')), NOTHING],
    ['raises no warning for a pallet where nothing is in progress', null, stray, QUIET],
    ['raises no warning for an unknown marker where nothing is in progress', null, noPallet, QUIET],
    ['raises no warning for a dispatched pallet', null, pallet(gone('D')), QUIET],
  ],
  OFFLOAD: [
    ['takes a pallet off a completed manifest', 'M', pallet(gone('D')), 'OFFLOADED D of D; D to OFFLOADED'],
    ['needs no manifest in progress', null, pallet(gone('D')), 'OFFLOADED D of D; D to OFFLOADED'],
    ['takes a pallet off each manifest', null, offTwo, 'OFFLOADED D of D; D to OFFLOADED; E to OFFLOADED'],
    ['prefers a completed manifest', 'M', onBoth, 'OFFLOADED D of D; D to OFFLOADED'],
    ['unloads a pallet that never left', 'M', pallet(held('M', 'LOADED')), 'UNLOADED M of M; M to UNLOADED'],
    ['unloads a pallet that came back to be loaded again', 'M', returned, 'UNLOADED M of M; M to UNLOADED'],
    ['changes nothing for an offloaded pallet', null, pallet(gone('D', 'OFFLOADED')), 'OFFLOADED D of D'],
    ['removes the record of a wrong pallet', 'M', after(stray, WRONG), REMOVES_WRONG],
    ['removes the record of an unknown marker', 'M', after(noPallet, UNKNOWN), REMOVES_UNKNOWN],
    ['removes a record after its manifest was closed', null, after(stray, LEFT), REMOVES_LEFT],
    [
      'takes a pallet off a completed manifest and removes its record',
      'M',
      after(pallet(gone('D')), WRONG),
      'OFFLOADED D of D; D to OFFLOADED; removes wrong',
    ],
    [
      'removes the record of a pallet that was offloaded before',
      'M',
      after(pallet(gone('D', 'OFFLOADED')), WRONG),
      REMOVES_WRONG,
    ],
    ['finds nothing to take off for a pallet', 'M', stray, NOTHING],
    ['finds nothing to take off for an unknown marker', 'M', noPallet, NOTHING],
    ['finds nothing to take off where nothing is in progress', null, stray, NOTHING],
    ['finds no unknown marker where nothing is in progress', null, noPallet, NOTHING],
  ],
};

describe.each(Object.entries(TABLE) as [Direction, Row[]][])(
  'the decision on one %s scan',
  (direction, rows) => {
    it.each(rows)(`the rule decides that a ${direction} scan %s`, (_, target, marker, decision) => {
      const { results, decisions } = decide(viewOf(target, marker), scanOf(direction));
      expect(decisions.map(inShort)).toEqual([decision]);
      expect(results).toEqual([decisions[0]!.result]);
      expect(results[0]).toMatchObject({ scanId: 'scan', trackIdentifier: marker.pallet?.wmsId ?? null });
    });
  },
);

describe('the alert', () => {
  it.each<[string, string | null, MarkerView, object]>([
    ['names the pallet', 'M', stray, {}],
    [
      'names both gates of a pallet on another truck',
      'M',
      besides(stray, LOADED_FAR),
      { elsewhere: { load: 'S of F', gate: 'H' } },
    ],
    ['names an unknown marker by its code', 'M', noPallet, {}],
    ['names the pallet where nothing is in progress', null, stray, { isUnknown: false }],
    ['names an unknown marker where nothing is in progress', null, noPallet, { isUnknown: true }],
  ])('the alert of a scan %s', (_, target, marker, params) => {
    const { decisions } = decide(viewOf(target, marker), scanOf('LOAD'));
    expect(decisions[0]!.alert).toMatchObject({
      params,
      gate: GATE,
      trackIdentifier: marker.pallet?.wmsId ?? null,
      markerCode: CODE,
      ...(target && { manifestExternalId: target, shipmentExternalId: `S of ${target}`, recordUuid: 'new' }),
    });
  });
});

describe('a reading of a label that is no marker', () => {
  /** A pallet of an open manifest that never had a marker. */
  const unmarked = (...records: HeldRecord[]): MarkerView => ({
    ...UNKNOWN_MARKER,
    pallet: { ...PALLET, markerCode: null, trackUuid: null },
    records: records.map((record) => ({ ...record, trackUuid: null })),
  });
  const unmarkedWrong = { ...WRONG, markerCode: null, trackUuid: null };
  const sscc = { ...UNKNOWN, wmsId: 'P7', markerCode: null };

  it.each<[string, Direction, string | null, MarkerView, string | null, string]>([
    ['loads a pallet', 'LOAD', 'M', unmarked(held('M')), 'P7', 'LOADED M of M; M to LOADED'],
    [
      'unloads a pallet',
      'UNLOAD',
      'M',
      unmarked(held('M', 'LOADED')),
      'P7',
      'UNLOADED M of M; M to UNLOADED',
    ],
    [
      'takes off a dispatched pallet',
      'OFFLOAD',
      null,
      unmarked(gone('D')),
      'P7',
      'OFFLOADED D of D; D to OFFLOADED',
    ],
    ['adds a record for a wrong pallet', 'LOAD', 'M', unmarked(), 'P7', ADDS_WRONG],
    [
      'removes the record of a wrong pallet',
      'UNLOAD',
      'M',
      after(unmarked(), unmarkedWrong),
      'P7',
      REMOVES_WRONG,
    ],
    ['warns where nothing is in progress', 'LOAD', null, unmarked(), 'P7', WARNS],
    ['adds a record for an SSCC that is no pallet', 'LOAD', 'M', noPallet, 'P7', ADDS_UNKNOWN],
    [
      'finds the record of an SSCC that is no pallet',
      'LOAD',
      'M',
      { ...noPallet, where: [sscc] },
      'P7',
      'UNKNOWN_LOADING unknown of M',
    ],
    ['recognizes no other text', 'LOAD', 'M', noPallet, null, 'NOT_RECOGNIZED - of -'],
    [
      'recognizes no other text where nothing is in progress',
      'LOAD',
      null,
      noPallet,
      null,
      'NOT_RECOGNIZED - of -',
    ],
  ])('a reading %s', (_, direction, target, marker, wmsId, decision) => {
    const scan = scanOf(direction, { markerCode: null, identifier: 'a text', wmsId });
    const { decisions } = decide(viewOf(target, marker), scan);
    expect(decisions.map(inShort)).toEqual([decision]);
    expect(decisions[0]!.result.trackIdentifier).toBe(wmsId);
    if (decisions[0]!.added) expect(decisions[0]!.added).toMatchObject({ wmsId: 'P7', markerCode: null });
  });
});

describe('damage', () => {
  const flag = (flagged: 0 | 1, damaged: 0 | 1) => ({ ...stray, pallet: { ...PALLET, flagged, damaged } });

  it.each<[string, MarkerView, boolean, boolean]>([
    ['flags the pallet', flag(0, 0), true, true],
    ['flags a pallet that was flagged for another reason', flag(1, 0), true, true],
    ['flags a pallet again after its flag was removed', flag(0, 1), true, true],
    ['changes nothing where the pallet is flagged as damaged', flag(1, 1), true, false],
    ['flags nothing where the marker is unknown', noPallet, true, false],
    ['flags nothing unless the camera reports damage', flag(0, 0), false, false],
  ])('a scan of a damaged pallet %s', (_, marker, damaged, damages) => {
    const { decisions } = decide(viewOf('M', marker), scanOf('LOAD', { damaged }));
    expect(decisions[0]!.damages).toBe(damages);
  });
});

describe('a late scan', () => {
  const LOADED = 'LOADED M of M; M to LOADED';
  const UNLOADED = 'UNLOADED M of M; M to UNLOADED';
  const LATE = 'SUPERSEDED - of -';
  const expected = pallet(held('M'));

  /** Scans as `direction@scanDate`, with `*` for another camera, and their decisions. */
  it.each<[string, MarkerView, [scan: string, decision: string][]]>([
    [
      'does not undo a later scan',
      expected,
      [
        ['LOAD@5', LOADED],
        ['UNLOAD@9', UNLOADED],
        ['LOAD@6', LATE],
      ],
    ],
    [
      'is superseded in the same direction',
      expected,
      [
        ['LOAD@5', LOADED],
        ['LOAD@4', LATE],
      ],
    ],
    [
      'counts if the dates are equal',
      expected,
      [
        ['UNLOAD@5', UNLOADED],
        ['LOAD@5', LOADED],
      ],
    ],
    [
      'counts if another camera sent the later scan',
      expected,
      [
        ['UNLOAD@9', UNLOADED],
        ['LOAD@5*', LOADED],
      ],
    ],
    [
      'counts if the later scan changed nothing',
      expected,
      [
        ['LOAD@5', LOADED],
        ['LOAD@9', 'LOADED M of M'],
        ['UNLOAD@6', UNLOADED],
      ],
    ],
    [
      'changes nothing, so scans after it are compared with the same date',
      expected,
      [
        ['UNLOAD@9', UNLOADED],
        ['LOAD@5', LATE],
        ['LOAD@9', LOADED],
      ],
    ],
    [
      'does not add a wrong pallet again that was taken off',
      stray,
      [
        ['LOAD@5', ADDS_WRONG],
        ['UNLOAD@9', 'UNLOADED new of M; removes new'],
        ['LOAD@6', LATE],
      ],
    ],
    [
      'does not take off a wrong pallet',
      stray,
      [
        ['LOAD@9', ADDS_WRONG],
        ['UNLOAD@5', LATE],
      ],
    ],
    [
      'counts after a scan that took nothing off',
      stray,
      [
        ['UNLOAD@9', NOTHING],
        ['LOAD@5', ADDS_WRONG],
      ],
    ],
    [
      'counts for an unknown marker, which has no status',
      noPallet,
      [
        ['LOAD@9', ADDS_UNKNOWN],
        ['UNLOAD@5', 'UNLOADED new of M; removes new'],
      ],
    ],
  ])('a scan that arrives late %s', (_, marker, rows) => {
    const scans = rows.map(([text], index) => {
      const [, direction, scanDate, other] = /(\w+)@(\d)(\*?)/.exec(text)!;
      return scanOf(direction as Direction, {
        scanId: String(index),
        scanDate: Number(scanDate),
        camera: other ? 'CAMERA 2' : 'CAMERA 1',
      });
    });
    const { decisions } = decide(viewOf('M', marker), ...scans);
    expect(decisions.map(inShort)).toEqual(rows.map(([, decision]) => decision));
  });

  it('a pallet has dates of the 20 cameras that changed it last', () => {
    const scans = Array.from({ length: 25 }, (_, index) =>
      scanOf(index % 2 === 0 ? 'LOAD' : 'UNLOAD', {
        scanId: String(index),
        scanDate: index,
        camera: `CAMERA ${index}`,
      }),
    );
    const { decisions } = decide(viewOf('M', expected), ...scans);
    expect([...decisions.at(-1)!.cameraDates!]).toEqual(
      Array.from({ length: 20 }, (_, index) => [`CAMERA ${24 - index}`, 24 - index]),
    );
  });

  it('a late scan flags no damage and raises no alert', () => {
    const view = viewOf(null, { ...stray, cameraDates: new Map([['CAMERA 1', 9]]) });
    const { decisions } = decide(view, scanOf('LOAD', { scanDate: 5, damaged: true }));
    expect(decisions).toMatchObject([
      { damages: false, alert: undefined, result: { outcome: 'SUPERSEDED' } },
    ]);
  });

  it.each([
    ['CAM-1', 'one', 'CAM-1', 'two', true],
    ['CAM-1', 'one', 'CAM-2', 'one', false],
    [null, 'one', null, 'one', true],
    [null, 'one', null, 'two', false],
    [null, 'one', 'ACCESS_TOKEN one', 'one', false],
  ])(
    'the camera %s of token %s and the camera %s of token %s are one: %s',
    (first, one, second, two, same) => {
      const of = (id: string | null, uuid: string) => cameraOf(id, { actorType: 'ACCESS_TOKEN', uuid });
      expect(of(first, one) === of(second, two)).toBe(same);
    },
  );
});

describe('several scans', () => {
  const scan = (scanId: string, direction: Direction, more?: Partial<Scan>) =>
    scanOf(direction, { scanId, ...more });
  const decided = (view: GateView, ...scans: Scan[]) => decide(view, ...scans).decisions.map(inShort);

  it('scans of one batch see the status and the gate that a scan before them gave a record', () => {
    const scans = [scan('1', 'LOAD'), scan('2', 'LOAD'), scan('3', 'UNLOAD')];
    const { decisions } = decide(viewOf('M', pallet(held('M'))), ...scans);
    expect(decisions.flatMap(({ changed }) => changed)).toMatchObject([
      { to: 'LOADED', record: { loadingStatus: 'NOT_LOADED', gateExternalId: null } },
      { to: 'UNLOADED', record: { loadingStatus: 'LOADED', gateExternalId: 'G' } },
    ]);
  });

  it('scans of one batch add one record and one alert for a pallet that is read twice', () => {
    const twice = decided(viewOf('M', stray), scan('1', 'LOAD'), scan('2', 'LOAD'));
    expect(twice).toEqual([ADDS_WRONG, 'WRONGLY_LOADED new of M']);
  });

  it('scans where nothing is in progress raise one warning, which counts each further marker once', () => {
    const [COUNTS, EARLIER_COUNTS] = [`${QUIET}; counts in new`, `${QUIET}; counts in earlier`];
    const scans = [
      scan('1', 'LOAD'),
      scan('2', 'LOAD'),
      ...[8, 9, 8].map((markerCode, at) => scan(`${3 + at}`, 'LOAD', { markerCode })),
    ];
    expect(decided(viewOf(null, stray), ...scans)).toEqual([WARNS, QUIET, COUNTS, COUNTS, QUIET]);
    const warned = { ...viewOf(null, alerted(stray)), idleAlert: 'earlier' };
    expect(decided(warned, ...scans)).toEqual([QUIET, QUIET, EARLIER_COUNTS, EARLIER_COUNTS, QUIET]);
  });

  it('a repeat of a scan where nothing is in progress counts nothing', () => {
    const scans = [scan('1', 'LOAD'), scan('2', 'LOAD', { markerCode: 8 })];
    expect(decided(viewOf(null, stray), ...scans, ...scans)).toHaveLength(2);
  });

  it('the alert of the first scan names its pallet, and the rules change nothing of it for further scans', () => {
    const { decisions } = decide(
      viewOf(null, stray),
      scan('1', 'LOAD'),
      scan('2', 'LOAD', { markerCode: 8 }),
    );
    expect(decisions.map(({ alert }) => alert?.trackIdentifier)).toEqual(['P7', undefined]);
  });

  it('scans of one batch flag a damaged pallet once', () => {
    const scans = [scan('1', 'LOAD', { damaged: true }), scan('2', 'LOAD', { damaged: true })];
    const { decisions } = decide(viewOf('M', stray), ...scans);
    expect(decisions.map(({ damages }) => damages)).toEqual([true, false]);
  });

  it('a repeat in one batch gets the first result, damaged or not, and a used scanId counts again', () => {
    const scans = [
      scan('1', 'LOAD'),
      scan('1', 'LOAD', { damaged: true, scanDate: 2 }),
      scan('1', 'UNLOAD'),
      scan('1', 'LOAD', { markerCode: 8 }),
    ];
    const { results, decisions } = decide(viewOf('M', pallet(held('M'))), ...scans);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'LOADED',
      'LOADED',
      'UNLOADED',
      'UNKNOWN_LOADING',
    ]);
    expect(decisions.map((decision) => decision.scan)).toEqual([scans[0], scans[2], scans[3]]);
    expect(decisions.some(({ damages }) => damages)).toBe(false);
  });

  it('scans of one batch remove a record that a scan before them added, and add another one', () => {
    const scans = [scan('1', 'LOAD'), scan('2', 'UNLOAD'), scan('3', 'UNLOAD'), scan('4', 'LOAD')];
    expect(decided(viewOf('M', stray), ...scans)).toEqual([
      ADDS_WRONG,
      'UNLOADED new of M; removes new',
      NOTHING,
      ADDS_WRONG,
    ]);
  });

  it('scans with the scanId of an earlier batch get its result and have no effect', () => {
    const [earlier] = decide(viewOf('M', pallet(held('M'))), scanOf('LOAD')).results;
    const view = { ...viewOf('N', stray), earlier: new Map([[readingKey(scanOf('LOAD')), earlier!]]) };
    expect(decide(view, scanOf('LOAD', { damaged: true }))).toMatchObject({
      results: [earlier],
      decisions: [],
    });
  });

  it('scans of one batch leave the state that they are decided on unchanged', () => {
    const view = viewOf('M', pallet(held('M')));
    const before = structuredClone(view);
    decide(
      view,
      scan('1', 'LOAD', { damaged: true }),
      scan('2', 'UNLOAD'),
      scan('3', 'LOAD', { markerCode: 8 }),
    );
    expect(view).toEqual(before);
  });
});
