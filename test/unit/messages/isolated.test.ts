import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import { expect, it } from 'vitest';
import { isolatedMessage } from '../../../src/messages/words.ts';

const formatters = {
  getNumberFormat: (...of: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...of),
  getPluralRules: (...of: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...of),
  getDateTimeFormat: (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...of),
};
const written = (message: string, values: Record<string, string | number>) =>
  String(format(isolatedMessage(compile(message)), 'en', values, { formatters }))
    .replaceAll('\u2068', '<')
    .replaceAll('\u2069', '>');

it.each([
  ['No value', {}, 'No value'],
  ['{name} left', { name: 'SHIP-2 (A)' }, '<SHIP-2 (A)> left'],
  ['{name}', { name: 'A' }, '<A>'],
  ['{count, number} pallets', { count: 1200 }, '1,200 pallets'],
  [
    '{count, plural, one {# pallet of {name}} other {# pallets of {name}}}',
    { count: 2, name: 'M' },
    '2 pallets of <M>',
  ],
  ['{gone, select, yes {{who} left} other {{who} came}}', { gone: 'yes', who: 'Ana' }, '<Ana> left'],
] as [string, Record<string, string | number>, string][])(
  'the message %s with isolated names and %j is written: %s',
  (message, values, text) => {
    expect(written(message, values)).toBe(text);
  },
);
