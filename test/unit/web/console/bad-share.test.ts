import { expect, it } from 'vitest';
import { hasManyBad } from '../../../../src/web/console/pallet-list/preview.tsx';

it.each([
  [9, 1, false],
  [8, 1, true],
  [100, 11, false],
  [100, 12, true],
  [0, 1, true],
  [5, 0, false],
])('of %i pallets and %i bad lines, whether many are bad: %s', (pallets, bad, many) => {
  expect(hasManyBad(pallets, bad)).toBe(many);
});
