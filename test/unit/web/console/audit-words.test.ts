import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../../../src/core/writer/audit-actions.ts';
import type { StoredAuditRecord } from '../../../../src/core/writer/audit-view.ts';
import { SCAN_OUTCOMES } from '../../../../src/dispatch/loading/table.ts';
import { DESK_LANGUAGES } from '../../../../src/messages/languages.ts';
import { outcomeIn } from '../../../../src/web/console/board/outcome-words.ts';
import type { NamedRecord } from '../../../../src/web/console/resources/audit/named-store.ts';
import { foldRecords } from '../../../../src/web/console/resources/audit/pages.tsx';
import {
  actionIn,
  changeIn,
  fieldIn,
  type Site,
  sentenceIn,
  unsaidChanges,
} from '../../../../src/web/console/resources/audit/words.ts';
import { wordsIn } from '../../../messages.ts';

const [en, de] = [wordsIn('en'), wordsIn('de')];

const SITE: Site = {
  timeZone: 'UTC',
  shipmentCustomFields: [
    { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
    { fieldKey: 'temp', fieldType: 'TEXT', role: null },
  ],
};
const BERLIN: Site = { ...SITE, timeZone: 'Europe/Berlin' };

const record = (action: string, changes: StoredAuditRecord['changes'] = []): StoredAuditRecord => ({
  uuid: '',
  sequenceNumber: 1,
  eventDate: 0,
  // Records of former versions must be readable, too.
  action: action as StoredAuditRecord['action'],
  actor: { actorType: 'USER', uuid: null, displayName: 'Anna Smith' },
  entityType: 'MANIFEST',
  entityUuid: '',
  entityExternalId: 'M1',
  changes,
  requestId: '',
  ipAddress: null,
  identity: null,
  previousHash: '',
  hash: '',
});
const english = (...of: Parameters<typeof record>) => sentenceIn(en, SITE, record(...of), 80);
const inGerman = (...of: Parameters<typeof record>) => sentenceIn(de, SITE, record(...of), 80);

describe('the choices of audit actions', () => {
  it('the choice of an audit action names the action, not the actor', () => {
    expect(actionIn(en, 'TRACK_COUPLED')).toBe('coupled pallet … to a marker');
    expect(actionIn(de, 'TRACK_COUPLED')).toBe('hat Palette … mit einem Marker gekoppelt');
  });

  it.each(DESK_LANGUAGES)('the choice of an audit action begins with a word in %s', (language) => {
    const texts = AUDIT_ACTIONS.map((action) => actionIn(wordsIn(language), action));
    expect(texts.filter((text) => !/^[\p{L}„«“]/u.test(text))).toEqual([]);
  });

  it.each([en, de])('the choices of audit actions differ from each other', (words) => {
    const actionTexts = AUDIT_ACTIONS.map((action) => actionIn(words, action));
    expect(actionTexts.filter((text, index) => actionTexts.indexOf(text) !== index)).toEqual([]);
  });
});

describe('a record of a new alert', () => {
  const raised = (alertType: string, params: unknown, more: [string, null, unknown][] = []) => ({
    ...record('ALERT_RAISED', [
      ['status', null, 'OPEN'],
      ['alertType', null, alertType],
      ['params', null, params],
      ...more,
    ]),
    entityType: 'ALERT' as const,
  });
  const messageOf = (of: Parameters<typeof unsaidChanges>[2]) =>
    unsaidChanges(de, BERLIN, of).find(({ field }) => field === 'params')?.newValue;

  it('a record of a new alert has its text in the language of the page, with times of the site', () => {
    const late = { plannedDate: Date.parse('2026-11-28T16:30:00.000Z') };
    const about: [string, null, string][] = [['shipmentExternalId', null, 'T-101']];
    expect(messageOf(raised('DEPARTURE_LATE', late, about))).toMatch(
      /^T-101 ist noch nicht abgefahren.*17:30/,
    );
  });

  it('a record of an alert about a wrong pallet names pallet and gate, also if the gate is gone', () => {
    const of = raised('WRONGLY_LOADED', {}, [
      ['trackIdentifier', null, 'P-1'],
      ['gate', null, 'G1'],
    ]);
    expect(messageOf({ ...of, gateName: 'Tor 1' })).toMatch(/^Tor 1: Palette P-1/);
    expect(messageOf({ ...of, gateName: null })).toMatch(/^G1: Palette P-1/);
  });

  it.each([
    ['DEPARTURE_LATE', {}],
    ['GONE', {}],
    ['DEPARTURE_LATE', 'late'],
  ])('a record of an alert %s with other facts (%j) shows them as they are', (alertType, params) => {
    expect(messageOf(raised(alertType, params))).toEqual(params);
  });
});

describe('a record as a sentence', () => {
  it.each([
    [{ actorType: 'SYSTEM', uuid: null, displayName: 'System' }, 'Der Dienst'],
    [{ actorType: 'SYSTEM', uuid: null, displayName: 'Webhook delivery' }, 'Der Dienst'],
    [{ actorType: 'OPERATOR', uuid: null, displayName: 'Operator' }, 'Betreiber'],
    [{ actorType: 'OPERATOR', uuid: 'u', displayName: 'Night shift' }, 'Night shift'],
  ] as const)('the log shows the kind of an actor that has no name: %o', (actor, name) => {
    expect(sentenceIn(de, SITE, { ...record('ALERT_RAISED'), actor }, 80)).toBe(
      `${name} hat eine Meldung ausgelöst`,
    );
  });

  it('an audit sentence names the actor, the resource, and the old and new value', () => {
    const gate = { uuid: 'u', externalIdentifier: 'G3', name: 'Gate 03' };
    expect(english('MANIFEST_GATE_ASSIGNED', [['gate', null, gate]])).toBe(
      'Anna Smith assigned a gate to manifest M1: Gate 03',
    );
    expect(english('MANIFEST_GATE_ASSIGNED', [['gate', gate, null]])).toBe(
      'Anna Smith removed manifest M1 from its gate: Gate 03',
    );
    const status: StoredAuditRecord['changes'] = [
      ['note', null, 'x'],
      ['manifestStatus', 'TO_DO', 'IN_PROGRESS'],
    ];
    expect(english('MANIFEST_STATUS_CHANGED', status)).toBe(
      'Anna Smith changed manifest M1 from Ready to In progress',
    );
    expect(inGerman('MANIFEST_STATUS_CHANGED', status)).toMatch(
      /^Anna Smith hat Ladeliste M1 von .+ auf .+ gesetzt$/,
    );
  });

  it('every audit action has a sentence in both languages, and former actions stay readable', () => {
    for (const action of AUDIT_ACTIONS) {
      const [one, other] = [english(action), inGerman(action)];
      expect([action, one === other || /[{}]|undefined/.test(one + other)]).toEqual([action, false]);
    }
    expect(english('GATE_PAINTED')).toBe('Gate painted');
  });
});

it('an audit sentence shows list changes, dates and booleans in words', () => {
  const change = (field: string, oldValue: unknown, newValue: unknown) =>
    changeIn(en, BERLIN, { field, oldValue, newValue }, 80);
  expect(change('name', 'A', 'B')).toBe('Name: from A to B');
  expect(change('name', null, 'B')).toBe('Name: B');
  expect(change('notes', 'A', null)).toBe('Notes: no longer A');
  expect(change('deleted', false, true)).toBe('Deleted: from No to Yes');
  expect(change('assets.added', null, ['P1', 'P2'])).toBe('Pallets: with P1 and P2');
  expect(change('assets.removed', { count: 900, sha256: 'x' }, null)).toBe('Pallets: without 900 entries');
  expect(
    change(
      'scopes',
      null,
      Array.from({ length: 9 }, (_, at) => `S${at}`),
    ),
  ).toBe('Scopes: 9 entries');
  expect(change('expiresDate', null, Date.UTC(2026, 0, 2, 12))).toMatch(/2026/);
  expect(change('name', null, `${'x'.repeat(79)}😀`)).toBe(`Name: ${'x'.repeat(79)}\ufffd…`);
  expect(change('customFields.Tür <3>', null, '<b>')).toBe('Tür <3>: <b>');
  expect(fieldIn(en, SITE, 'deviceOfflineAfterSeconds')).toBe('Seconds until a silent device is offline');
  // A field of a former version.
  expect(fieldIn(en, SITE, 'dockHeight')).toBe('Dock height');
});

it.each(['eventTypes', 'alertTypes'])('an empty list of %s means all of them', (field) => {
  const change = (words: typeof de, oldValue: unknown, newValue: unknown) =>
    changeIn(words, SITE, { field, oldValue, newValue }, 80);
  expect(change(de, null, [])).toMatch(/: alle$/);
  expect(change(wordsIn('es'), null, [])).toMatch(/: todos$/);
  expect(change(en, ['ALERT_RAISED'], null)).toMatch(/ to all$/);
  expect(changeIn(en, SITE, { field: 'scopes', oldValue: ['GATE_WRITE'], newValue: [] }, 80)).toMatch(
    / to nothing$/,
  );
});

it.each(SCAN_OUTCOMES)(
  'the sentence about scans says the result %s in words, and asks for nothing',
  (outcome) => {
    const scans = [['scans', null, [{ markerCode: 7, outcome }]]] as StoredAuditRecord['changes'];
    for (const text of [english('SCANS_RECORDED', scans), inGerman('SCANS_RECORDED', scans)]) {
      expect(text).not.toMatch(/[A-Z]{2}_|SUPERSEDED|: take|: herunter/);
    }
    const german = inGerman('SCANS_RECORDED', scans);
    expect(german).toContain(`(${outcomeIn(de, outcome)})`);
    expect(outcomeIn(de, outcome)).not.toBe(outcomeIn(en, outcome));
  },
);

describe('a record of loading as a sentence', () => {
  const loaded: NamedRecord = {
    ...record('ASSET_LOADING_STATUS_CHANGED', [
      ['loadingStatus', 'NOT_LOADED', 'LOADED'],
      ['gate', null, 'D04'],
      ['manifest', null, 'M1'],
    ]),
    actor: { actorType: 'TABLET', uuid: 'T', displayName: 'Dock 04, right, Ben' },
    entityType: 'ASSET_LOADING',
    entityExternalId: '395212345678901004',
    requestId: 'R',
    gateName: 'Dock 04',
    tabletName: 'Dock 04, right',
    pallets: null,
  };
  const scans = [
    { markerCode: 7, outcome: 'LOADED' },
    { markerCode: 8, outcome: 'UNKNOWN_LOADING' },
  ];
  const scan: NamedRecord = {
    ...loaded,
    ...record('SCANS_RECORDED', [['scans', null, scans]]),
    actor: loaded.actor,
    entityType: 'GATE',
    entityExternalId: 'D04',
    pallets: { 7: 'P-7' },
    requestId: 'R',
  };
  const said = (of: NamedRecord, words = en) => sentenceIn(words, SITE, of, 80);

  it('the sentence about a loaded pallet names the worker, the pallet, the result and the gate', () => {
    expect(said(loaded)).toBe('Ben loaded pallet 395212345678901004 (Dock 04)');
    expect(said(loaded, de)).toBe('Ben hat Palette 395212345678901004 (Dock 04) geladen');
    expect(said({ ...loaded, gateName: null })).toBe('Ben loaded pallet 395212345678901004');
    const flag = {
      ...loaded,
      changes: [['loadingStatus', 'LOADED', 'NOT_LOADED']] as NamedRecord['changes'],
    };
    expect(said(flag)).toMatch(/^Ben marked pallet 395212345678901004 as .+ \(Dock 04\)$/);
    const off = { ...loaded, changes: [['loadingStatus', 'LOADED', 'UNLOADED']] as NamedRecord['changes'] };
    expect(said(off)).toBe('Ben took pallet 395212345678901004 off the truck (Dock 04)');
  });

  it('the name of a worker is cut only after the name of the tablet', () => {
    expect(said({ ...loaded, tabletName: null })).toMatch(/^Dock 04, right, Ben loaded/);
    const person = { actorType: 'USER' as const, uuid: 'U', displayName: 'Dock 04, right, Ben' };
    expect(said({ ...loaded, actor: person })).toMatch(/^Dock 04, right, Ben loaded/);
  });

  it('the sentence about scans names each pallet with its result', () => {
    expect(said(scan)).toBe('Dock 04: Ben scanned P-7 (Loaded) and marker 8 (Unknown marker)');
    const many = Array.from({ length: 8 }, (_, index) => ({ markerCode: index, outcome: 'LOADED' }));
    expect(said({ ...scan, changes: [['scans', null, many]] })).toContain('and 3 pallets');
    expect(said({ ...scan, changes: [['scans', null, { count: 900, sha256: 'x' }]] })).toContain('scanned');
  });

  it('a wrong pallet without WMS id is named by its marker', () => {
    const resolved = record('UNAUTHORIZED_LOADING_RESOLVED', [
      ['loadingStatus', 'UNKNOWN_LOADING', null],
      ['markerCode', 99, null],
    ]);
    expect(said({ ...loaded, ...resolved, entityExternalId: null })).toBe(
      'Anna Smith resolved a wrong pallet: marker 99',
    );
  });

  it('a scan is folded into the record of its loading, and repeats into one', () => {
    const other = { ...loaded, requestId: 'Q', entityExternalId: 'P-9' };
    const folds = (...records: NamedRecord[]) =>
      foldRecords(en, SITE, records).map(({ entityExternalId, also }) => [entityExternalId, also.length]);
    expect(folds(loaded, scan)).toEqual([['395212345678901004', 1]]);
    expect(folds(scan, loaded)).toEqual([['395212345678901004', 1]]);
    expect(folds(other, scan)).toEqual([
      ['P-9', 0],
      ['D04', 0],
    ]);
    expect(folds(loaded, other)).toHaveLength(2);
    expect(folds(scan, scan, scan)).toEqual([['D04', 2]]);
  });
});

it('changed fields have their labels, and dates are in the time zone of the site', () => {
  const change = (field: string, newValue: unknown) =>
    changeIn(en, BERLIN, { field, oldValue: null, newValue }, 80);
  expect(change('customFields.etd', '2026-11-26T08:30:00+00:00')).toMatch(/^Departure: .*09:30/);
  expect(change('customFields.etd', 'soon')).toBe('Departure: soon');
  expect(change('customFields.temp', '2026-11-26T08:30:00+00:00')).toBe('temp: 2026-11-26T08:30:00+00:00');
  expect(change('savedViews /app/shipment', 'Cold')).toBe('View: Cold');
});
