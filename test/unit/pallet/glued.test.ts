import { expect, it } from 'vitest';
import { gluedNumbers } from '../../../src/pallet/identifier.ts';

it('a text that cannot be taken apart costs few looks, although its digits fit in many ways', () => {
  let looks = 0;
  const isMarker = () => {
    looks += 1;
    return true;
  };
  expect(gluedNumbers(`${'1'.repeat(399)}x`, isMarker)).toBeUndefined();
  expect(looks).toBeLessThan(400 * 16);
});
