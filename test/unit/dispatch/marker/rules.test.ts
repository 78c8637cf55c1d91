import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockFrom } from '../../../../src/dispatch/marker/rules.ts';

const LAST = Number.MAX_SAFE_INTEGER;

it('an allocation takes the next codes, all or none, up to the last one', () => {
  expect(blockFrom(5, 3)).toEqual({ firstMarkerCode: 5, lastMarkerCode: 7 });
  expect(blockFrom(LAST, 1)).toEqual({ firstMarkerCode: LAST, lastMarkerCode: LAST });
  expect(blockFrom(LAST + 1, 1)).toBeUndefined();
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 20_000n }),
      fc.integer({ min: 1, max: 10_000 }),
      (before, quantity) => {
        const fits = BigInt(LAST) - before + BigInt(quantity) - 1n <= BigInt(LAST);
        expect(blockFrom(LAST - Number(before), quantity) !== undefined).toBe(fits);
      },
    ),
  );
});
