import { expect, it } from 'vitest';
import { drawnPieces } from '../../../../src/core/lib/drawn-text.ts';
import { LANGUAGES } from '../../../../src/messages/languages.ts';
import { MESSAGES, plainWordsIn } from '../../../messages.ts';
import { FONTS } from './fonts.ts';

/** Letters beyond ASCII, and punctuation. */
const LETTERS = {
  cs: 'ěščřžýáíéúůďťňó „“',
  de: 'äöüß „“',
  es: 'áéíñóúü¿¡ª º «»',
  fr: 'àâæçéèêëîïôœùûüÿ «» ’',
  it: 'àèéìòù «»',
  nl: 'ëïéèĳ “”',
  pl: 'ąćęłńóśźż „”',
  pt: 'áâãàçéêíóôõú «»',
  ro: 'ăâîșț „”',
  tr: 'çğıöşü “”',
  uk: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя’ «»',
} as const;

it.each(Object.entries(LETTERS))('the fonts of documents draw the letters of %s', (language, letters) => {
  const text = `${letters + letters.toLocaleUpperCase(language)}–—…№•·%`;
  for (const { advances } of [FONTS.regular, FONTS.bold])
    expect(drawnPieces(text, advances).filter((piece) => piece.length > 1)).toEqual([]);
});

it.each(LANGUAGES)('the fonts of documents draw every text and time of %s', (language) => {
  const { exactTime, number, dayTime } = plainWordsIn(language);
  const now = Date.UTC(2026, 10, 21);
  const words = [exactTime('Europe/Kyiv', now), dayTime('Europe/Istanbul', now), number(1_234_567.8)];
  const characters = new Set(
    [...Object.values(MESSAGES[language]), ...words].join('').replace(/[\u00a0\u202f\u2009\s]/g, ''),
  );
  for (const { advances } of [FONTS.regular, FONTS.bold])
    expect([...characters].filter((character) => !advances.has(character.codePointAt(0)!))).toEqual([]);
});
