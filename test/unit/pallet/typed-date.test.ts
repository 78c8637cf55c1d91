import { describe, expect, it } from 'vitest';
import { DESK_LANGUAGES } from '../../../src/messages/languages.ts';
import { dayOrderOf, readTypedDate } from '../../../src/pallet/typed-date.ts';
import { cpuMs } from '../../cpu-time.ts';

/** 24 November 2026, 23:30 in UTC. It is the 25th in Berlin. */
const NOW = Date.UTC(2026, 10, 24, 23, 30);
const BERLIN = 'Europe/Berlin';

const read = (text: string, zone = BERLIN, order = dayOrderOf([text])) => {
  const typed = readTypedDate(text, { zone, now: NOW, order });
  return 'fault' in typed ? typed.fault : [new Date(typed.at).toISOString(), typed.change];
};

describe('a date that a person types, or a spreadsheet contains', () => {
  it.each([
    ['2026-11-25T14:30', '2026-11-25T14:30:00+01:00'],
    ['2026-11-25 14:30', '2026-11-25T14:30:00+01:00'],
    ['2026/11/25 9:05', '2026-11-25T09:05:00+01:00'],
    [' 2026-07-25T14:30:15 ', '2026-07-25T14:30:15+02:00'],
    ['2026-11-25T14:30:00+05:30', '2026-11-25T14:30:00+05:30'],
    ['2026-11-25T14:30:00Z', '2026-11-25T14:30:00Z'],
    ['2026-11-25T14:30Z', '2026-11-25T14:30:00Z'],
    ['25.11.2026 14:30', '2026-11-25T14:30:00+01:00'],
    ['5.7.2026, 9:05', '2026-07-05T09:05:00+02:00'],
    ['Mi, 25.11.26, 14.30 Uhr', '2026-11-25T14:30:00+01:00'],
    ['03.07.2026 06:00', '2026-07-03T06:00:00+02:00'],
    ['25/11/2026 14:30:00', '2026-11-25T14:30:00+01:00'],
    ['11/25/2026 2:30 PM', '2026-11-25T14:30:00+01:00'],
    ['11/11/2026 12:05 am', '2026-11-11T00:05:00+01:00'],
    ['14:30', '2026-11-25T14:30:00+01:00'],
    ['9:05', '2026-11-25T09:05:00+01:00'],
    ['46351.604166666664', '2026-11-25T14:30:00+01:00'],
    ['46351,6041666667', '2026-11-25T14:30:00+01:00'],
    ['2026-11-25 2:30 PM', '2026-11-25T14:30:00+01:00'],
    ['2026.11.25 14:30:00.0', '2026-11-25T14:30:00+01:00'],
    ['25.11.2026 um 14:30 Uhr', '2026-11-25T14:30:00+01:00'],
    ['25/11/2026 \u00e0 14h30', '2026-11-25T14:30:00+01:00'],
    ['mi\u00e9rcoles, 25/11/2026 a las 2:30 p. m.', '2026-11-25T14:30:00+01:00'],
    ['25. 11. 2026 14:30', '2026-11-25T14:30:00+01:00'],
    ['25 Nov 2026 14:30', '2026-11-25T14:30:00+01:00'],
    ['25-Nov-26 14:30', '2026-11-25T14:30:00+01:00'],
    ['25-NOV-2026 02.30.00.000000 PM', '2026-11-25T14:30:00+01:00'],
    ['25NOV2026:14:30:00', '2026-11-25T14:30:00+01:00'],
    ['25/Nov/2026:14:30:00 +0100', '2026-11-25T14:30:00+01:00'],
    ['Wed, 25 Nov 2026 13:30:00 GMT', '2026-11-25T13:30:00Z'],
    ['Wed, 25 Nov 2026 08:30:00 -0500', '2026-11-25T08:30:00-05:00'],
    ['Nov 25, 2026 2:30 PM', '2026-11-25T14:30:00+01:00'],
    ['Nov 25 2026  2:30PM', '2026-11-25T14:30:00+01:00'],
    ['November 25th, 2026 at 2:30 p.m.', '2026-11-25T14:30:00+01:00'],
    ['2026-Nov-25 14:30', '2026-11-25T14:30:00+01:00'],
    ['1er juillet 2026 \u00e0 9h05', '2026-07-01T09:05:00+02:00'],
    ['mar. 24 nov. 2026 14:30', '2026-11-24T14:30:00+01:00'],
    ['5. M\u00e4rz 2026, 9.05 Uhr', '2026-03-05T09:05:00+01:00'],
    ['05. Mrz. 26 09:05', '2026-03-05T09:05:00+01:00'],
    ['5 mrt. 2026 om 9:05', '2026-03-05T09:05:00+01:00'],
    ['MI, 25. NOV. 2026 14:30', '2026-11-25T14:30:00+01:00'],
    ['25 pa\u017a 2026 14:30', '2026-10-25T14:30:00+01:00'],
    ['1 pa\u017adziernika 2026 14:30', '2026-10-01T14:30:00+02:00'],
    ['1 set 2026 14:30', '2026-09-01T14:30:00+02:00'],
    ['25.11.2026 14:30 +01:00', '2026-11-25T14:30:00+01:00'],
    ['2026-11-25 14:30:00 +0100', '2026-11-25T14:30:00+01:00'],
    ['2026-11-25 13:30 UTC', '2026-11-25T13:30:00Z'],
    ['\u200e25.\u200e11.\u200e2026 \u200f14:30', '2026-11-25T14:30:00+01:00'],
  ])('%s is stored as %s in Berlin, and a time alone is today there', (text, expected) => {
    const typed = readTypedDate(text, { zone: BERLIN, now: NOW, order: dayOrderOf([text]) });
    expect(typed).toMatchObject({ at: Date.parse(expected), stored: expected, change: null });
  });

  it.each([
    ['', 'none'],
    ['soon', 'none'],
    ['14', 'none'],
    ['25:00', 'none'],
    ['tomorrow 9:00', 'none'],
    ['Monday 14:30', 'none'],
    ['2026-11-25 13:00 pm', 'none'],
    ['2026-1/5 14:30', 'none'],
    ['14:60', 'none'],
    ['13:00 pm', 'none'],
    ['31.2.2026 14:30', 'none'],
    ['25.11.2026 25:00', 'none'],
    ['2026-13-25T14:30', 'none'],
    ['2026-11-25T14:30+99:00', 'none'],
    ['25 Foo 2026 14:30', 'none'],
    ['31 Nov 2026 14:30', 'none'],
    ['25 jui 2026 14:30', 'none'],
    ['25 No 2026 14:30', 'none'],
    ['25 Nov 14:30', 'none'],
    ['25 Nov 10:12:05', 'none'],
    ['Nov 25 14:30', 'none'],
    ['Nov 2026', 'none'],
    ['25.11.2026 06:00-08:00', 'none'],
    ['25 Nov 2026 06:00 - 08:00', 'none'],
    ['25 Nov 2026 06:00 -08:00', 'none'],
    ['25 Nov 2026 14:30 +99:00', 'none'],
    ['25 Nov 2026', 'noTime'],
    ['25-Nov-26', 'noTime'],
    ['November 25, 2026', 'noTime'],
    ['2026-11-25', 'noTime'],
    ['25.11.2026', 'noTime'],
    ['46351', 'noTime'],
    ['03/07/2026 06:00', 'ambiguous'],
  ])('%j is not read: %s. A day without a time is not midnight', (text, fault) =>
    expect(read(text)).toBe(fault),
  );

  it.each(DESK_LANGUAGES)('reads every date in words as %s writes it', (language) => {
    for (const dateStyle of ['medium', 'long', 'full'] as const) {
      for (const timeStyle of ['short', 'medium'] as const) {
        const format = new Intl.DateTimeFormat(language, { dateStyle, timeStyle, timeZone: BERLIN });
        for (let month = 0; month < 12; month += 1) {
          const at = Date.UTC(2026, month, 26, 13, 30);
          const text = format.format(at);
          expect([
            text,
            readTypedDate(text, { zone: BERLIN, now: NOW, order: dayOrderOf([text]) }),
          ]).toMatchObject([text, { at }]);
        }
      }
    }
  });

  it('reads no text over 100 characters, and none of them needs long', () => {
    const started = cpuMs();
    for (const blanks of [50, 60_000]) {
      const text = `1.1.26 1${' '.repeat(blanks)}!`;
      expect(readTypedDate(text, { zone: 'UTC', now: 0 })).toEqual({ fault: 'none' });
    }
    expect(dayOrderOf([`25/12/2026 1${' '.repeat(100)}`])).toBe(undefined);
    expect(readTypedDate(`2026-11-25T14:30${' '.repeat(100)}Z`, { zone: 'UTC', now: 0 })).toEqual({
      fault: 'none',
    });
    expect(cpuMs() - started).toBeLessThan(300);
  });

  it('another date of the column shows the order of day and month', () => {
    const dates = ['03/07/2026 06:00', '14/07/2026 06:00'];
    expect(read(dates[0]!, BERLIN, dayOrderOf(dates))).toEqual(['2026-07-03T04:00:00.000Z', null]);
    expect(read(dates[0]!, BERLIN, dayOrderOf(['07/14/2026']))).toEqual(['2026-03-07T05:00:00.000Z', null]);
    expect(dayOrderOf(['07/14/2026', '14/07/2026'])).toBeUndefined();
  });

  it('a local time that the clocks skip is later, and an hour that occurs twice is the first', () => {
    expect(read('2026-03-29T02:30')).toEqual(['2026-03-29T01:30:00.000Z', 'SKIPPED']);
    expect(read('2026-10-25T02:30')).toEqual(['2026-10-25T00:30:00.000Z', 'TWICE']);
    // With an offset it is no question.
    expect(read('2026-10-25T02:30+01:00')).toEqual(['2026-10-25T01:30:00.000Z', null]);
    for (const near of ['2026-03-29T01:59', '2026-03-29T03:00', '2026-10-25T01:59', '2026-10-25T03:00'])
      expect([near, read(near)[1]]).toEqual([near, null]);
    expect(read('2026-10-04T02:15', 'Australia/Lord_Howe')).toEqual(['2026-10-03T15:45:00.000Z', 'SKIPPED']);
  });
});

it('the reader of dates reads no text that is longer than a date, so a long run of blanks costs nothing', () => {
  const text = `1.1.26 1${' '.repeat(60_000)}!`;
  const start = cpuMs();
  const typed = readTypedDate(text, { zone: BERLIN, now: NOW, order: dayOrderOf([text]) });
  expect(typed).toEqual({ fault: expect.any(String) });
  expect(cpuMs() - start).toBeLessThan(100);
});
