import { describe, expect, it } from 'vitest';
import { readTypedDate } from '../../../../src/core/lib/typed-date.ts';

/** 24 November 2026, 23:30 in UTC. It is the 25th in Berlin. */
const NOW = Date.UTC(2026, 10, 24, 23, 30);
const BERLIN = 'Europe/Berlin';

const read = (text: string, zone = BERLIN) => {
  const typed = readTypedDate(text, zone, NOW);
  return typed && [new Date(typed.at).toISOString(), typed.change];
};

describe('a date that a person types', () => {
  it.each([
    ['2026-11-25T14:30', '2026-11-25T13:30:00.000Z'],
    ['2026-11-25 14:30', '2026-11-25T13:30:00.000Z'],
    [' 2026-07-25T14:30:15 ', '2026-07-25T12:30:15.000Z'],
    ['2026-11-25T14:30:00+05:30', '2026-11-25T09:00:00.000Z'],
    ['2026-11-25T14:30Z', '2026-11-25T14:30:00.000Z'],
    ['25.11.2026 14:30', '2026-11-25T13:30:00.000Z'],
    ['5.7.2026, 9:05', '2026-07-05T07:05:00.000Z'],
    ['14:30', '2026-11-25T13:30:00.000Z'],
    ['9:05', '2026-11-25T08:05:00.000Z'],
  ])('%s is read in the zone of the site, and a time alone is today there', (text, expected) => {
    expect(read(text)).toEqual([expected, null]);
  });

  it.each([
    '',
    'soon',
    '14',
    '25:00',
    '14:60',
    '2026-11-25',
    '25.11.2026',
    '31.2.2026 14:30',
    '2026-13-25T14:30',
  ])('%j is not read, and a day without a time is not midnight', (text) =>
    expect(read(text)).toBeUndefined(),
  );

  it('a local time that the clocks skip is later, and an hour that occurs twice is the first', () => {
    expect(read('2026-03-29T02:30')).toEqual(['2026-03-29T01:30:00.000Z', 'SKIPPED']);
    expect(read('2026-10-25T02:30')).toEqual(['2026-10-25T00:30:00.000Z', 'TWICE']);
    // With an offset it is no question.
    expect(read('2026-10-25T02:30+01:00')).toEqual(['2026-10-25T01:30:00.000Z', null]);
    for (const near of ['2026-03-29T01:59', '2026-03-29T03:00', '2026-10-25T01:59', '2026-10-25T03:00'])
      expect([near, read(near)?.[1]]).toEqual([near, null]);
    expect(read('2026-10-04T02:15', 'Australia/Lord_Howe')).toEqual(['2026-10-03T15:45:00.000Z', 'SKIPPED']);
  });
});
