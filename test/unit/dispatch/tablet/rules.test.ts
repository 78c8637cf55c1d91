import { expect, it } from 'vitest';
import { faultOfCode } from '../../../../src/dispatch/tablet/rules.ts';

const PIN = 'A PIN has 6 to 12 digits.';
const BADGE = 'A badge with only digits needs at least 8 digits.';

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
  ['NONE', '123456', BADGE],
  ['NONE', 'W-0001', undefined],
] as const)('where tablets ask for %s, a new code %j has the fault %j', (asks, code, fault) => {
  expect(faultOfCode(asks, code)).toBe(fault);
});
