import { z } from '@hono/zod-openapi';
import { parseJson } from '../../../core/lib/json.ts';
import { SHEETS_MAXIMUM, type SheetText } from './xlsx.ts';

/** The first line of the text of a sheet. The sheet does not have it. */
export const TAB_LINE = 'sep=\t\n';
/** The most characters of the sheets that people can choose. Larger workbooks are read from one sheet only. */
const BOOK_MAXIMUM = 1024 * 1024;
/** The choices for hidden rows. */
export const HIDDEN_ROWS = { take: 'take', leave: 'leave' } as const;

/** The fields of a form with a sheet: the sheet that was taken, the others, and the choices. */
export const sheetInputs = {
  sheet: z.string().default(''),
  sheets: z.string().default(''),
  /** The other sheets as JSON; '' without one. */
  book: z.string().default(''),
  /** The number of the chosen sheet in `book`; '' for the sheet that was taken. */
  sheetAt: z.string().max(3).default(''),
  /** The choice for which the other choices were made. */
  sheetWas: z.string().max(3).default(''),
  /** The lines of hidden rows: `3-5,9`. */
  hidden: z.string().default(''),
  isFiltered: z.string().max(1).default(''),
  hiddenRows: z.string().max(10).default(''),
};
type SheetInputs = z.output<z.ZodObject<typeof sheetInputs>>;

type StoredSheet = Pick<SheetInputs, 'sheet' | 'hidden' | 'isFiltered'> & { pallets: string };

/** The values of the form for a sheet, without its text. */
export const sheetFields = ({ name, hidden, isFiltered }: SheetText): Omit<StoredSheet, 'pallets'> => ({
  sheet: name,
  hidden: rangesOf(hidden),
  isFiltered: isFiltered ? '1' : '',
});

/** The other sheets of a workbook for the form; '' if they are too long. */
export function bookField(sheets: readonly SheetText[]): string {
  const length = sheets.reduce((sum, { text }) => sum + text.length, 0);
  if (sheets.length === 0 || length > BOOK_MAXIMUM) return '';
  const book = JSON.stringify(
    sheets.map((sheet) => ({ ...sheetFields(sheet), pallets: TAB_LINE + sheet.text })),
  );
  return book.length > BOOK_MAXIMUM ? '' : book;
}

const bookSchema = z
  .array(z.object({ sheet: z.string(), hidden: z.string(), isFiltered: z.string(), pallets: z.string() }))
  .max(SHEETS_MAXIMUM);

/** The other sheets of a form. */
export function sheetsIn(book: string): StoredSheet[] {
  if (book === '' || book.length > 2 * BOOK_MAXIMUM) return [];
  try {
    return bookSchema.safeParse(parseJson(book)).data ?? [];
  } catch {
    return [];
  }
}

/** The numbers of lines as ranges: `3-5,9`. */
export function rangesOf(lines: readonly number[]): string {
  const ranges: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const from = at;
    while (lines[at + 1] === lines[at]! + 1) at += 1;
    ranges.push(from === at ? String(lines[at]) : `${lines[from]}-${lines[at]}`);
    at += 1;
  }
  return ranges.join();
}

/** Tells whether a line is in ranges that `rangesOf` wrote. The lines must be asked in their order. */
export function inRanges(text: string): (line: number) => boolean {
  const ranges = text === '' ? [] : text.split(',').map((range) => range.split('-').map(Number));
  let at = 0;
  return (line) => {
    while (at < ranges.length && line > ranges[at]!.at(-1)!) at += 1;
    return at < ranges.length && line >= ranges[at]![0]!;
  };
}

/** Whether hidden rows are left out. Those that a filter hides are, unless the user takes them. */
export const leavesHidden = ({
  isFiltered,
  hiddenRows,
}: Pick<SheetInputs, 'isFiltered' | 'hiddenRows'>): boolean =>
  hiddenRows === HIDDEN_ROWS.leave || (hiddenRows === '' && isFiltered !== '');
