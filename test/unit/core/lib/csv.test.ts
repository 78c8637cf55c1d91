import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, unguarded } from '../../../../src/core/lib/csv.ts';

const line = (...values: Parameters<typeof csvLine>[0]): string => csvLine(values, 'Europe/Amsterdam');

/**
 * The beginnings that a cell must not have. Spreadsheets read them as a formula, or drop them and read the
 * rest.
 */
const DANGEROUS = /^(?:[=+\-@＝＋－＠\t]|\r(?!\n))/;
const SEPARATORS = [';', ',', '\t', '|'];

/** Texts that may break out of a cell: separators, quotes, line ends and the beginnings of formulas. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...[...'=+-@＝＋－＠;,|\'"\t\r\n a1'],
      '\r\n',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '\u2028',
      '\v',
      '""',
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));
const rows = fc.array(
  fc.array(fc.oneof(hostile, fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 4 },
);

/**
 * The cells of a file with this separator. Once as a spreadsheet reads them: a quotation mark counts only
 * at the beginning of a cell. Once as the simplest program reads them: it never counts.
 */
function cellsBy(separator: string, text: string): string[] {
  const end = `${separator}\r\n`;
  const cell = new RegExp(`("(?:[^"]|"")*(?:"|$))?([^${end}]*)(?:[${end}]|$)`, 'gy');
  const careful = [...text.matchAll(cell)].map(([, quoted = '', rest = '']) => {
    const inner = quoted.replace(/^"/, '').replace(/"$/, '').replaceAll('""', '"');
    return inner + rest;
  });
  const naive = text.split(new RegExp(`[${end}]`)).map((part) => part.replace(/^"/, ''));
  return [...careful, ...naive];
}

describe('a CSV file', () => {
  it('a CSV file quotes every cell and ends lines with CRLF', () => {
    expect(line('a', 'b,c', 'say "hi"', 'two\nlines', '', null, 5)).toBe(
      '"a","b,c","say ""hi""","two\nlines","","","5"\r\n',
    );
  });

  it('a CSV file contains no formula, whichever separator reads it', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(...SEPARATORS), (values, separator) => {
        const text = values.map((row) => line(...row)).join('');
        for (const cell of cellsBy(separator, text)) {
          // Invisible characters and quotation marks before a dangerous beginning do not make it harmless.
          expect(cell.replace(/^[\p{Z}\p{Cf}\v\f"]+/u, '')).not.toMatch(DANGEROUS);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('a CSV file reads back every text as it was written', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const text = values.map((row) => line(...row)).join('');
        const read: string[][] = parse(text, { relax_column_count: true, record_delimiter: '\r\n' });
        expect(read.map((row) => row.map(unguarded))).toEqual(values);
      }),
      { numRuns: 3_000 },
    );
  });

  it('a CSV file has an apostrophe before each formula, and before blanks that readers remove, and no other one', () => {
    const examples: [string, string][] = [
      ['=1+1', "'=1+1"],
      ['+1', "'+1"],
      ['\t=1', "'\t'=1"],
      [' =1', " '=1"],
      ['\u00a0=1', "\u00a0'=1"],
      ['＝1', "'＝1"],
      ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
      ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
      ['a\n=1+1;', "a\n'=1+1;"],
      ['a;"=1"', `a;"'=1"`],
      ["'=1", "''=1"],
      ['a\r\n\r\nb', 'a\r\n\r\nb'],
      ['a\r\n-b', "a\r\n'-b"],
      [' a', "' a"],
      ["'a ", "''a "],
      ["'1\r\n\t1", "''1\r\n'\t1"],
      ['a\u200bb', "'a\u200bb"],
      ["'already", "'already"],
      ['a=b', 'a=b'],
      ['1-2, 3', '1-2, 3'],
      ['3952123490000093', '3952123490000093'],
    ];
    for (const [text, written] of examples) {
      expect([text, line(text)]).toEqual([text, `"${written.replaceAll('"', '""')}"\r\n`]);
      expect(unguarded(written)).toBe(text);
    }
  });
});

it('a CSV file has plain numbers, and instants in the zone with its offset on both sides of a clock change', () => {
  expect(line(-5)).toBe('"-5"\r\n');
  expect(line(new Date('2026-11-21T12:48:05Z'))).toBe('"2026-11-21T13:48:05+01:00"\r\n');
  expect(line(new Date('2026-07-01T22:30:00Z'))).toBe('"2026-07-02T00:30:00+02:00"\r\n');
  expect(csvLine([new Date('2026-07-01T00:15:00Z')], 'America/St_Johns')).toBe(
    '"2026-06-30T21:45:00-02:30"\r\n',
  );
});
