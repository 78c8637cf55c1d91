import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffAssets } from '../../../../../src/dispatch/load/manifest/rules.ts';
import { isLoadOpen, MANIFEST_TRANSITIONS } from '../../../../../src/dispatch/load/shared/status-rules.ts';

it('a manifest allows the transitions of the contract and no others', () => {
  expect(MANIFEST_TRANSITIONS).toEqual({
    PLANNED: ['TO_DO', 'CANCELLED'],
    TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
    IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
    COMPLETED: [],
    CANCELLED: [],
  });
  expect((['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const).filter(isLoadOpen)).toEqual(
    ['PLANNED', 'TO_DO', 'IN_PROGRESS'],
  );
});

describe('diffAssets', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));

  it('diffAssets turns the current assets into the wanted ones without repeats', () => {
    fc.assert(
      fc.property(ids, ids, (current, wanted) => {
        const { added, removed, unchanged } = diffAssets(current, wanted);
        const after = new Set([...current.filter((id) => !removed.includes(id)), ...added]);
        expect(after).toEqual(new Set(wanted));
        expect(added.length + unchanged).toBe(wanted.length);
        expect(removed.length + unchanged).toBe(current.length);
      }),
    );
  });
});
