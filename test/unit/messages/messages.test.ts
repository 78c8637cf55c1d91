import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argumentsOf, faultsOf, namesIn } from '../../../src/cli/locales.ts';
import {
  DESK_LANGUAGES,
  directionOf,
  LANGUAGES,
  type Language,
  languageOfTag,
  localeOf,
  nameOf,
} from '../../../src/messages/languages.ts';
import type { Key } from '../../../src/messages/messages.ts';
import { scriptWords } from '../../../src/messages/words.ts';
import { MESSAGES, plainWordsIn, TRANSLATIONS, wordsIn } from '../../messages.ts';

const SRC = resolve(import.meta.dirname, '../../../src');
const { en } = MESSAGES;
const KEYS = Object.keys(en) as Key[];
const OTHERS = LANGUAGES.filter((language) => language !== 'en');
/** The keys of the messages that exist in a language. A text may be missing: `npm run messages` lists it. */
const keysOf = (language: Language): Key[] => KEYS.filter((key) => key in TRANSLATIONS[language]);

const [SELECT, PLURAL] = [1, 2];

/** The plural forms of whole numbers in a language. */
const formsIn = (language: (typeof LANGUAGES)[number]): string[] => {
  const rules = new Intl.PluralRules(localeOf(language));
  return [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))];
};

