import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksum, isSecretForm, makeSecret, tagIn } from '../../../../src/access/credential/secret.ts';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';

const ORGANIZATION = '019ab0c0-0000-7000-8000-0123456789ab';

it('secrets have the form that the contract names', () => {
  const { secret, hash, prefix } = makeSecret(ORGANIZATION, 'API_KEY', 'test');
  expect(secret).toMatch(/^wdk_test_[0-9A-Za-z]{36}$/);
  expect(makeSecret(ORGANIZATION, 'ACCESS_TOKEN', 'live').secret).toMatch(/^wdt_live_[0-9A-Za-z]{36}$/);
  expect(secret.startsWith(prefix)).toBe(true);
  expect(secret.length - prefix.length).toBe(18 + 6);
  expect(tagIn(secret)).toBe('456789ab');
  expect(hash).toBe(sha256Hex(secret));
});

it('the checksum of a secret is CRC-32 in big-endian base62, zero-padded', () => {
  // crc32('123456789') = 0xCBF43926 = 3421780262. In base62 (0-9A-Za-z) this is 3jZRME.
  expect(checksum('123456789')).toBe('3jZRME');
  expect(checksum('')).toBe('000000');
});

it("the check accepts the service's own secrets and no others", () => {
  const { secret } = makeSecret(ORGANIZATION, 'API_KEY', 'test');
  expect(isSecretForm(secret, 'API_KEY')).toBe(true);
  expect(isSecretForm(secret.replace('_test_', '_prod_'), 'API_KEY')).toBe(false);
  expect(isSecretForm(secret, 'ACCESS_TOKEN')).toBe(false);
  fc.assert(
    fc.property(
      fc.integer({ min: 9, max: secret.length - 1 }),
      fc.constantFrom(...'abcXYZ019-_ é'),
      (index, character) => {
        fc.pre(secret[index] !== character);
        const changed = secret.slice(0, index) + character + secret.slice(index + 1);
        expect(isSecretForm(changed, 'API_KEY')).toBe(false);
      },
    ),
  );
});

it('secrets use every character equally often', () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 4_000; index += 1) {
    for (const character of makeSecret(ORGANIZATION, 'API_KEY', 'test').secret.slice(17, 39)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(62);
  const expected = (4_000 * 22) / 62;
  // Chi-square with 61 degrees of freedom. A random source exceeds 120 once in 100,000 runs.
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare).toBeLessThan(120);
});
