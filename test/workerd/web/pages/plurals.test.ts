import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import { expect, it } from 'vitest';
import { PLURALS } from '../../../plurals.ts';

const MESSAGE = compile('{count, plural, one {one} few {few} many {many} other {other}}');
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

it.each(Object.entries(PLURALS))('a message has the plural forms of %s in the Worker', (language, forms) => {
  const rules = new Intl.PluralRules(language);
  const formatters = {
    getNumberFormat: () => new Intl.NumberFormat(language),
    getPluralRules: () => rules,
    getDateTimeFormat: () => new Intl.DateTimeFormat(language),
  };
  const found = Object.keys(forms).map((count) => [
    count,
    format(MESSAGE, language, { count: Number(count) }, { formatters }),
  ]);
  expect(Object.fromEntries(found)).toEqual(forms);
});

it.each([
  ['cs', 'so 21. 11.', 'středoevropský čas', '12 345,6', 'a, b a c'],
  ['ro', 'sâm., 21 nov.', 'Ora Europei Centrale', '12.345,6', 'a, b și c'],
  ['tr', '21 Kas Cmt', 'Orta Avrupa Saati', '12.345,6', 'a, b ve c'],
  ['uk', 'сб, 21 лист.', 'за центральноєвропейським часом', '12 345,6', 'a, b і c'],
])('the Worker writes days, zones, numbers and lists in %s', (language, day, zone, number, list) => {
  const at = Date.UTC(2026, 10, 21, 12);
  const named = new Intl.DateTimeFormat(language, { timeZone: 'Europe/Warsaw', timeZoneName: 'longGeneric' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
  expect([
    plain(new Intl.DateTimeFormat(language, DAY).format(at)),
    named,
    plain(new Intl.NumberFormat(language).format(12_345.6)),
    plain(new Intl.ListFormat(language, { type: 'conjunction' }).format(['a', 'b', 'c'])),
  ]).toEqual([day, zone, number, list]);
});
