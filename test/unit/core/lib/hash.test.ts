import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, entityTag, sha256Hex, tagListed } from '../../../../src/core/lib/hash.ts';

it('the hash is SHA-256 of UTF-8', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('canonical JSON gives one text for one value, as RFC 8785 does', () => {
  expect(canonicalJson({ b: [1e21, 0.000001, '€\n'], a: null })).toBe(
    '{"a":null,"b":[1e+21,0.000001,"€\\n"]}',
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.integer()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
});

it('entity tags match as in RFC 9110', () => {
  const tag = entityTag('x');
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  expect(tagListed(tag, tag)).toBe(true);
  expect(tagListed(`"other", ${tag}`, tag)).toBe(true);
  expect(tagListed('*', tag)).toBe(true);
  expect(tagListed(`W/${tag}`, tag)).toBe(false);
  expect(tagListed(`W/${tag}`, tag, true)).toBe(true);
  expect(tagListed('"other"', tag)).toBe(false);
  expect(tagListed(tag.slice(1, -1), tag)).toBe(false);
});
