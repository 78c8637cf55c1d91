import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateFault, definiteInstant, instantOf, readDate } from '../../../../src/core/lib/date.ts';
import { capitalized, zonedIn } from '../../../../src/core/lib/zone.ts';

const at = (text: string): string => new Date(definiteInstant(text)).toISOString();

describe('the reader of dates', () => {
  it.each([
    ['2026-11-22T14:30:00Z', '2026-11-22T14:30:00.000Z'],
    ['2026-11-22T14:30Z', '2026-11-22T14:30:00.000Z'],
    ['2026-11-22t14:30z', '2026-11-22T14:30:00.000Z'],
    ['2026-11-22 14:30:05Z', '2026-11-22T14:30:05.000Z'],
    ['2026-11-22T14:30:00+01:00', '2026-11-22T13:30:00.000Z'],
    ['2026-11-22T14:30:00+0100', '2026-11-22T13:30:00.000Z'],
    ['2026-11-22T14:30:00+01', '2026-11-22T13:30:00.000Z'],
    ['2026-11-22T14:30-0530', '2026-11-22T20:00:00.000Z'],
    ['2026-11-22T14:30:00.1Z', '2026-11-22T14:30:00.100Z'],
    ['2026-11-22T14:30:00.1239999Z', '2026-11-22T14:30:00.123Z'],
    ['2026-11-22T14:30:00,123456789Z', '2026-11-22T14:30:00.123Z'],
    ['2026-11-22T24:00Z', '2026-11-23T00:00:00.000Z'],
    ['2026-12-31T24:00:00.000+01:00', '2026-12-31T23:00:00.000Z'],
    ['2026-11-22T14:30:00+01:00[Europe/Berlin]', '2026-11-22T13:30:00.000Z'],
    ['2026-11-22T14:30:00.5+0000[UTC]', '2026-11-22T14:30:00.500Z'],
    ['2026-11-22T14:30Z[Etc/GMT+1]', '2026-11-22T14:30:00.000Z'],
    ['2024-02-29T00:00-00:00', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  it.each([
    ...[
      '2026-02-30T08:00Z',
      '2025-02-29T08:00Z',
      '2026-11-31T08:00Z',
      '2026-13-01T08:00Z',
      '2026-00-10T08:00Z',
    ],
    ...['2026-11-00T08:00Z', '2026-11-22T25:00Z', '2026-11-22T24:01Z', '2026-11-22T24:00:01Z'],
    ...['2026-11-22T24:00:00.001Z', '2026-11-22T10:60Z', '2026-11-22T10:00:60Z', '2026-11-22T10:00+14:01'],
    ...[
      '2026-11-22T10:00+01:60',
      '2026-11-22T10:00+1',
      '2026-11-22T10:00+010',
      '2026-11-22T10Z',
      '20261122T1000Z',
    ],
    ...[
      '2026-11-22T10:00 01:00',
      ' 2026-11-22T10:00Z',
      '2026-11-22T10:00Z ',
      '2026-11-22Z',
      '2026-11-22T10:00[Europe/Berlin]',
      '2026-11-22T10:00Z[]',
      '2026-11-22T10:00Z[!UTC]',
      '2026-W47-7',
      'now',
      '',
    ],
    ...['9999-12-31T23:59-14:00', '+002026-11-22T10:00Z', '2026-11-22T10:00:00.Z', '٢٠٢٦-11-22T10:00Z'],
  ])('refuses %s', (text) => {
    expect(definiteInstant(text)).toBeNaN();
    expect(dateFault(text)).toMatch(/^Use ISO 8601 with an offset/);
  });

  it.each(['2026-11-22', '2026-11-22T14:30', '2026-11-22 14:30:00.5'])(
    'asks for the offset of %s in data',
    (text) => {
      expect(definiteInstant(text)).toBeNaN();
      expect(dateFault(text)).toMatch(/no offset from UTC/);
    },
  );

  it.each([
    ['a winter day', 'Europe/Berlin', '2026-11-22', '2026-11-22T00:00:00+01:00'],
    ['a summer time', 'Europe/Berlin', '2026-07-01T12:00', '2026-07-01T12:00:00+02:00'],
    ['a skipped time', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T03:30:00+02:00'],
    ['a time that occurs twice', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T02:30:00+02:00'],
    ['a skipped half hour', 'Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-04T02:45:00+11:00'],
    ['a half hour that occurs twice', 'Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-05T01:45:00+11:00'],
    ['a day without midnight', 'America/Santiago', '2026-09-06', '2026-09-06T01:00:00-03:00'],
    ['a skipped day', 'Pacific/Apia', '2011-12-30T12:00', '2011-12-31T12:00:00+14:00'],
    ['a year before 100', 'UTC', '0001-01-01', '0001-01-01T00:00:00+00:00'],
  ])('reads %s without an offset in the time zone', (_, zone, text, expected) => {
    expect(zonedIn(zone, instantOf(readDate(text)!, zone))).toBe(expected);
  });

  it('reads each local time that a zone shows as that time', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
    ];
    const instant = fc.date({
      min: new Date('1980-01-01'),
      max: new Date('2040-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.constantFrom(...zones), (date, zone) => {
        const shown = zonedIn(zone, date.getTime());
        const local = shown.slice(0, 19);
        const found = instantOf(readDate(local)!, zone);
        expect(zonedIn(zone, found).slice(0, 19)).toBe(local);
        // The first of the two instants of a time that occurs twice.
        expect(found).toBeLessThanOrEqual(Date.parse(shown));
        expect(definiteInstant(shown)).toBe(Date.parse(shown));
      }),
    );
  });
});

it.each([
  ['niedziela, 29 listopada', 'pl', 'Niedziela, 29 listopada'],
  ['istanbul', 'tr', 'İstanbul'],
  ['', 'en', ''],
])('the heading %s begins with a capital letter in %s', (text, locale, expected) => {
  expect(capitalized(text, locale)).toBe(expected);
});
