import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ReadingKey, readingKey, reusedId } from '../../../../src/dispatch/loading/scan-id-rules.ts';

const reading: fc.Arbitrary<ReadingKey> = fc.record({
  scanId: fc.oneof(
    fc.string({ minLength: 1, maxLength: 100, unit: 'binary' }),
    fc.constantFrom('1', 'LOAD 1 1', ' '.repeat(100), 'UNLOAD 7 LOAD 7 1'),
  ),
  markerCode: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  direction: fc.constantFrom('LOAD', 'UNLOAD', 'OFFLOAD'),
});

it('A reused id is longer than every scanId that a caller can send', () => {
  expect(reusedId({ scanId: '1', markerCode: 1, direction: 'LOAD' }).length).toBeGreaterThan(100);
});

it('Two readings have the same key or stored id only if scanId, marker and direction are the same', () => {
  fc.assert(
    fc.property(reading, reading, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other);
      expect(readingKey(one) === readingKey(other)).toBe(same);
      expect(reusedId(one) === reusedId(other)).toBe(same);
      expect(reusedId(one)).not.toBe(other.scanId);
    }),
  );
});
