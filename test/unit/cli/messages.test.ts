import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOCALES, TRANSLATED, translationOf } from '../../../src/cli/locales.ts';
import { messageList, writeMessages } from '../../../src/cli/messages.ts';
import { en } from '../../../src/messages/en/index.ts';
import type { Key } from '../../../src/messages/messages.ts';

const CHANGED = 'board.assignTo';
const CURRENT = 'The translations into 11 languages are complete.';
const NOT_WRITTEN = 'en.json does not have the English texts. Run: npm run messages -- --write';

const home = mkdtempSync(join(tmpdir(), 'dispatch-locales-'));
/** A copy of the translations, in which nothing is missing or outdated. */
const complete = join(home, 'complete');
/** The files of a test. */
const folder = join(home, 'changed');
beforeAll(() => {
  cpSync(LOCALES, folder, { recursive: true });
  for (const language of TRANSLATED) edit(language, (texts) => ({ ...en, ...texts }));
  write(...Object.keys(en));
  renameSync(folder, complete);
});
beforeEach(() => cpSync(complete, folder, { recursive: true }));
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => rmSync(home, { recursive: true }));

const textOf = (name: string): string => readFileSync(join(folder, `${name}.json`), 'utf8');
const read = (name: string): Record<string, string> => JSON.parse(textOf(name));
const put = (name: string, text: string): void => writeFileSync(join(folder, `${name}.json`), text);
const edit = (name: string, change: (texts: Record<string, string>) => Record<string, string>): void =>
  put(name, JSON.stringify(change(read(name))));
const set = (name: string, key: string, text: string): void =>
  edit(name, (texts) => ({ ...texts, [key]: text }));
const remove = (name: string, key: string): void => edit(name, ({ [key]: _, ...texts }) => texts);
const write = (...kept: string[]): void => writeMessages(kept, undefined, folder);
/** The lines of the list about a language. */
const listOf = (language: string): string[] => {
  const list = messageList(folder);
  const own = list.slice(list.indexOf(language) + 1);
  const end = own.findIndex((line) => !line.startsWith(' '));
  return own.slice(0, end < 0 ? undefined : end);
};
const outdated = (): unknown => read('outdated');

describe('the list of messages', () => {
  it('is empty if every language has every text', () => {
    expect(messageList(folder)).toEqual([CURRENT]);
    expect(outdated()).toEqual({});
  });

  it('names the missing texts of a language by its pages, and unknown keys', () => {
    remove('de', 'board.assignTo');
    set('de', 'kit.skip', ' ');
    remove('cs', 'board.assignTo');
    remove('cs', 'page.nothing');
    set('cs', 'of.yesterday', 'Včera');
    expect(messageList(folder)).toEqual([
      'de',
      expect.stringMatching(/^ {2}2 missing: (board.assignTo, kit.skip|kit.skip, board.assignTo)$/),
      'cs',
      '  1 missing: page.nothing',
      '  1 unknown: of.yesterday',
    ]);
  });

  it('shortens long lists', () => {
    put('de', '{}');
    const [, line] = messageList(folder);
    expect(line).toMatch(
      new RegExp(`^ {2}${Object.keys(en).length} missing: (\\S+, ){9}\\S+ and \\d+ more$`),
    );
  });

  it('names a text as outdated until its translation changes, in each language by itself', () => {
    const german = read('de')[CHANGED]!;
    const polish = read('pl')[CHANGED]!;
    for (const language of TRANSLATED) if (!['de', 'pl'].includes(language)) remove(language, CHANGED);
    set('en', CHANGED, 'Text of before');
    const list = messageList(folder);
    expect(list).toContain(NOT_WRITTEN);
    expect(list.filter((line) => line.includes('outdated'))).toEqual(
      Array(2).fill(`  1 outdated: ${CHANGED}`),
    );

    write();
    expect(read('en')[CHANGED]).toBe(en[CHANGED]);
    expect(outdated()).toEqual({ [CHANGED]: { de: german, pl: polish } });
    expect(messageList(folder)).not.toContain(NOT_WRITTEN);

    set('de', CHANGED, `${german}!`);
    expect([listOf('de'), listOf('pl')].map((lines) => lines.join().includes('outdated'))).toEqual([
      false,
      true,
    ]);
    write();
    expect(outdated()).toEqual({ [CHANGED]: { pl: polish } });
    write();
    expect(outdated()).toEqual({ [CHANGED]: { pl: polish } });
    write(CHANGED);
    expect(outdated()).toEqual({});
  });
});

describe('the files of messages', () => {
  it('have the known keys in the order of the English messages', () => {
    const before = textOf('de');
    edit('de', (texts) => ({
      'of.yesterday': 'Gestern',
      ...Object.fromEntries(Object.entries(texts).reverse()),
    }));
    put('en', '{}');
    write();
    expect(textOf('de')).toBe(before);
    expect(Object.keys(read('de'))).toEqual(Object.keys(en));
    expect(read('en')).toEqual(en);
    expect(outdated()).toEqual({});
  });

  it('forget that a text is outdated for one language if its translation fits', () => {
    const others = Object.fromEntries(
      TRANSLATED.filter((language) => language !== 'de').map((language) => [
        language,
        read(language)[CHANGED],
      ]),
    );
    set('en', CHANGED, 'Text of before');
    writeMessages([CHANGED], 'de', folder);
    expect(outdated()).toEqual({ [CHANGED]: others });
  });

  it('forget outdated texts of a message that does not exist', () => {
    put('outdated', JSON.stringify({ 'of.yesterday': { de: 'Gestern' } }));
    write();
    expect(outdated()).toEqual({});
  });

  it('do not change if a key or a language to keep does not exist', () => {
    expect(() => write('of.yesterday')).toThrow('The message "of.yesterday" does not exist.');
    expect(() => writeMessages([CHANGED], 'xx', folder)).toThrow('The language "xx" does not exist.');
  });
});

describe('the texts of a language', () => {
  it('are known texts only, without blank ones', () => {
    put('de', JSON.stringify({ 'page.nothing': 'Nichts', 'kit.skip': '', 'of.yesterday': 'Gestern' }));
    expect(translationOf('de', folder)).toEqual({ 'page.nothing': 'Nichts' });
  });

  it.each([
    ['{', /^de\.json cannot be read: .*JSON/],
    ['[]', 'de.json must be an object of keys and texts.'],
    ['{"kit.skip": 1}', 'de.json: the value of "kit.skip" must be a text.'],
  ])('cannot be read from the file %s', (text, message) => {
    put('de', text);
    expect(() => messageList(folder)).toThrow(message);
  });

  it.each<[Key, string, RegExp]>([
    ['page.palletCount', '{count, plural, one {eine}', /^de page\.palletCount is not an ICU message: ./],
    [
      'page.palletCount',
      'Paletten: {number} {of}',
      /^de page\.palletCount has the arguments \{number\}, \{of\}\. The English text has \{count\}\.$/,
    ],
    [
      'page.nothing',
      '{count}',
      /^de page\.nothing has the arguments \{count\}\. The English text has none\.$/,
    ],
  ])('must fit the English message %s: %s', (key, text, fault) => {
    set('de', key, text);
    expect(messageList(folder)[0]).toMatch(fault);
  });
});
