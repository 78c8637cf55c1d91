import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';
import {
  chainRecord,
  FIRST_PREVIOUS_HASH,
  listChanges,
  recordUuid,
  salts,
} from '../../../../src/core/writer/chain.ts';

const saltOf = salts('secret');
const entry = {
  action: 'TRACK_COUPLED',
  entityType: 'TRACK',
  entityUuid: '01900000-0000-7000-8000-000000000001',
  entityExternalId: 'P',
} as const;
const at = { sequenceNumber: 1, previousHash: FIRST_PREVIOUS_HASH, now: 1_700_000_000_000 };
const by = {
  actor: { actorType: 'API_KEY', uuid: entry.entityUuid, displayName: 'WMS' },
  requestId: 'r-1',
  ipAddress: null,
} as const;

describe('a record', () => {
  it('an audit record has the hash that anyone computes by the recipe', () => {
    const changes = [{ field: 'markerCode', oldValue: null, newValue: 1e21 }];
    const { hash } = chainRecord({ ...entry, changes }, at, by, saltOf);
    // Written by hand, with the members in the order of RFC 8785 section 3.2.3.
    const text =
      '{"action":"TRACK_COUPLED","actor":{"actorType":"API_KEY","displayName":"WMS",' +
      '"uuid":"01900000-0000-7000-8000-000000000001"},' +
      '"changes":[{"field":"markerCode","newValue":1e+21,"oldValue":null}],' +
      '"entityExternalId":"P","entityType":"TRACK","entityUuid":"01900000-0000-7000-8000-000000000001",' +
      `"eventDate":"2023-11-14T22:13:20.000Z","ipAddress":null,"previousHash":"${'0'.repeat(64)}",` +
      '"requestId":"r-1","sequenceNumber":1}';
    expect(hash).toBe(sha256Hex(text));
  });

  it('an audit record is hashed as it will be read, with its changes as JSON stores them', () => {
    const value = fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.constantFrom(undefined, -0, { a: undefined, b: [undefined] }, '\u2028\u007f\u0001"\\/', '\u{1f4e6}'),
    );
    fc.assert(
      fc.property(value, value, fc.string({ unit: 'binary' }), (oldValue, newValue, field) => {
        const changes = [{ field, oldValue, newValue }];
        const { hash, identity: _, ...record } = chainRecord({ ...entry, changes }, at, by, saltOf);
        const stored = JSON.parse(JSON.stringify(record.changes));
        expect(sha256Hex(canonicalJson({ ...record, changes: stored }))).toBe(hash);
      }),
    );
  });

  it('an audit record has a version 7 uuid at its date that its hash decides', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8_640_000_000_000_000 }), fc.string(), (now, text) => {
        const hash = sha256Hex(text);
        const uuid = recordUuid(now % 2 ** 48, hash);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(uuid.slice(0, 13).replace('-', ''), 16)).toBe(now % 2 ** 48);
      }),
    );
    expect(recordUuid(at.now, 'a'.repeat(64))).not.toBe(recordUuid(at.now, 'b'.repeat(64)));
  });
});

describe('a list', () => {
  const many = (count: number, text = 'P') => Array.from({ length: count }, (_, index) => `${text}${index}`);

  it('a changed list shows removed and added items, and nothing if it did not change', () => {
    expect(listChanges('assets', [], [])).toEqual([]);
    expect(listChanges('assets', ['A'], many(500))).toEqual([
      { field: 'assets.removed', oldValue: ['A'], newValue: null },
      { field: 'assets.added', oldValue: null, newValue: many(500) },
    ]);
  });

  it('a changed list with more than 500 or with long items shows size and digest', () => {
    const digest = (items: string[]) => ({ count: items.length, sha256: sha256Hex(JSON.stringify(items)) });
    for (const items of [many(501), many(300, 'x'.repeat(250))]) {
      expect(listChanges('f', items, [])).toEqual([
        { field: 'f.removed', oldValue: digest(items), newValue: null },
      ]);
    }
  });
});

it('an unchanged field does not appear in the changes', () => {
  const same = { field: 'same', oldValue: { a: 1, b: [null] }, newValue: { b: [null], a: 1 } };
  const other = { field: 'other', oldValue: null, newValue: 0 };
  expect(chainRecord({ ...entry, changes: [same, other] }, at, by, saltOf).changes).toEqual([other]);
});
