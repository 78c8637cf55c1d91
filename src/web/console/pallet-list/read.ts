import { declareReader } from '../../../core/lib/reader.ts';
import type { Words } from '../../../messages/words.ts';
import { ssccOf } from '../../../pallet/gs1.ts';
import { READING_MAXIMUM, readIdentifier } from '../../../pallet/identifier.ts';
import { isDateInWords } from '../../../pallet/typed-date.ts';
import { isShortened, type Written, written } from './cell.ts';
import { type Column, type Columns, columnsOf, SAMPLE_ROWS } from './columns.ts';
import { isSsccHeading, rankOf } from './headings.ts';
import { outcomeOf, placed } from './line.ts';
import { type FindLive, resolved } from './resolve.ts';
import { type Layout, layoutOf, type Row, rowsOf, SAMPLE_CHARACTERS, ssccRows } from './rows.ts';

/**
 * The work for a list. `bytes`: of its text in UTF-8. `lines`: that are not blank. `texts`: different texts in the
 * column of the pallets. A manifest has at most 5,000 pallets.
 */
export const PALLET_LIST = declareReader('pallet-list', {
  bytes: 2 * 1024 * 1024,
  lines: 50_000,
  texts: 6_000,
});
/** A text counts once for each of these characters. */
const TEXT_CHARACTERS = 100;
/** The choice of the user that a whole line is one pallet, with its separators. */
export const WHOLE_LINE = 'line';
/** The digits of an SSCC. */
const SSCC_DIGITS = 18;
/** The rows that a preview shows. */
const FIRST_ROWS = 5;

/** A list as a form sends it. */
export interface TypedList {
  /** Pasted text, or the text of a file. */
  pallets: string;
  /** The number of the column that the user has chosen, or `WHOLE_LINE`; '' if the reader chooses. */
  column: string;
  /** The name of the workbook's sheet that was read; '' for other lists. */
  sheet: string;
}

/** The error in a line, and its number, counted from 1 as in editors. */
export interface BadLine {
  line: number;
  text: string;
  /** Why the line is not a pallet. It is a function because only a few lines are shown. */
  reason(): string;
}

/** A line that is a pallet. */
export interface GoodLine {
  line: number;
  pallet: string;
  /** The texts of all cells of the line. */
  cells: readonly string[];
}

/** The pallets and the bad lines of a list, and the column that was read. */
export interface PalletList {
  /** WMS ids, each once. */
  pallets: string[];
  /** The first line of each pallet. */
  good: GoodLine[];
  /** The first rows below the heading. */
  first: Row[];
  /**
   * The number of another column, with SSCCs, if no pallet of the column that was read is an SSCC or exists. The column
   * that was read is then hardly the column of pallets.
   */
  better: string | undefined;
  bad: BadLine[];
  columns: Column[];
  /** The number of the column that was taken, or `WHOLE_LINE`. */
  taken: string;
  /** The row with the headings, if there is one. */
  heading: { line: number; text: string } | undefined;
}

/**
 * Read a list of pallets: one pallet on each line, or a table with a column of pallets. Every line that is not a pallet is
 * in `bad`, with its reason.
 * @throws `OverBudget` for a list with too much text or too many lines
 */
export async function readPallets(
  list: TypedList,
  words: Words,
  find: FindLive,
  organization?: string,
): Promise<PalletList> {
  PALLET_LIST.budget().charge('bytes', Buffer.byteLength(list.pallets));
  const text = list.pallets.replace(/^\ufeff/, '');
  const layout = layoutFor(text, list.sheet);
  const table = filled(
    (list.sheet === '' && list.column !== WHOLE_LINE && ssccRows(text)) || rowsOf(text, layout),
  );
  const chosen = /^\d{1,3}$/.test(list.column) ? Number(list.column) : undefined;
  const { columns, ...place } = columnsOf(table, likelihood, chosen);
  const isWhole = list.column === WHOLE_LINE && layout.separator !== undefined;
  const rows = isWhole ? filled(rowsOf(text, { ...layout, separator: undefined })) : table;
  const judge = (at: Place) => judged(rows, at, words, find, organization);
  const found = await judge(isWhole ? columnsOf(rows, likelihood, undefined) : place);
  const better = found.hasPallet ? undefined : withSsccs(table, columns.length);
  const isBetter = better !== undefined && list.column === '';
  const { hasPallet: _, heading, ...read } = isBetter ? await judge({ ...place, taken: better }) : found;
  return {
    ...read,
    heading,
    first: table.filter(({ line }) => line > (heading?.line ?? 0)).slice(0, FIRST_ROWS),
    better: isBetter || better === undefined ? undefined : String(better),
    columns,
    taken: isWhole ? WHOLE_LINE : String(isBetter ? better : place.taken),
  };
}

/** Rows in memory. @throws `OverBudget` if there are too many */
function filled(rows: Iterable<Row>): Row[] {
  const budget = PALLET_LIST.budget();
  const kept: Row[] = [];
  for (const row of rows) {
    budget.charge('lines');
    kept.push(row);
  }
  return kept;
}

/** The column with the pallets, and the row with the headings. */
type Place = Pick<Columns, 'taken' | 'headingIndex'>;

