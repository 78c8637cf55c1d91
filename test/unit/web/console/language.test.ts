import { expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode, ProblemError, refusal } from '../../../../src/core/lib/problem.ts';
import { LANGUAGES } from '../../../../src/messages/languages.ts';
import { inWords } from '../../../../src/web/console/kit/language.ts';
import { wordsIn } from '../../../messages.ts';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const items = (code: ProblemCode) => ({ errors: [{ field: 'name', code, message: 'In English.' }] });

it.each(LANGUAGES)('no refusal on a page in %s shows its code', (language) => {
  const words = wordsIn(language);
  const shown = CODES.map((code) => {
    const { detail, errors } = inWords(words, new ProblemError(refusal(code, 'In English.', items(code))));
    return { code, texts: [detail, ...errors!.map(({ message }) => message)] };
  });
  const bare = shown.filter(({ code, texts }) => texts.some((text) => text === '' || text.includes(code)));
  expect(bare).toEqual([]);
  const isEnglish = shown.filter(({ texts }) => texts.includes('In English.'));
  expect(isEnglish).toHaveLength(language === 'en' ? CODES.length : 0);
});

it('a field that is wrong for a known reason says so in the language of the page', () => {
  const error = new ProblemError(refusal('emailInUse', 'In use.', items('emailInUse')));
  expect(inWords(wordsIn('de'), error).errors![0]!.message).toBe(
    'Ein anderer Benutzer hat diese E-Mail-Adresse. Geben Sie eine andere ein.',
  );
});
