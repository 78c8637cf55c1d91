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

it('an entity tag is strong', () => {
  expect(entityTag('x')).toMatch(/^"[\w-]{27}"$/);
});

it.each([
  ['%', true],
  ['W/%', true],
  ['"other", %', true],
  ['"other",W/%', true],
  ['W/"other", %, "more"', true],
  ['*', true],
  [' * ', true],
  ['"other"', false],
  ['W/"other"', false],
  ['"other", W/"more"', false],
  ['"*"', false],
  ['""', false],
  ['', false],
])('a condition with the header %s lists the current tag: %s', (header, listed) => {
  const tag = entityTag('x');
  expect(tagListed(header.replace('%', tag), tag)).toBe(listed);
});

it('a tag without its quotes, or a part of it, is not the current tag', () => {
  const tag = entityTag('x');
  for (const header of [tag.slice(1, -1), `W/${tag.slice(1, -1)}`, `${tag.slice(0, -2)}"`])
    expect([header, tagListed(header, tag)]).toEqual([header, false]);
});
