import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffAssets, isOpen, TRANSITIONS } from '../../../../src/dispatch/manifest/rules.ts';

it('allows these transitions and no others', () => {
  expect(TRANSITIONS).toEqual({
    PLANNED: ['TO_DO', 'CANCELLED'],
    TO_DO: ['PLANNED', 'IN_PROGRESS', 'CANCELLED'],
    IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
    COMPLETED: [],
    CANCELLED: [],
  });
  expect((['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const).filter(isOpen)).toEqual([
    'PLANNED',
    'TO_DO',
    'IN_PROGRESS',
  ]);
});

describe('diffAssets', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));

  it('makes the wanted set out of the current one, and nothing twice', () => {
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
