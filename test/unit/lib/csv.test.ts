import { expect, it } from 'vitest';
import { csvLine } from '../../../src/lib/csv.ts';

const line = (...values: Parameters<typeof csvLine>[0]): string => csvLine(values, 'Europe/Amsterdam');

it('quotes what RFC 4180 quotes, and ends lines with CRLF', () => {
  expect(line('a', 'b,c', 'say "hi"', 'two\nlines', '', null, 5)).toBe(
    'a,"b,c","say ""hi""","two\nlines",,,5\r\n',
  );
});

it('makes formulas of no cell, however they begin', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u00a0=1',
    '＝1',
    '－1',
    "=cmd|' /C calc'!A0",
  ]) {
    const cell = line(text).slice(0, -2).replace(/^"/, '');
    expect([text, cell.startsWith("'")]).toEqual([text, true]);
  }
  for (const text of ["'already", 'a=b', '1-2', '3952123490000093']) expect(line(text)).toBe(`${text}\r\n`);
});

it('writes numbers as they are, and instants in the zone with its offset, on both sides of a change of the clock', () => {
  expect(line(-5)).toBe('-5\r\n');
  expect(line(new Date('2026-11-21T12:48:05Z'))).toBe('2026-11-21T13:48:05+01:00\r\n');
  expect(line(new Date('2026-07-01T22:30:00Z'))).toBe('2026-07-02T00:30:00+02:00\r\n');
  expect(csvLine([new Date('2026-07-01T00:15:00Z')], 'America/St_Johns')).toBe(
    '2026-06-30T21:45:00-02:30\r\n',
  );
});
