import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import compile from 'icu-minify/compile';
import { expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/messages/languages.ts';
import type { Key } from '../../../src/messages/messages.ts';
import { NOTES, noteOf } from '../../../src/messages/notes.ts';
import { MESSAGES } from '../../messages.ts';

const WEB = resolve(import.meta.dirname, '../../../src/web');
const KEYS = Object.keys(MESSAGES.en) as Key[];

/** The pages in TSX, without the pages of operators and the guides, which are in English only. */
const pages = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !/^(console\/operator|docs)\//.test(file))
  .map((file) => readFileSync(join(WEB, file), 'utf8'));

/** The inner text of buttons, links that look like buttons, badges and headings of columns. */
const NARROW = [
  /<(Submit|ActionButton|button)\b(?:<[^>]*>)?(?:=>|[^>])*>(?<inner>.*?)<\/\1>/gs,
  /<a\b[^>]*class="[^"]*\bbutton\b[^"]*"[^>]*>(?<inner>.*?)<\/a>/gs,
  /<th scope="col"[^>]*>(?<inner>.*?)<\/th>/gs,
  /<Badge\b(?<inner>.*?)\/>/gs,
];
const keysIn = (text: string): string[] =>
  [...text.matchAll(/\bt\((?:'([\w.]+)'|`([\w.]+)\$\{)/g)].map(([, key, prefix]) => key ?? `${prefix}*`);
const narrow = new Set(
  pages.flatMap((page) =>
    NARROW.flatMap((place) => [...page.matchAll(place)].flatMap(({ groups }) => keysIn(groups!.inner!))),
  ),
);

it('each text of a button, a badge or a heading of a column has a note with its maximum length', () => {
  expect(narrow.size).toBeGreaterThan(100);
  // Of the messages of a group, a page may show only some in a button.
  const unlimited = [...narrow].filter((name) =>
    name.endsWith('*')
      ? !KEYS.some((key) => key.startsWith(name.slice(0, -1)) && noteOf(key)?.max)
      : noteOf(name)?.max === undefined,
  );
  expect(unlimited.sort()).toEqual([]);
});

/** The number of characters of a parsed message, without the values of its arguments. Its longest forms count. */
function lengthOf(parsed: unknown): number {
  if (typeof parsed === 'string') return parsed.length;
  if (!Array.isArray(parsed)) return 0;
  return parsed.reduce((sum: number, part: unknown) => {
    if (!Array.isArray(part)) return sum + lengthOf(part);
    const forms: unknown = part[2];
    const inner = forms !== null && typeof forms === 'object' ? Object.values(forms).map(lengthOf) : [0];
    return sum + Math.max(...inner);
  }, 0);
}

it('no message is longer than its place', () => {
  expect(lengthOf(compile('{name}: {count, plural, one {# pallet} other {# pallets}}'))).toBe(
    ': '.length + ' pallets'.length,
  );
  const long = LANGUAGES.flatMap((language) =>
    KEYS.filter(
      (key) => lengthOf(compile(MESSAGES[language][key])) > (noteOf(key)?.max ?? Number.POSITIVE_INFINITY),
    ).map((key) => `${language} ${key} (${noteOf(key)!.max}): ${MESSAGES[language][key]}`),
  );
  expect(long).toEqual([]);
});

it('each note is about a message', () => {
  const unused = Object.keys(NOTES).filter(
    (name) => !KEYS.some((key) => key === name || (name.endsWith('*') && key.startsWith(name.slice(0, -1)))),
  );
  expect(unused).toEqual([]);
});

it('the program does not contain the notes', () => {
  const importing = readdirSync(resolve(WEB, '..'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && /\/notes\.ts'/.test(readFileSync(resolve(WEB, '..', file), 'utf8')),
  );
  expect(importing).toEqual([]);
});
