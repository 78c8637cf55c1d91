import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { drawnPieces, hasNotation, wrapped } from '../../../../src/core/lib/drawn-text.ts';
import { FONTS } from '../../web/pages/fonts.ts';

const { advances } = FONTS.regular;
const drawn = (text: string): string => drawnPieces(text, advances).join('');
/** The original text of a drawn text. */
const readBack = (text: string): string =>
  text.replace(/\{U\+([0-9A-F]{4,6})\}/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('{', '{U+05D0}', '{U+', '05D0', '5', 'D', '}', ' ', 'é', '\u0301', 'א', '📦'),
  }),
);

describe('a text in a document', () => {
  it('any text in a document can be read back in NFC', () => {
    fc.assert(
      fc.property(anyText, (text) => readBack(drawn(text)) === text.normalize('NFC')),
      { numRuns: 2_000 },
    );
  });

  it('a text in a document uses glyphs that the font has, in one direction, without joining', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const character of drawn(text)) {
          expect(advances.has(character.codePointAt(0)!)).toBe(true);
          expect(character).toMatch(
            /^(?!\p{M})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]$/u,
          );
          expect(character).toMatch(/^[\p{L}\p{N}\p{P}\p{S} ]$/u);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['340123450000000017', '340123450000000017'],
    ['Łódź, Ångström, Αθήνα, Київ, Việt, €', 'Łódź, Ångström, Αθήνα, Київ, Việt, €'],
    ['<script>&amp;"\'', '<script>&amp;"\''],
    ['q\u0301', 'q{U+0301}'],
    ['אב', '{U+05D0}{U+05D1}'],
    ['托盘', '{U+6258}{U+76D8}'],
    ['📦', '{U+1F4E6}'],
    ['a\u202Eb', 'a{U+202E}b'],
    ['a\nb\tc', 'a{U+000A}b{U+0009}c'],
    ['a\u00a0b\u00adc\u200bd', 'a{U+00A0}b{U+00AD}c{U+200B}d'],
    [' a  b ', '{U+0020}a {U+0020}b{U+0020}'],
    ['{U+05D0}', '{U+007B}U+05D0}'],
    ['{a}', '{a}'],
    ['\u{10ffff}', '{U+10FFFF}'],
  ])('a document draws %j as %j', (text, expected) => {
    expect(drawn(text)).toBe(expected);
    expect(hasNotation(text, advances)).toBe(text !== expected);
  });

  test.each(['é', 'Ångström', 'Łódź Příbram', 'ắ', 'ΐ', 'й'])(
    'a document draws the decomposed text of %s like the composed one',
    (text) => {
      expect(drawn(text.normalize('NFD'))).toBe(text.normalize('NFC'));
      expect(hasNotation(text.normalize('NFD'), advances)).toBe(false);
    },
  );
});

describe('lines', () => {
  const widthOf = (line: string): number =>
    [...line].reduce((width, character) => width + advances.get(character.codePointAt(0)!)!, 0);

  it('lines hold the whole text within their width', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 7, max: 60 }), (text, width) => {
        const lines = wrapped(text, advances, width);
        expect(lines.join('')).toBe(drawn(text));
        for (const line of lines) expect(widthOf(line.replace(/ $/, ''))).toBeLessThanOrEqual(width + 1e-9);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lines break after a space where there is one', () => {
    const text = 'Loaded at the north gate, taken off at the south gate';
    const lines = wrapped(text, advances, 8);
    expect(lines.slice(0, -1).every((line) => line.endsWith(' '))).toBe(true);
    expect(wrapped('x'.repeat(40), advances, 8).length).toBeGreaterThan(2);
  });

  it('lines do not break a notation apart', () => {
    for (const line of wrapped('א'.repeat(100), advances, 10)) expect(line).toMatch(/^(\{U\+05D0\})+$/);
  });
});
