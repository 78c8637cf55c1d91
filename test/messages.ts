import { en } from '../src/messages/en/index.ts';
import { LANGUAGES, type Language } from '../src/messages/languages.ts';
import cs from '../src/messages/locales/cs.json' with { type: 'json' };
import de from '../src/messages/locales/de.json' with { type: 'json' };
import es from '../src/messages/locales/es.json' with { type: 'json' };
import fr from '../src/messages/locales/fr.json' with { type: 'json' };
import it from '../src/messages/locales/it.json' with { type: 'json' };
import nl from '../src/messages/locales/nl.json' with { type: 'json' };
import pl from '../src/messages/locales/pl.json' with { type: 'json' };
import pt from '../src/messages/locales/pt.json' with { type: 'json' };
import ro from '../src/messages/locales/ro.json' with { type: 'json' };
import tr from '../src/messages/locales/tr.json' with { type: 'json' };
import uk from '../src/messages/locales/uk.json' with { type: 'json' };
import type { Key } from '../src/messages/messages.ts';
import { type Words, withPlainSpaces, wordsOf } from '../src/messages/words.ts';

/** The files of the languages. Each runtime of tests can import them, but only Node can read a folder. */
const files: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en,
  cs,
  de,
  es,
  fr,
  it,
  nl,
  pl,
  pt,
  ro,
  tr,
  uk,
};

/** The texts that a language has itself. Tests read them from their source, not from the files that the service loads. */
export const TRANSLATIONS = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    Object.fromEntries(Object.entries(files[language]).filter(([, text]) => text.trim() !== '')),
  ]),
) as Record<Language, Partial<Record<Key, string>>>;

/** All messages by language. A missing text is English. */
export const MESSAGES = Object.fromEntries(
  LANGUAGES.map((language) => [language, { ...en, ...TRANSLATIONS[language] }]),
) as Record<Language, Record<Key, string>>;

/** The words of a language for tests, whether the service has loaded it or not. */
export const wordsIn = (language: Language): Words => wordsOf(language, MESSAGES[language]);

/** The same with plain spaces, as in documents. */
export const plainWordsIn = (language: Language): Words =>
  wordsOf(language, MESSAGES[language], withPlainSpaces);
