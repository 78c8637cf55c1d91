import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ReadingKey, readingKey, reusedId } from '../../../../src/dispatch/loading/scan-rules.ts';

const subject: fc.Arbitrary<Pick<ReadingKey, 'markerCode' | 'identifier'>> = fc.oneof(
  fc.record({
    markerCode: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    identifier: fc.constant(null),
  }),
  fc.record({
    markerCode: fc.constant(null),
    identifier: fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom('1', '1 1', '"1" 1', '7'),
    ),
  }),
);
const named = fc.record({
  scanId: fc.oneof(
    fc.string({ minLength: 1, maxLength: 100, unit: 'binary' }),
    fc.constantFrom('1', 'LOAD 1 1', ' '.repeat(100), 'UNLOAD 7 LOAD 7 1'),
  ),
  direction: fc.constantFrom('LOAD' as const, 'UNLOAD' as const, 'OFFLOAD' as const),
});
const reading: fc.Arbitrary<ReadingKey> = fc
  .tuple(named, subject)
  .map(([{ scanId, direction }, { markerCode, identifier }]) => ({
    scanId,
    markerCode,
    identifier,
    direction,
  }));

it('A reused id is longer than every scanId that a caller can send', () => {
  expect(
    reusedId({ scanId: '1', markerCode: 1, identifier: null, direction: 'LOAD' }).length,
  ).toBeGreaterThan(100);
});

it('Two readings have the same key or stored id only if scanId, marker or text, and direction are the same', () => {
  fc.assert(
    fc.property(reading, reading, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(readingKey(one) === readingKey(other)).toBe(same);
      expect(reusedId(one) === reusedId(other)).toBe(same);
      expect(reusedId(one)).not.toBe(other.scanId);
    }),
  );
});
