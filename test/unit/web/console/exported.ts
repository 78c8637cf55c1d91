import type { Plain } from '../../../../src/core/lib/csv.ts';
import { XlsxFile } from '../../../../src/core/lib/xlsx.ts';

/** An exported workbook with these rows. The first one has the labels of the columns. */
export function exported(
  [head, ...rows]: readonly [readonly string[], ...(readonly Plain[])[]],
  zone = 'Europe/Berlin',
): Buffer {
  const file = new XlsxFile('track', zone);
  return Buffer.concat([file.head(head), file.rows(rows), file.end()]);
}

/** Ids that a spreadsheet would change if they were no texts, and ids that readers of lists would change. */
export const IDS = [
  '340123450000000017',
  '00012',
  '9007199254740993',
  '1E5',
  '2026-01-02',
  '1/2',
  '12:30',
  '3,5',
  'TRUE',
  '+49 30',
  '-5',
  '@home',
  '=1+1',
  '="0815"',
  "'0815",
  "'=1",
  ' first',
  'last ',
  'soft\u00adhyphen',
  'a\u200bb',
  'zero\u0001one',
  '_x0041_',
  'tab\there',
  'a"b;c,d|e',
  '<P-1 & "P-2">',
  'Größe-😀',
];

/**
 * The rows of `saved-by-libreoffice.xlsx`. LibreOffice 7.4.7.2 opened and saved that file:
 * `soffice --headless --convert-to 'xlsx:Calc MS Excel 2007 XML' --outdir … …` with `exported(RECORDED)` as its input.
 */
export const RECORDED: [string[], ...Plain[][]] = [
  ['Pallet', 'Note', 'Count', 'Departure'],
  ...IDS.map((id, index): Plain[] => [
    id,
    index % 2 === 0 ? null : `Note ${id}`,
    index * 1_000.5,
    new Date(Date.UTC(2026, 9, 24, 22, 15, 30) + index * 3_600_000),
  ]),
];
