import { en } from '../src/messages/en/index.ts';
import { LANGUAGES, type Language } from '../src/messages/languages.ts';
import type { Key } from '../src/messages/messages.ts';
import { TRANSLATIONS } from '../src/messages/translations.ts';
import { type Words, withPlainSpaces, wordsOf } from '../src/messages/words.ts';

/** All messages by language. Tests read them from their source, not from the files that the service loads. */
export const MESSAGES = Object.fromEntries(
  LANGUAGES.map((language) => [language, language === 'en' ? en : { ...en, ...TRANSLATIONS[language] }]),
) as Record<Language, Record<Key, string>>;

/** The words of a language for tests, whether the service has loaded it or not. */
export const wordsIn = (language: Language): Words => wordsOf(language, MESSAGES[language]);

/** The same with plain spaces, as in documents. */
export const plainWordsIn = (language: Language): Words =>
  wordsOf(language, MESSAGES[language], withPlainSpaces);
