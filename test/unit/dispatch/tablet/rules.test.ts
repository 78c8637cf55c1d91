import { expect, it } from 'vitest';
import { badgeKey, badgeProof, listedBadge } from '../../../../src/dispatch/tablet/badge-rules.ts';
import {
  faultOfCode,
  isAskedFor,
  kindOfCode,
  listedBadges,
  proofsOf,
  storedCode,
} from '../../../../src/dispatch/tablet/rules.ts';

const PIN = 'A PIN has 6 to 12 digits.';
const BADGE = 'A badge with only digits needs at least 8 digits.';
const EITHER = `${PIN} ${BADGE}`;

it.each([
  ['PIN', '123456', undefined],
  ['PIN', ' 123456789012 ', undefined],
  ['PIN', '12345', PIN],
  ['PIN', '1234567890123', PIN],
  ['PIN', 'W-0001', PIN],
  ['BADGE', 'W-0001', undefined],
  ['BADGE', '1234567', BADGE],
  ['BADGE', '  1234567  ', BADGE],
  ['BADGE', '1234567\\n', BADGE],
  ['PIN', '123456{ENTER}', undefined],
  ['BADGE', '１２３４５６７', BADGE],
  ['BADGE', '12345678', undefined],
  ['BADGE', '1234-567', undefined],
  ['NONE', '123456', undefined],
  ['NONE', '12345', EITHER],
  ['NONE', 'W-0001', undefined],
] as const)('where tablets ask for %s, a new code %j has the fault %j', (asks, code, fault) => {
  expect(faultOfCode(asks, code)).toBe(fault);
});

it.each([
  ['482913', 'PIN', { NONE: true, PIN: true, BADGE: false }],
  ['W-0001', 'BADGE', { NONE: true, PIN: false, BADGE: true }],
  ['48291377', 'BOTH', { NONE: true, PIN: true, BADGE: true }],
  ['4829137700000', 'BADGE', { NONE: true, PIN: false, BADGE: true }],
] as const)('the code %j is of the kind %s, so only some tablets ask for it', (code, kind, asks) => {
  expect(kindOfCode(code)).toBe(kind);
  for (const mode of ['NONE', 'PIN', 'BADGE'] as const)
    expect([mode, isAskedFor(mode, kind)]).toEqual([mode, asks[mode]]);
});

it('a tablet computes the same hash of a badge as the service does', async () => {
  const stored = await storedCode(['new key'], 'organization', 'W-0001');
  const [[hash, name] = []] = listedBadges(['new key'], [{ ...stored, name: 'Ana' }], 'tablet');
  const proof = await badgeProof(await badgeKey('organization', ' w-0001 '), 'tablet');
  expect([await listedBadge(proof), 'Ana']).toEqual([hash, name]);
  expect(proofsOf(['new key'], stored, 'tablet')).toEqual([proof]);
  // While the key of the deployment is changed, the service knows what the former key has hidden.
  expect(proofsOf(['newer key', 'new key'], stored, 'tablet')).toContain(proof);
});

it('the hash of a badge differs between tablets, organizations and deployments, and is not what is stored', async () => {
  const hashes = new Set<string>();
  for (const organization of ['one', 'other'])
    for (const tablet of ['left', 'right']) {
      const stored = await storedCode(['key'], organization, 'W-0001');
      expect(stored.offlineKey).not.toBe(await badgeKey(organization, 'W-0001'));
      hashes.add(listedBadges(['key'], [{ ...stored, name: 'Ana' }], tablet)[0]![0]);
      hashes.add(listedBadges(['another key'], [{ ...stored, name: 'Ana' }], tablet)[0]![0]);
    }
  expect(hashes.size).toBe(8);
});

it('tablets get no hash of a PIN, because all PINs can be tried', async () => {
  const stored = await storedCode(['key'], 'organization', '482913');
  expect(stored).toMatchObject({ codeKind: 'PIN', offlineKey: null });
  expect(listedBadges(['key'], [{ ...stored, name: 'Ana' }], 'tablet')).toEqual([]);
});
