import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../../../src/core/writer/audit-actions.ts';
import type { StoredAuditRecord } from '../../../../src/core/writer/audit-view.ts';
import { wordsIn } from '../../../../src/messages/words.ts';
import {
  actionIn,
  changeIn,
  fieldIn,
  sentenceIn,
} from '../../../../src/web/console/resources/audit/words.ts';

const [en, de] = [wordsIn('en'), wordsIn('de')];

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
const english = (...of: Parameters<typeof record>) => sentenceIn(en, 'UTC', record(...of), 80);
const inGerman = (...of: Parameters<typeof record>) => sentenceIn(de, 'UTC', record(...of), 80);

describe('the choices of audit actions', () => {
  it('the choice of an audit action names the action, not the actor', () => {
    expect(actionIn(en, 'TRACK_COUPLED')).toBe('coupled pallet … to a marker');
    expect(actionIn(de, 'TRACK_COUPLED')).toBe('hat Palette … mit einem Marker gekoppelt');
  });

  it.each([en, de])('the choices of audit actions differ from each other', (words) => {
    const actionTexts = AUDIT_ACTIONS.map((action) => actionIn(words, action));
    expect(actionTexts.filter((text, index) => actionTexts.indexOf(text) !== index)).toEqual([]);
  });
});

describe('a record as a sentence', () => {
  it('an audit sentence names the actor, the resource, and the old and new value', () => {
    const gate = { uuid: 'u', externalIdentifier: 'G3', name: 'Gate 03' };
    expect(english('MANIFEST_GATE_ASSIGNED', [['gate', null, gate]])).toBe(
      'Anna Smith assigned manifest M1 to gate Gate 03',
    );
    expect(english('MANIFEST_GATE_ASSIGNED', [['gate', gate, null]])).toBe(
      'Anna Smith removed manifest M1 from gate Gate 03',
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
    changeIn(en, 'Europe/Berlin', { field, oldValue, newValue }, 80);
  expect(change('name', 'A', 'B')).toBe('Name: from A to B');
  expect(change('name', null, 'B')).toBe('Name: B');
  expect(change('notes', 'A', null)).toBe('Notes: no longer A');
  expect(change('deleted', false, true)).toBe('Deleted: from No to Yes');
  expect(change('assets.added', null, ['P1', 'P2'])).toBe('Pallets: with P1 and P2');
  expect(change('assets.removed', { count: 900, sha256: 'x' }, null)).toBe(
    'Pallets: without {"count":900,"sha256":"x"}',
  );
  expect(
    change(
      'scopes',
      null,
      Array.from({ length: 9 }, (_, at) => `S${at}`),
    ),
  ).toBe('Scopes: 9 entries');
  expect(change('expiresDate', null, Date.UTC(2026, 0, 2, 12))).toMatch(/2026/);
  expect(change('name', null, `${'x'.repeat(79)}😀`)).toBe(`Name: ${'x'.repeat(79)}\ufffd…`);
  expect(change('customFields.Tür <3>', null, '<b>')).toBe('customFields.Tür <3>: <b>');
  expect(fieldIn(en, 'deviceOfflineAfterSeconds')).toBe('Device offline after seconds');
});
