import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import compile from 'icu-minify/compile';
import { en } from '../messages/en/index.ts';
import { LANGUAGES, type Language } from '../messages/languages.ts';
import type { Key } from '../messages/messages.ts';

/** The folder of the translations. */
export const LOCALES = resolve(import.meta.dirname, '../messages/locales');

/** The languages whose texts are in a file. English is in TypeScript. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

/** Texts by key. A file may have keys that the program does not know. */
export type Texts = Readonly<Record<string, string>>;

/** Whether the program has a message with this key. */
export const isKey = (key: string): key is Key => Object.hasOwn(en, key);

/** The value of a file in the folder. A file that is not JSON is an error that names the file. */
export function readJson(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch (error) {
    throw new Error(`${name}.json cannot be read: ${(error as Error).message}`);
  }
}

/** The texts in the file of a language. Blank texts are left out: some tools write them for missing translations. */
export function readTexts(folder: string, language: Language): Texts {
  const read = readJson(folder, language);
  if (read === null || typeof read !== 'object' || Array.isArray(read))
    throw new Error(`${language}.json must be an object of keys and texts.`);
  for (const [key, text] of Object.entries(read))
    if (typeof text !== 'string') throw new Error(`${language}.json: the value of "${key}" must be a text.`);
  return Object.fromEntries(Object.entries(read as Texts).filter(([, text]) => text.trim() !== ''));
}

/** The texts of a language that the program knows. */
export const translationOf = (language: Language, folder = LOCALES): Partial<Record<Key, string>> =>
  Object.fromEntries(Object.entries(readTexts(folder, language)).filter(([key]) => isKey(key)));

export interface Argument {
  name: string;
  kind: unknown;
  /** The names of its forms, if it selects one. */
  forms: string[];
}

/** The arguments of an ICU text, also those within its forms. A text that is not ICU is an error. */
export const argumentsOf = (text: string): Argument[] => argumentsIn(compile(text));

const argumentsIn = (parsed: unknown): Argument[] =>
  Array.isArray(parsed)
    ? parsed.filter(Array.isArray).flatMap(([name, kind, forms]): Argument[] => {
        const inner: Record<string, unknown> = forms !== null && typeof forms === 'object' ? forms : {};
        return [{ name, kind, forms: Object.keys(inner) }, ...Object.values(inner).flatMap(argumentsIn)];
      })
    : [];

/** The names of the arguments of an ICU text. */
export const namesIn = (text: string): string[] =>
  [...new Set(argumentsOf(text).map(({ name }) => name))].sort();

const listed = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(', ') || 'none';

/** Errors in the texts of a language: texts that are not ICU, and texts with other arguments than the English text. */
export function faultsOf(language: Language, texts: Texts): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    if (!isKey(key)) return [];
    try {
      const [own, english] = [namesIn(text), namesIn(en[key])].map(listed);
      return own === english
        ? []
        : [`${language} ${key} has the arguments ${own}. The English text has ${english}.`];
    } catch (error) {
      return [`${language} ${key} is not an ICU message: ${(error as Error).message}`];
    }
  });
}
