import { expect, it } from 'vitest';
// @ts-expect-error: scripts of pages have no types
import { isSecondTap } from '../../../../src/web/console/assets/modules/double-tap.js';

const [ONE, OTHER] = [{ record: 'A' }, { record: 'B' }];

it('a second press for the same pallet within a second is part of the first', () => {
  const form = {};
  expect([0, 999, 1_000].map((at) => isSecondTap(form, ONE, at))).toEqual([false, true, false]);
});

it('a press for another pallet counts after half a second, and sooner only in another form', () => {
  const form = {};
  expect([isSecondTap(form, ONE, 0), isSecondTap(form, OTHER, 499)]).toEqual([false, true]);
  expect([isSecondTap({}, OTHER, 499), isSecondTap(form, OTHER, 500)]).toEqual([false, false]);
});
