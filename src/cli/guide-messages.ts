import { en } from '../messages/en/index.ts';
import type { Key } from '../messages/messages.ts';
import { type Words, wordsOf } from '../messages/words.ts';
import { translationOf } from './locales.ts';

/** A message of the pages: `{msg:gate.complete}`, or with values `{msg:tablet.worksHere name="Ana"}`. */
const MESSAGE = /\{msg:([^\s}]+)((?:\s+\w+="[^"]*")*)\}/g;
const VALUE = /(\w+)="([^"]*)"/g;

/** The words of the pages in the language of a guide. */
export const guideWords = (language: 'en' | 'de'): Words =>
  wordsOf(language, language === 'en' ? en : { ...en, ...translationOf(language) });

/**
 * A guide with the messages of the pages filled in, in the language of the guide. So a guide names buttons
 * with the words that the pages show now. A message that does not exist is an error.
 */
export function withMessages(markdown: string, words: Words): string {
  const t = words.t as (key: Key, values: Record<string, string | number>) => string;
  const filled = markdown.replaceAll(MESSAGE, (_, key: string, given: string) => {
    if (!Object.hasOwn(en, key)) throw new Error(`A guide shows the message "${key}", which does not exist.`);
    const values = [...given.matchAll(VALUE)].map(([, name, value]) => {
      const isNumber = /^\d+$/.test(value!);
      return [name!, isNumber ? Number(value) : value!] as const;
    });
    return t(key as Key, Object.fromEntries(values));
  });
  const unread = /\{msg:.*/.exec(filled)?.[0];
  if (unread !== undefined) throw new Error(`A guide has a message that cannot be read: ${unread}`);
  return filled;
}
