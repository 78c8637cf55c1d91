import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, foldedBeyondAscii, isAscii, isStorable, lowerAscii } from '../../../../src/core/lib/text.ts';

describe('fold', () => {
  it.each([
    ['É', 'é'],
    ['E\u0301', 'é'],
    ['straße', 'STRASSE'],
    ['ΣΑΣ', 'σας'],
    ['ﬁ', 'FI'],
    ['Ǆ', 'ǆ'],
  ])('folding takes %s and %s for the same', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  it.each([
    ['e', 'é'],
    ['a', 'b'],
    ['1', 'l'],
  ])('folding keeps %s and %s apart', (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  it('folding gives the same for both normal forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
      }),
    );
  });
});

describe('isStorable', () => {
  it.each(['', 'a', 'żółć', '🚚', '\u0001', '\n'])('isStorable accepts %j', (text) => {
    expect(isStorable(text)).toBe(true);
  });

  it.each(['\u0000', 'a\u0000b', '\ud800', 'a\udc00', '\udc00\ud800'])('isStorable refuses %j', (text) => {
    expect(isStorable(text)).toBe(false);
  });
});

describe('an identity', () => {
  it.each([
    ['Kim@A.EXAMPLE', 'kim@a.example'],
    ['\u212aim@a.example', '\u212aim@a.example'],
    ['\u017fam@a.example', '\u017fam@a.example'],
    ['boss@fa\u00df.de', 'boss@fa\u00df.de'],
    ['\u00c9', '\u00c9'],
    ['\u0130', '\u0130'],
  ])('the identity %s is compared as %s, because only ASCII letters lose their case', (text, compared) => {
    expect(lowerAscii(text)).toBe(compared);
    expect(isAscii(text)).toBe(text === 'Kim@A.EXAMPLE');
  });
});

it.each([
  ['Speedy EXPRESS 7', null],
  ['Büro', null],
  ['BÜRO', 'büro'],
  ['Großmann', 'grossmann'],
  ['e\u0301te\u0301', 'été'],
])('lower() of SQLite folds %j, or the folded text is stored beside it', (text, stored) => {
  expect(foldedBeyondAscii(text)).toBe(stored);
});