/** The pallets in a column of rows, each once, and the bad lines. `hasPallet`: whether one of them exists or is an SSCC. */
async function judged(
  rows: readonly Row[],
  { taken, headingIndex }: Place,
  words: Words,
  find: FindLive,
  organization: string | undefined,
): Promise<Pick<PalletList, 'pallets' | 'good' | 'bad' | 'heading'> & { hasPallet: boolean }> {
  const budget = PALLET_LIST.budget();
  // A list may name a pallet in many lines. Each text is read once.
  const texts: Written[] = [];
  const indexes = new Map<string, number>();
  const textOf = rows.map(({ cells, isTorn }) => {
    const raw = cells[isTorn ? 0 : taken - 1] ?? '';
    let index = indexes.get(raw);
    if (index === undefined) {
      budget.charge(
        'texts',
        raw.length > READING_MAXIMUM ? 1 : Math.ceil((raw.length + 1) / TEXT_CHARACTERS),
      );
      index = texts.push(written(raw)) - 1;
      indexes.set(raw, index);
    }
    return index;
  });
  const meanings = await resolved(texts, find, organization);
  const meaningOf = (row: number) => meanings[textOf[row]!]!;
  // An unknown heading may also be the first pallet. It is, if such a pallet exists.
  const isHeading =
    headingIndex !== undefined &&
    (rows[headingIndex]!.cells.some(isNamed) || !meaningOf(headingIndex).isLive);
  const heading = isHeading ? rows[headingIndex]! : undefined;
  const hasSscc = meanings.some(({ sscc }) => sscc !== undefined);
  const isAmongSsccs = hasSscc || isSsccHeading(heading?.cells[taken - 1] ?? '');
  const outcomes = texts.map((text, index) => outcomeOf(text, meanings[index]!, isAmongSsccs));
  const firstLines = new Map<string, number>();
  const good: GoodLine[] = [];
  const bad: BadLine[] = [];
  for (const [index, row] of rows.entries()) {
    if (row === heading) continue;
    const { line, cells, isTorn } = row;
    const { raw } = texts[textOf[index]!]!;
    const place = { isTorn, isAbove: heading !== undefined && line < heading.line };
    const outcome = placed(outcomes[textOf[index]!]!, meaningOf(index), place);
    if ('reason' in outcome) bad.push({ line, text: raw, reason: () => outcome.reason(words) });
    else {
      const first = firstLines.get(outcome.pallet);
      if (first === undefined) {
        firstLines.set(outcome.pallet, line);
        good.push({ line, pallet: outcome.pallet, cells });
      } else bad.push({ line, text: raw, reason: () => words.t('line.again', { line: first }) });
    }
  }
  return {
    pallets: [...firstLines.keys()],
    good,
    bad,
    heading: heading && { line: heading.line, text: heading.cells.filter(Boolean).join(', ') },
    hasPallet: hasSscc || meanings.some(({ isLive }) => isLive),
  };
}

/** The number of the column in which most cells with digits are SSCCs; undefined without one. */
function withSsccs(rows: readonly Row[], width: number): number | undefined {
  const numbers = Array.from({ length: width }, () => 0);
  const ssccs = Array.from({ length: width }, () => 0);
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      if (column >= width || !/\d/.test(cell)) continue;
      numbers[column]! += 1;
      if (isSsccCell(cell)) ssccs[column]! += 1;
    }
  }
  const column = ssccs.findIndex((count, index) => count > numbers[index]! / 2);
  return column < 0 ? undefined : column + 1;
}

const isSsccCell = (cell: string): boolean =>
  cell.length >= SSCC_DIGITS &&
  cell.length <= READING_MAXIMUM &&
  ssccOf(written(cell).text.replace(/\s/g, '')) !== undefined;

/** The columns of a list, without its pallets. */
export function columnsIn(pallets: string): Column[] {
  const text = pallets.slice(0, SAMPLE_CHARACTERS).replace(/^\ufeff/, '');
  const rows: Row[] = [];
  for (const row of rowsOf(text, layoutFor(text, ''))) if (rows.push(row) === SAMPLE_ROWS) break;
  return columnsOf(rows, likelihood, undefined).columns;
}

const isNamed = (cell: string): boolean => rankOf(cell) > 0;

/** How a list is written. The text of a sheet begins with a line that the sheet does not have. */
function layoutFor(text: string, sheet: string): Layout {
  const layout = layoutOf(text, (cells) => cells.some(isNamed));
  return sheet === '' ? layout : { ...layout, line: 1 };
}

/** How likely a text is a pallet, from 0 to 1. It chooses among columns without a heading. */
function likelihood(text: string): number {
  const digits = text.replace(/\D/g, '').length;
  if (text.length >= 18 && text.length <= 100) {
    if (readIdentifier(text).sscc !== undefined) return 1;
    if (digits === text.length && digits <= 20) return 0.8;
  }
  if (isShortened(text)) return 0.8;
  if (text.length > 50 || /^\d{1,3}$|^-?\d+[.,]\d+$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:T|\b)/.test(text))
    return 0.01;
  if (isDateInWords(text)) return 0.01;
  if (digits === 0) return /\s/.test(text) ? 0.01 : 0.05;
  return /\s/.test(text) ? 0.1 : 0.3;
}
