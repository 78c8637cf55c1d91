import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  hashedUuid,
  isUuid7,
  newUuid,
  uuidHex,
  uuidOfHex,
  uuidStart,
  uuidTime,
} from '../../../../src/core/lib/id.ts';

it('a uuid and its hex digits become each other', () => {
  const uuid = '018f4ddc-35ee-7abc-8def-0123456789ab';
  expect(uuidHex(uuid)).toBe('018f4ddc35ee7abc8def0123456789ab');
  expect(uuidOfHex(uuidHex(uuid))).toBe(uuid);
});

it('a uuid begins with the time at which it was generated', () => {
  expect(uuidStart(0)).toBe('00000000-0000');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (time) => {
      const uuid = `${uuidStart(time)}-7abc-8def-0123456789ab`;
      expect([isUuid7(uuid), uuidTime(uuid)]).toEqual([true, time]);
    }),
  );
  const before = Date.now();
  expect(uuidTime(newUuid())).toBeGreaterThanOrEqual(before);
});

it('a hashed uuid is of version 8, and the same text always gives the same uuid', () => {
  expect(hashedUuid('pallet 1')).toBe('f44045d6-38b8-8e23-ae20-21c488e374e3');
});
