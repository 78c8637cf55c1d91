import { describe, expect, it } from 'vitest';
import { changesSince, type SignedFacts } from '../../../../../src/dispatch/load/shared/signature-rules.ts';

const SIGNED: SignedFacts = {
  loadedAssetsCount: 1,
  totalAssetsCount: 2,
  invalidCount: 0,
  recordChanges: 5,
  carrier: 'Fast',
  vehicle: null,
  seal: '4711',
  plannedDepartureDate: 1_000,
  revision: 0,
};

describe('a load since its signature', () => {
  it.each<[string, Partial<SignedFacts>, string[]]>([
    ['is unchanged', {}, []],
    ['has one more pallet aboard', { loadedAssetsCount: 2, recordChanges: 6 }, ['loadedAssetsCount']],
    ['has one more pallet on its list', { totalAssetsCount: 3, recordChanges: 6 }, ['totalAssetsCount']],
    ['has a wrong pallet', { invalidCount: 1, recordChanges: 6 }, ['invalidCount']],
    ['has another pallet aboard', { recordChanges: 7 }, ['records']],
    ['has another seal', { seal: '4712' }, ['seal']],
    ['has no seal any more', { seal: null }, ['seal']],
    ['has a vehicle', { vehicle: 'AB 1' }, ['vehicle']],
    ['has another carrier', { carrier: 'Slow' }, ['carrier']],
    ['leaves later', { plannedDepartureDate: 2_000 }, ['plannedDepartureDate']],
    ['was corrected and corrected back', { revision: 2 }, ['corrections']],
    ['has another seal by a correction', { seal: '4712', revision: 1 }, ['seal', 'corrections']],
  ])('%s', (_, now, changes) => {
    expect(changesSince(SIGNED, { ...SIGNED, ...now })).toEqual(changes);
  });
});