describe.each(LANGUAGES)('messages in %s', (language) => {
  const messages = MESSAGES[language];

  it('messages of a language take the arguments of the English ones, and have no apostrophe and no space at the end', () => {
    expect(faultsOf(language, messages)).toEqual([]);
    expect(KEYS.filter((key) => /'|\s$/.test(messages[key]))).toEqual([]);
  });

  it('messages of a language have the plural forms of the language and select by the same values', () => {
    const needed = [...formsIn(language), 'other'];
    for (const key of keysOf(language)) {
      for (const { kind, forms } of argumentsOf(messages[key])) {
        if (kind === PLURAL)
          for (const form of needed) expect([key, forms]).toEqual([key, expect.arrayContaining([form])]);
        const choices = (text: string) =>
          argumentsOf(text)
            .filter((argument) => argument.kind === SELECT)
            .map((argument) => [argument.name, [...argument.forms].sort()].join());
        if (kind === SELECT) expect(choices(en[key])).toEqual(expect.arrayContaining(choices(messages[key])));
      }
    }
  });
});

/** The texts of the source files, without the messages. */
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx?|js)$/.test(file) && !/^messages\/en\//.test(file))
  .map((file) => readFileSync(join(SRC, file), 'utf8'))
  .join('\n');

it('every message is used', () => {
  const used = new Set([...sources.matchAll(/'([\w]+\.[\w.]+)'/g)].map(([, key]) => key));
  const begun = [...new Set([...sources.matchAll(/`(\w+\.)\$\{/g)].map(([, prefix]) => prefix!))];
  expect(begun.length).toBeGreaterThan(5);
  const wholly = /^refused\./;
  const unused = KEYS.filter(
    (key) => !used.has(key) && !begun.some((prefix) => key.startsWith(prefix)) && !wholly.test(key),
  );
  expect(unused).toEqual([]);
});

/** Words that are the same in English and another language. */
const SHARED =
  /^(Status|Markers?|Tablets|Live|Online|Offline|Name|Revision|Menu|Pallets?|Scanners?|Webhooks?|Integration|Agents|Rev\.|Camera|Site|Password|Format|Ctrl)$/;

it('French has a space that does not break before each colon and in quotation marks, and a thin one before ; ! ?', () => {
  const wrong = keysOf('fr').filter((key) => {
    const text = MESSAGES.fr[key];
    return /(?<!\u202f)[;!?]|(?<!\u00a0):(?!\/\/)|«(?!\u00a0)|(?<!\u00a0)»/.test(
      text.replace(/\d:\d|mailto:/g, ''),
    );
  });
  expect(wrong.map((key) => `${key}: ${MESSAGES.fr[key]}`)).toEqual([]);
});

/** The quotation marks of each language. */
const QUOTES: Record<Language, [open: string, close: string]> = {
  en: ['“', '”'],
  de: ['„', '“'],
  es: ['«', '»'],
  fr: ['«', '»'],
  it: ['«', '»'],
  nl: ['“', '”'],
  pl: ['„', '”'],
  pt: ['«', '»'],
  cs: ['„', '“'],
  ro: ['„', '”'],
  tr: ['“', '”'],
  uk: ['«', '»'],
};

it.each(LANGUAGES)(
  'texts in %s use the quotation marks of the language, one sign for an ellipsis, and single spaces',
  (language) => {
    const [open, close] = QUOTES[language];
    const wrong = keysOf(language).filter((key) => {
      const text = MESSAGES[language][key];
      const [opened, closed] = [open, close].map((sign) => text.split(sign).length - 1);
      const others = text.replaceAll(open, '').replaceAll(close, '');
      const spaced = language === 'fr' ? /\s[,.]/ : /[^\s…]\s[,.:;!?](?!\w)/;
      return (
        opened !== closed ||
        /["„“”«»]/.test(others) ||
        /\.\.| {2}|\s-\s|\(\s|\s\)/.test(text) ||
        spaced.test(text)
      );
    });
    expect(wrong.map((key) => `${key}: ${MESSAGES[language][key]}`)).toEqual([]);
  },
);

it('a label and its value, and parts of a line, are spaced as in the language', () => {
  expect(wordsIn('de').labelled('Marker', 7)).toBe('Marker: 7');
  expect(wordsIn('fr').labelled('Marqueur', 7)).toBe('Marqueur\u00a0: 7');
  expect(wordsIn('fr').labelled('Marqueur')).toBe('Marqueur\u00a0: ');
  expect(wordsIn('fr').series(['a', 'b', 'c'])).toBe('a\u202f; b\u202f; c');
  expect(['a', 'b'].map((part) => wordsIn('pl').series([part]))).toEqual(['a', 'b']);
});

it('pages write no colon or semicolon of their own between texts', () => {
  // A brace after a space ends a type or a parameter.
  const OWN = /[^\s{]\}(<\/\w+>)?[:;] (\$?\{|<)|\/>[:;]\{' '\}|\.join\('[:;] '\)/;
  // A reason as it is stored, and errors for the console of the browser.
  const OTHER = /^ui\/confirm\/confirmation\.tsx$|^(docs|console\/operator)\//;
  const wrong = readdirSync(join(SRC, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|js)$/.test(file) && !OTHER.test(file))
    .flatMap((file) =>
      readFileSync(join(SRC, 'web', file), 'utf8')
        .split('\n')
        // A file of a report has columns with the names of the API.
        .filter((line) => OWN.test(line) && !/Error\(|shortByReason\.map/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(wrong).toEqual([]);
});

/** Texts that are the same in both languages without being English. */
const ALIKE = Object.entries({
  cs: `
    proof.role`,
  de: `
    changed.passkey find.marker status.NORMAL thing.AGENT when.in`,
  es: `
    audit.hash audit.no changed.sizeBytes changed.softwareVersion changed.totalCount device.software
    field.later gates.gln made.no status.NORMAL`,
  fr: `
    alert.kind alert.message archive.notes audit.action changed.client changed.email changed.notes
    changed.session changed.signature changed.totalCount customer.one customer.title findKind.client
    gate.silence gates.gln hook.operate key.secret list.pages load.actions load.operate marker.code
    marker.image menu.clients operationType.SIMULATION page.photos page.signatures palette.pages
    photo.file photo.title proof.photo proof.signature settings.clients settings.type share.mail
    thing.AGENT thing.CLIENT thing.PHOTO track.client`,
  it: `
    account.browser actorType.TABLET audit.no changed.databaseName changed.email changed.passkey field.later gate.pallet
    made.no share.mail thing.DATABASE`,
  nl: `
    actorType.TABLET alert.open audit.hash audit.scans changed.databaseName changed.passkey changed.scans
    changed.sizeBytes changed.softwareVersion day.pallets device.host device.software field.later
    find.marker gate.marker gate.pallet keys.end keys.enter keys.home kind.PRINTER list.filters make.candidate marker.code marker.one
    orders.isOrder orders.order page.palletCount paper.pallets passkey.title proof.marker report.week
    reportBy.WEEK share.mail start.dock status.OPEN thing.AGENT thing.DATABASE`,
  pl: `
    actorType.TABLET alert.one authorityName.ADMINISTRATOR changed.email field.later gates.gln keys.end
    keys.enter keys.home share.mail thing.AGENT thing.ALERT`,
  pt: `
    field.later keys.enter status.NORMAL`,
}).flatMap(([language, keys]) =>
  keys
    .trim()
    .split(/\s+/)
    .map((key) => `${language} ${key}`),
);
const UNITS = /^(when|report)\.(hours|hoursMinutes|minutes|seconds)$/;

it('no translated message is still in English', () => {
  const isBare = (message: string) => !/\p{L}/u.test(message.replace(/\{[^{}]*\}/g, ''));
  const left = OTHERS.flatMap((language) =>
    keysOf(language)
      .filter(
        (key) =>
          MESSAGES[language][key] === en[key] &&
          !isBare(en[key]) &&
          !SHARED.test(en[key]) &&
          !UNITS.test(key),
      )
      .map((key) => `${language} ${key}`),
  );
  const alike = ALIKE.filter((entry) => {
    const [language, key] = entry.split(' ') as [Language, Key];
    return key in TRANSLATIONS[language];
  });
  expect(left.sort()).toEqual(alike.sort());
});

/** The lines of the glossary as cells, without `held`. The first one has the names of the languages. */
const [glossaryHead = [], ...glossary] = readFileSync(join(SRC, 'messages/README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (x|held) \|/.test(line))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(2, -1),
  );
/** The forms of a term in a language, or none if the language does not need the term. */
const formsOf = (row: readonly string[], language: Language): string[] => {
  const cell = row[glossaryHead.indexOf(nameOf(language))]!;
  return cell === '–' ? [] : cell.split(', ');
};

/** Messages whose translation uses a pronoun or leaves the word out. */
const FREE: Partial<Record<Key, true>> = {
  // "Proof of shipment" is a separate term.
  'page.proof': true,
  'page.foot': true,
  'proof.title': true,
  'cancel.final': true,
  'gate.isOff': true,
  // A client of OpenID Connect.
  'provider.clientId': true,
  'provider.clientSecret': true,
  // A site of the web.
  'refused.crossOriginRefused': true,
};

/** The stem of a word, which all of its forms begin with. */
const stem = (word: string): string =>
  word.toLowerCase().replace(/(ção|ción|zione|ówka|yłka|[aeiyoăéаяоь])$/, '');

it("messages use the glossary's word for each idea", () => {
  expect(glossary.length).toBeGreaterThan(15);
  expect(LANGUAGES.filter((language) => !glossaryHead.includes(nameOf(language)))).toEqual([]);
  const wrong = glossary.flatMap((row) => {
    const term = new RegExp(`\\b(${formsOf(row, 'en').join('|')})s?\\b`, 'i');
    const about = KEYS.filter((key) => term.test(en[key].replace(/\{(\w+)\}/g, '')) && !(key in FREE));
    return OTHERS.flatMap((language) => {
      const stems = formsOf(row, language).map((word) => stem(word.split(' ')[0]!));
      return about
        .filter((key) => stems.length > 0 && keysOf(language).includes(key))
        .filter(
          (key) => !stems.some((part) => MESSAGES[language][key].toLocaleLowerCase(language).includes(part)),
        )
        .map((key) => `${language} ${key} (${row[0]}): ${MESSAGES[language][key]}`);
    });
  });
  expect(wrong).toEqual([]);
});

it('no message puts the word for a gate before its name, because a name such as “Gate 1” has the word', () => {
  const row = glossary.find(([english]) => english === 'gate')!;
  const doubled = LANGUAGES.flatMap((language) => {
    const stems = formsOf(row, language).map(stem).join('|');
    const named = new RegExp(`(?<!\\p{L})(?:${stems})\\p{L}*\\s+\\{(\\w+)\\}`, 'giu');
    return keysOf(language)
      .filter((key) => {
        // The name of a choice, such as `gate {gate}`, is no argument.
        const names = namesIn(en[key]);
        return [...MESSAGES[language][key].matchAll(named)].some(
          ([, name]) => name !== 'who' && names.includes(name!),
        );
      })
      .map((key) => `${language} ${key}: ${MESSAGES[language][key]}`);
  });
  expect(doubled).toEqual([]);
});

/** Pallets are taken off a truck by hand, but detached from a manifest. */
const NOT_DETACH = /\b(take|herunternehmen)\b/i;
const NOT_SAID = /nobody knows|niemand kennt|\bbatch is there|\bseen to\b/i;

it('no message writes out a word that has a message of its own', () => {
  const texts = LANGUAGES.flatMap((language) =>
    keysOf(language)
      .filter((key) => {
        const text = MESSAGES[language][key];
        return NOT_SAID.test(text) || (/detach/.test(key) && NOT_DETACH.test(text));
      })
      .map((key) => `${language} ${key}: ${MESSAGES[language][key]}`),
  );
  expect(texts).toEqual([]);
});

describe('words', () => {
  it('words count by the rules of their language', () => {
    const textsIn = (language: (typeof LANGUAGES)[number]) =>
      [1, 2, 5, 22, 12_345].map((count) =>
        wordsIn(language).t('page.palletCount', { count }).replace(/\s/g, ' '),
      );
    expect(textsIn('en')).toEqual(['1 pallet', '2 pallets', '5 pallets', '22 pallets', '12,345 pallets']);
    expect(textsIn('de')).toEqual([
      '1 Palette',
      '2 Paletten',
      '5 Paletten',
      '22 Paletten',
      '12.345 Paletten',
    ]);
    expect(textsIn('pl')).toEqual(['1 paleta', '2 palety', '5 palet', '22 palety', '12 345 palet']);
  });

  it('words show times by the clock of a zone, with its offset', () => {
    const [summer, winter] = [Date.UTC(2026, 6, 1, 10), Date.UTC(2026, 10, 21, 8, 15, 30)];
    const { exactTime } = plainWordsIn('de');
    expect(exactTime('Europe/Berlin', winter)).toBe('21.11.2026, 09:15:30 +01:00');
    expect(exactTime('Europe/Berlin', summer)).toBe('01.07.2026, 12:00:00 +02:00');
    expect(exactTime('America/St_Johns', winter)).toBe('21.11.2026, 04:45:30 -03:30');
    expect(wordsIn('en').exactTime('UTC', winter)).toBe('21 Nov 2026, 08:15:30 UTC');
    // The clock shows this hour twice, so it needs two texts.
    const twice = [0, 1].map((hour) => exactTime('Europe/Berlin', Date.UTC(2026, 9, 25, hour, 30)));
    expect(twice).toEqual(['25.10.2026, 02:30:00 +02:00', '25.10.2026, 02:30:00 +01:00']);
  });

  it('words show the offset of a time that the clock of a zone shows twice, and of no other', () => {
    const zone = 'America/New_York';
    const [before, first, second, after] = [4, 5, 6, 7].map((hour) => Date.UTC(2026, 10, 1, hour, 30));
    const { clock, time, dayTime } = wordsIn('en');
    expect([before, first, second, after].map((at) => clock(zone, at!))).toEqual([
      '00:30',
      '01:30 -04:00',
      '01:30 -05:00',
      '02:30',
    ]);
    expect([first, second].map((at) => time(zone, at!))).toEqual([
      '1 Nov 2026, 01:30 -04:00',
      '1 Nov 2026, 01:30 -05:00',
    ]);
    expect(dayTime(zone, second!)).toBe('Sun, 1 Nov 2026, 01:30 -05:00');
    // Clocks that go forward show no time twice.
    expect(clock('Europe/Berlin', Date.UTC(2026, 2, 29, 1, 30))).toBe('03:30');
  });

  it('words in documents contain no spaces that fonts cannot draw', () => {
    for (const language of LANGUAGES) {
      const { number, exactTime, t } = plainWordsIn(language);
      const text = [number(1_234_567), exactTime('UTC', 0), t('page.palletCount', { count: 1e6 })].join('');
      expect(text).not.toMatch(/[\u00a0\u2009\u202f]/);
    }
  });

  it('words for scripts contain the parsed messages of their groups', () => {
    const words = JSON.parse(scriptWords(wordsIn('pl'), ['when', 'dialog'])) as Record<string, unknown>;
    expect(Object.keys(words).map((key) => key.split('.')[0])).toEqual([
      ...Array(12).fill('when'),
      ...Array(4).fill('dialog'),
    ]);
    expect(words['when.in']).toEqual(['za ', ['distance']]);
  });

  it('words with a missing argument or an unknown message do not compile', () => {
    const { t } = wordsIn('en');
    // @ts-expect-error: `count` is missing
    expect(() => t('page.palletCount')).toThrow();
    // @ts-expect-error: there is no such message
    expect(() => t('page.nowhere')).toThrow();
    // @ts-expect-error: there is no such language
    expect(() => nameOf('xx')).toThrow();
  });
});

it.each([
  ['pt-BR', 'pt'],
  ['PT-br', 'pt'],
  ['de-Latn-CH', 'de'],
  ['en', 'en'],
  ['pty', undefined],
  ['-pt', undefined],
  ['', undefined],
  ['__proto__', undefined],
  [undefined, undefined],
] as const)('the language of the tag %s is %s', (tag, language) => {
  expect(languageOfTag(tag)).toBe(language);
});

it('each language names itself, and its text runs in a direction', () => {
  expect(LANGUAGES.map(nameOf)).toContain('Português');
  expect(new Set(LANGUAGES.map(nameOf)).size).toBe(LANGUAGES.length);
  expect(new Set(LANGUAGES.map(directionOf))).toEqual(new Set(['ltr']));
});

it.each(DESK_LANGUAGES)(
  'the search boxes of manifests, gates and batches use the words of their columns in %s',
  (language) => {
    const { t } = wordsIn(language);
    const external = t('made.externalId')
      .toLowerCase()
      .split(' ')
      .find((word) => /^(ext|est|zewn)/.test(word))!;
    expect(external).toMatch(/./);
    for (const label of [t('load.inManifests'), t('gates.search'), t('batch.inBatches')])
      expect(label.toLowerCase()).not.toContain(external.slice(0, 4));
  },
);
