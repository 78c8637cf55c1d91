import compile from 'icu-minify/compile';
import format, { type CompiledMessage } from 'icu-minify/format';
import { clockIn, formatIn, isTwiceIn, offsetIn, zoneText } from '../core/lib/zone.ts';
import { en } from './en/index.ts';
import { deskScripts, scripts as floorScripts } from './en/scripts.ts';
import { directionOf, type Language, localeOf } from './languages.ts';
import type { Key, Values } from './messages.ts';

/** First strong isolate and pop directional isolate (Unicode Standard Annex 9). Text between them has a direction of its own. */
const [START, END] = ['\u2068', '\u2069'];

/**
 * A parsed message whose texts from outside, such as names, have a direction of their own. Text from right to left would
 * otherwise move the characters of an identifier: `SHIP-2 (A)`. Arguments that select a form are not changed.
 */
export function isolatedMessage(message: CompiledMessage): CompiledMessage {
  if (!Array.isArray(message)) return message;
  const parts = message.flatMap((part): unknown[] => {
    if (!Array.isArray(part)) return [part];
    if (part.length === 1) return [START, part, END];
    const [name, kind, forms] = part as [string, number, unknown];
    if (forms === null || typeof forms !== 'object') return [part];
    const inner = Object.entries(forms).map(([form, text]) => [
      form,
      isolatedMessage(text as CompiledMessage),
    ]);
    return [[name, kind, Object.fromEntries(inner)]];
  });
  return parts as CompiledMessage;
}

/** The arguments of a message, or an empty list. */
type Given<K extends Key> = Record<never, never> extends Values<K> ? [] : [values: Values<K>];

/** Formats texts in one language. */
export interface Words {
  language: Language;
  /** A message with its arguments. An unknown key or a missing argument is a TypeScript error. */
  t<K extends Key>(key: K, ...values: Given<K>): string;
  /** A parsed message, as page scripts format it. */
  parsed(key: Key): CompiledMessage;
  /** A label and its value, spaced as in this language: `Marker: 12`. Without a value, the text before the value. */
  labelled(label: string, value?: string | number): string;
  /** Parts of a line, spaced as in this language: `see users; change users`. */
  series(parts: readonly string[]): string;
  /** A count with the digit groups of this language. */
  number(count: number): string;
  /** A list such as `a, b and c`. */
  list(items: readonly string[]): string;
  /** Local date and time in a zone (IANA), to the minute. This and the next two have an offset if clocks show the time twice. */
  time(zone: string, at: number): string;
  /** The time of day in a zone: `14:30`. */
  clock(zone: string, at: number): string;
  /** Date and time with the day of the week, to the minute: `Sat, 21 Nov 2026, 12:51`. */
  dayTime(zone: string, at: number): string;
  /** The name of a zone, and its UTC offset at an instant: `Central European Time, UTC+01:00`. */
  zone(zone: string, at: number): string;
  /** Local time in a zone to the second, with the UTC offset: `21 Nov 2026, 09:15:30 +01:00`. */
  exactTime(zone: string, at: number): string;
}

/** All messages of a language. */
type Catalog = Readonly<Record<Key, string>>;

const catalogs = new Map<Language, Catalog>([['en', en]]);
const made = new Map<string, Words>();

/** Add the messages of a language. A missing one is English, because not every language has all pages. */
export function addMessages(language: Language, messages: Partial<Catalog>): void {
  catalogs.set(language, { ...en, ...messages });
  for (const name of [language, `plain ${language}`]) made.delete(name);
}

/** Whether this isolate has the messages of a language. */
export const hasMessages = (language: Language): boolean => catalogs.has(language);

/**
 * The words of a language. This isolate has English, and the languages that `load.ts` has read. The `Words` of a
 * language are created once. They parse a message at its first use and keep the result.
 */
export const wordsIn = (language: Language): Words => kept(language, language, asWritten);

/**
 * The same, with plain spaces only. Fonts of documents have no other kinds of space, and a line can break at each
 * plain space.
 */
export const plainWordsIn = (language: Language): Words =>
  kept(`plain ${language}`, language, withPlainSpaces);

const asWritten = (text: string): string => text;
export const withPlainSpaces = (text: string): string => text.replace(/[\u00a0\u2009\u202f]/g, ' ');

function kept(name: string, language: Language, finish: (text: string) => string): Words {
  let words = made.get(name);
  if (!words) {
    const catalog = catalogs.get(language);
    if (!catalog) throw new Error(`the messages of ${language} are not loaded`);
    words = wordsOf(language, catalog, finish);
    made.set(name, words);
  }
  return words;
}

const WITH_DAY: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

/**
 * Date and time to the second. English shows the name of the month, because readers differ in the order of day and
 * month.
 */
const exactly = (language: Language): Intl.DateTimeFormatOptions => ({
  day: '2-digit',
  month: language === 'en' ? 'short' : '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Words from messages. `finish` is applied to each formatted text, except lists and times of day. */
export function wordsOf(language: Language, messages: Catalog, finish = asWritten): Words {
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  const plurals = new Intl.PluralRules(locale);
  const formatters = {
    getNumberFormat: () => numbers,
    getPluralRules: () => plurals,
    getDateTimeFormat: () => formatIn('UTC', locale, {}),
  };
  const known = new Map<Key, CompiledMessage>();
  function parsed(key: Key): CompiledMessage {
    let message = known.get(key);
    if (message === undefined) {
      message = compile(messages[key]);
      if (directionOf(language) === 'rtl') message = isolatedMessage(message);
      known.set(key, message);
    }
    return message;
  }
  function t<K extends Key>(key: K, ...values: Given<K>): string;
  function t(key: Key, values?: Record<string, string | number>): string {
    return finish(String(format(parsed(key), locale, values, { formatters })));
  }
  /** A time with its offset, if clocks show it twice. */
  const timed = (text: string, zone: string, at: number): string =>
    isTwiceIn(zone, at) ? `${text} ${offsetIn(zone, at)}` : text;
  return {
    language,
    t,
    parsed,
    labelled: (label, value = '') => t('text.labelled', { label, value }),
    series: (parts) => parts.reduce((first, next) => (first ? t('text.series', { first, next }) : next), ''),
    number: (count) => finish(numbers.format(count)),
    list: (items) => lists.format(items),
    time: (zone, at) =>
      finish(timed(formatIn(zone, locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at), zone, at)),
    clock: (zone, at) => timed(clockIn(zone, at), zone, at),
    dayTime: (zone, at) => finish(timed(formatIn(zone, locale, WITH_DAY).format(at), zone, at)),
    zone: (zone, at) => finish(zoneText(zone, locale, at)),
    exactTime: (zone, at) =>
      finish(`${formatIn(zone, locale, exactly(language)).format(at)} ${offsetIn(zone, at)}`),
  };
}

const scripts = { ...floorScripts, ...deskScripts };

/** The groups of messages for scripts: the part of their keys before the dot. */
export type ScriptWords = keyof typeof scripts extends `${infer Group}.${string}` ? Group : never;

/** The parsed messages for scripts of a page, as JSON: `{"when.in": ["in ", ["distance"]]}`. */
export const scriptWords = ({ parsed }: Words, groups: readonly ScriptWords[]): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.keys(scripts)
        .filter((key) => groups.some((group) => key.startsWith(`${group}.`)))
        .map((key) => [key, parsed(key as Key)]),
    ),
  );
