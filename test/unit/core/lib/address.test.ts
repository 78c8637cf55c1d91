import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalAddress } from '../../../../src/core/lib/address.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
])('the address %s normalises to %s', (text, address) => {
  expect(canonicalAddress(text)).toBe(address);
});

it.each([
  undefined,
  '',
  'unknown',
  '1',
  '127.1',
  '0x7f.0.0.1',
  '010.0.0.1',
  '192.0.2.256',
  '192.0.2.7, 198.51.100.1',
  '192.0.2.7:443',
  '[2001:db8::7]',
  'fe80::1%eth0',
  `fe80::1%${'a'.repeat(10_000)}`,
  '<script>alert(1)</script>',
  ' 192.0.2.7',
  '2001:db8::/32',
  `::${'0'.repeat(10_000)}1`,
])('%j is no address', (text) => {
  expect(canonicalAddress(text)).toBeNull();
});

it('any text becomes one address or null', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefx.:%'), maxLength: 50 });
  fc.assert(
    fc.property(fc.oneof(fc.string(), digits, fc.ipV4(), fc.ipV6()), (text) => {
      const address = canonicalAddress(text);
      if (address === null) return;
      expect([isIP(address) > 0, address.length <= 45, canonicalAddress(address)]).toEqual([
        true,
        true,
        address,
      ]);
      expect(isIP(text)).toBeGreaterThan(0);
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      expect([text, canonicalAddress(text)]).not.toEqual([text, null]);
    }),
  );
});
