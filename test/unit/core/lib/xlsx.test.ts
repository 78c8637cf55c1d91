import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { Plain } from '../../../../src/core/lib/csv.ts';
import { XlsxFile } from '../../../../src/core/lib/xlsx.ts';
import { cpuMs } from '../../../cpu-time.ts';
import { exported } from '../../web/console/exported.ts';

/** The XML of the cells of a row of values. */
function cellsOf(...values: Plain[]): string[] {
  const parts = unzipSync(exported([['A'], values]));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  return sheet.match(/<row r="2">(.*)<\/row>/s)![1]!.match(/<c .*?<\/c>/gs) ?? [];
}

const text = (at: string, content: string): string =>
  `<c r="${at}" s="1" t="inlineStr"><is><t xml:space="preserve">${content}</t></is></c>`;

it('a workbook has texts in cells of the format Text, and numbers and dates that a spreadsheet can use', () => {
  expect(cellsOf('340123450000000018', 7, null, '', new Date('2026-07-01T10:30:00Z'))).toEqual([
    text('A2', '340123450000000018'),
    '<c r="B2"><v>7</v></c>',
    '<c r="E2" s="2"><v>46204.52083333333</v></c>',
  ]);
  const styles = strFromU8(unzipSync(exported([['A']]))['xl/styles.xml']!);
  const formats = styles.match(/<cellXfs.*<\/cellXfs>/)![0].match(/<xf [^>]*>/g)!;
  expect(formats[1]).toContain('numFmtId="49"');
  expect(formats[2]).toContain('numFmtId="164"');
  expect(styles).toContain('numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"');
});

it('a workbook has a date that clocks show twice, or before 1900, as text with its offset', () => {
  expect(
    cellsOf(
      new Date('2026-10-25T00:30:00Z'),
      new Date('2026-10-25T01:30:00Z'),
      new Date('1899-12-31T11:00:00Z'),
    ),
  ).toEqual([
    text('A2', '2026-10-25T02:30:00+02:00'),
    text('B2', '2026-10-25T02:30:00+01:00'),
    text('C2', '1899-12-31T12:00:00+01:00'),
  ]);
});

it('a workbook is XML that programs read, whatever its texts contain', () => {
  expect(cellsOf('<&>', 'a\u0000\r\n\ud800_x0041_')).toEqual([
    text('A2', '&lt;&amp;&gt;'),
    text('B2', "'a_x0000__x000D_\n\ufffd_x005F_x0041_"),
  ]);
  const [long] = cellsOf('x'.repeat(40_000));
  expect(long).toBe(text('A2', `${'x'.repeat(32_766)}…`));
});

it('a workbook names columns after Z as spreadsheets do', () => {
  const names = cellsOf(...Array.from({ length: 60 }, (_, column) => column)).map(
    (cell) => /r="(\w+)2"/.exec(cell)![1],
  );
  expect([names[0], names[25], names[26], names[51], names[52]]).toEqual(['A', 'Z', 'AA', 'AZ', 'BA']);
});

it('a workbook of 50,000 rows is made in small parts within seconds', () => {
  const file = new XlsxFile('track', 'Europe/Berlin');
  const start = cpuMs();
  let [bytes, largest] = [file.head(['Pallet', 'Seen']).length, 0];
  for (let row = 0; row < 50_000; row += 200) {
    const rows = Array.from({ length: 200 }, (_, index) => [
      String(340123450000000018n + BigInt(row + index)),
      new Date(Date.UTC(2026, 0, 1) + (row + index) * 600_000),
    ]);
    const { length } = file.rows(rows);
    bytes += length;
    largest = Math.max(largest, length);
  }
  bytes += file.end().length;
  expect(largest).toBeLessThan(100_000);
  expect(bytes).toBeLessThan(2_000_000);
  expect(cpuMs() - start).toBeLessThan(15_000);
});
