/**
 * Lists the state of each translation: missing texts, outdated texts and unknown keys. A text is outdated if the English
 * text has changed since it was translated.
 *
 *   npm run messages                      list only
 *   npm run messages -- --write           also update en.json and outdated.json, remove unknown keys and sort the keys
 *   npm run messages -- --keep KEY …      the same, and the translations of these keys fit the English texts
 *   npm run messages -- --keep KEY … --language de    the same for one language
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { en, floor } from '../messages/en/index.ts';
import { hasDeskPages, isLanguage, type Language } from '../messages/languages.ts';
import { commandLine } from './command-line.ts';
import { faultsOf, isKey, LOCALES, readJson, readTexts, type Texts, TRANSLATED } from './locales.ts';

/** Outdated translations by key and language: each text as it was when the English text changed. */
type Outdated = Record<string, Record<string, string>>;

/** A language and the texts in its file. */
type Translation = readonly [language: Language, texts: Texts];

/** All translations in a folder. */
const translationsIn = (folder: string): Translation[] =>
  TRANSLATED.map((language) => [language, readTexts(folder, language)]);

/** The keys of a language that need work. */
interface Work {
  missing: string[];
  outdated: string[];
  unknown: string[];
}

const KEYS = Object.keys(en);

/** The texts that a language must have, by its pages. */
const neededBy = (language: Language): string[] =>
  hasDeskPages(language) ? KEYS : KEYS.filter((key) => key in floor);

/**
 * The translations that do not follow a change of the English text. The English text has changed if it differs from
 * en.json. After en.json is updated, a translation remains outdated until its own text changes.
 */
function outdatedIn(folder: string, translations: readonly Translation[]): Outdated {
  const source = readTexts(folder, 'en');
  const before = readJson(folder, 'outdated') as Outdated;
  const found: Outdated = {};
  for (const [language, texts] of translations) {
    for (const [key, text] of Object.entries(texts)) {
      if (!isKey(key)) continue;
      const isChanged = source[key] !== undefined && source[key] !== en[key];
      if (isChanged || before[key]?.[language] === text) found[key] = { ...found[key], [language]: text };
    }
  }
  return found;
}

/** The texts of an object in the order of the English messages, as the text of a file. */
const fileOf = (texts: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify(Object.fromEntries(KEYS.filter((key) => key in texts).map((key) => [key, texts[key]])), null, 2)}\n`;

function workIn(language: Language, texts: Texts, outdated: Outdated): Work {
  return {
    missing: neededBy(language).filter((key) => !(key in texts)),
    outdated: KEYS.filter((key) => outdated[key]?.[language] !== undefined),
    unknown: Object.keys(texts).filter((key) => !isKey(key)),
  };
}

/** The keys that a line of the list names. */
const NAMED = 10;

function linesOf(language: Language, work: Work): string[] {
  const lines = Object.entries(work as unknown as Record<string, string[]>)
    .filter(([, keys]) => keys.length > 0)
    .map(([kind, keys]) => {
      const more = keys.length > NAMED ? ` and ${keys.length - NAMED} more` : '';
      return `  ${keys.length} ${kind}: ${keys.slice(0, NAMED).join(', ')}${more}`;
    });
  return lines.length > 0 ? [language, ...lines] : [];
}

/** The list of the texts that need work. Texts that the program cannot use come first. */
export function messageList(folder = LOCALES): string[] {
  const translations = translationsIn(folder);
  const outdated = outdatedIn(folder, translations);
  const faults = translations.flatMap(([language, own]) => faultsOf(language, own));
  const work = translations.flatMap(([language, own]) => linesOf(language, workIn(language, own, outdated)));
  const isCurrent = readFileSync(join(folder, 'en.json'), 'utf8') === fileOf(en);
  return [
    ...faults,
    ...(work.length > 0 ? work : [`The translations into ${TRANSLATED.length} languages are complete.`]),
    ...(isCurrent ? [] : ['en.json does not have the English texts. Run: npm run messages -- --write']),
  ];
}

/** Update the files. The translations of `kept` keys fit the English texts: in one language, or in all. */
export function writeMessages(kept: readonly string[] = [], inLanguage?: string, folder = LOCALES): void {
  const unknown = kept.find((key) => !isKey(key));
  if (unknown !== undefined) throw new Error(`The message "${unknown}" does not exist.`);
  if (inLanguage !== undefined && !isLanguage(inLanguage))
    throw new Error(`The language "${inLanguage}" does not exist.`);
  const translations = translationsIn(folder);
  const outdated = outdatedIn(folder, translations);
  for (const key of kept) {
    if (inLanguage !== undefined) delete outdated[key]?.[inLanguage];
    if (inLanguage === undefined || Object.keys(outdated[key] ?? {}).length === 0) delete outdated[key];
  }
  const files = [...translations, ['en', en], ['outdated', outdated]] as const;
  for (const [name, texts] of files) writeFileSync(join(folder, `${name}.json`), fileOf(texts));
}

if (import.meta.main) {
  const { values, positionals } = commandLine(import.meta.filename, {
    options: { write: { type: 'boolean' }, keep: { type: 'boolean' }, language: { type: 'string' } },
    allowPositionals: true,
  });
  try {
    if (values.write || values.keep) writeMessages(values.keep ? positionals : [], values.language);
    console.log(messageList().join('\n'));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
