import { ssccOf } from '../../../pallet/gs1.ts';
import { READING_MAXIMUM } from '../../../pallet/identifier.ts';

/** A line of a list, or several lines if a quoted cell contains line ends. */
export interface Row {
  /** The number of its first line, counted from 1 as in editors. */
  line: number;
  /** The texts of its cells without quotation marks and blanks around them. */
  cells: string[];
  /** Whether a quotation mark in it has no partner. Its line is then its only cell. */
  isTorn: boolean;
}

/** The separators that are recognized without a `sep=` line. The first of equally good ones counts. */
const SEPARATORS = ['\t', ';', '|', ','] as const;
/** Cells of a row after these are not read. */
export const COLUMNS_MAXIMUM = 200;
/** The rows by which a separator is recognized, and their most characters. */
const SAMPLE_ROWS = 100;
export const SAMPLE_CHARACTERS = 64 * 1024;
/** The share of rows that must have the same number of cells. */
const SHARE_MINIMUM = 0.5;

/** The first line of some CSV files names the separator: `sep=;`. */
const SEP_LINE = /^"?sep=(.)"?[ \t]*(?:\r\n|\n|\r|$)/i;
/** A line that is a number with a decimal comma, such as `3,4E+17`. Its comma separates nothing. */
const DECIMAL_COMMA = /^[ \t]*"?\d,\d+E\+?\d+"?[ \t]*$/gim;

/** The codes of characters. Word processors and mainframes end lines with other ones than text editors. */
const CODE = {
  tab: 9,
  newline: 10,
  return: 13,
  blank: 32,
  quote: 34,
  nextLine: 0x85,
  lineSeparator: 0x2028,
  paragraph: 0x2029,
};

/** Where the rows of a list begin, and how their cells are separated. Without a separator, a line is one cell. */
export interface Layout {
  start: number;
  line: number;
  separator: string | undefined;
}

/** How a list is written. `isNamed`: whether a row names the column of pallets. Then its separator is right. */
export function layoutOf(text: string, isNamed: (cells: readonly string[]) => boolean): Layout {
  const declared = SEP_LINE.exec(text);
  if (declared) return { start: declared[0].length, line: 2, separator: declared[1]! };
  const sample = firstLines(text).replace(DECIMAL_COMMA, 'x');
  let best: { separator: string; score: number } | undefined;
  for (const separator of SEPARATORS) {
    if (!sample.includes(separator)) continue;
    const score = scoreOf([...rowsOf(sample, { start: 0, line: 1, separator })], isNamed);
    if (score > (best?.score ?? 0)) best = { separator, score };
  }
  return { start: 0, line: 1, separator: best?.separator };
}

/**
 * How well a separator fits: 0 if it does not. A named column counts most, then the share of rows of equal width, then
 * the width.
 */
function scoreOf(rows: readonly Row[], isNamed: (cells: readonly string[]) => boolean): number {
  const widths = new Map<number, number>();
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  widths.delete(1);
  const [width, count] = [...widths].toSorted((one, other) => other[1] - one[1] || other[0] - one[0])[0] ?? [
    0, 0,
  ];
  const share = count / rows.length;
  const named = rows.some(({ cells }) => cells.length > 1 && isNamed(cells));
  if (width === 0 || (share < SHARE_MINIMUM && !named)) return 0;
  return (named ? 10 : 0) + Math.round(share * 5) + width / (COLUMNS_MAXIMUM + 1);
}

function firstLines(text: string): string {
  const most = Math.min(text.length, SAMPLE_CHARACTERS);
  let at = 0;
  for (let line = 0; line < SAMPLE_ROWS && at < most; line += 1) {
    while (at < most && !isLineEnd(text.charCodeAt(at))) at += 1;
    at = afterLineEnd(text, at);
  }
  return text.slice(0, Math.min(at, most));
}

/**
 * The rows of a list (RFC 4180) that are not blank. It is read as spreadsheets read it: a quotation mark counts only at
 * the beginning of a cell. A row with a quotation mark without a partner is torn, and reading continues in the next
 * line. No library reports these rows by line and continues. The time grows with the
 * length of the text only. The search for the partner of a quotation mark ends at the next mark that is not doubled. No second
 * search begins before it.
 */
export function* rowsOf(text: string, { start, line: first, separator = '' }: Layout): Generator<Row> {
  const end = separator === '' ? Number.NaN : separator.charCodeAt(0);
  let line = first;
  for (let at = start; at < text.length; ) {
    const next = afterBlankCells(text, at, end);
    if (next === text.length) return;
    if (isLineEnd(text.charCodeAt(next))) {
      at = afterLineEnd(text, next);
      line += 1;
      continue;
    }
    const { row, isQuoted, after } = rowAt(text, at, end, line);
    if (isFilled(row)) yield row;
    line += isQuoted ? lineEndsIn(text, at, after) : 1;
    at = after;
  }
}

const isFilled = ({ cells, isTorn }: Row): boolean => isTorn || cells.some((cell) => cell !== '');

/** The row at a position, whether it has quoted cells, and the position behind it. `end` is the code of the separator. */
function rowAt(
  text: string,
  start: number,
  end: number,
  line: number,
): { row: Row; isQuoted: boolean; after: number } {
  const cells: string[] = [];
  let isQuoted = false;
  for (let at = start; ; ) {
    const open = afterBlanks(text, at);
    let next: number;
    if (text.charCodeAt(open) === CODE.quote) {
      isQuoted = true;
      const mark = partnerOf(text, open);
      next = afterBlanks(text, mark + 1);
      if (mark < 0 || !isCellEnd(text.charCodeAt(next), end)) return tornAt(text, start, line);
      if (cells.length < COLUMNS_MAXIMUM) cells.push(quoted(text.slice(open + 1, mark)));
    } else {
      next = open;
      while (!isCellEnd(text.charCodeAt(next), end)) next += 1;
      if (cells.length < COLUMNS_MAXIMUM) cells.push(text.slice(open, next).trim());
    }
    if (text.charCodeAt(next) !== end)
      return { row: { line, cells, isTorn: false }, isQuoted, after: afterLineEnd(text, next) };
    at = next + 1;
  }
}

/** The text between quotation marks. A text that is too long for every reader stays as it is. */
const quoted = (text: string): string =>
  text.length > 2 * READING_MAXIMUM ? text : text.replaceAll('""', '"');

function tornAt(text: string, start: number, line: number) {
  let next = start;
  while (!isCellEnd(text.charCodeAt(next), Number.NaN)) next += 1;
  const row = { line, cells: [text.slice(start, next)], isTorn: true };
  return { row, isQuoted: false, after: afterLineEnd(text, next) };
}

/** The quotation mark that ends a quoted cell; -1 without one. Doubled marks are part of the cell. */
function partnerOf(text: string, open: number): number {
  let mark = text.indexOf('"', open + 1);
  while (mark >= 0 && text.charCodeAt(mark + 1) === CODE.quote) mark = text.indexOf('"', mark + 2);
  return mark;
}

const isLineEnd = (code: number): boolean =>
  (code >= CODE.newline && code <= CODE.return) ||
  code === CODE.nextLine ||
  code === CODE.lineSeparator ||
  code === CODE.paragraph;

/** Whether a code is no part of a cell. Behind the end of a text it is NaN. */
const isCellEnd = (code: number, separator: number): boolean =>
  code === separator || isLineEnd(code) || Number.isNaN(code);

function afterBlanks(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === CODE.blank) next += 1;
  return next;
}

/** The position behind blanks and separators. */
function afterBlankCells(text: string, at: number, separator: number): number {
  const isBlank = (code: number) => code === separator || code === CODE.blank || code === CODE.tab;
  let next = at;
  while (isBlank(text.charCodeAt(next))) next += 1;
  return next;
}

const afterLineEnd = (text: string, at: number): number => at + (text.startsWith('\r\n', at) ? 2 : 1);

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; ) {
    const isEnd = isLineEnd(text.charCodeAt(at));
    if (isEnd) count += 1;
    at = isEnd ? afterLineEnd(text, at) : at + 1;
  }
  return count;
}

/** The length of `(00)` and 18 digits. */
const SSCC_LENGTH_MAXIMUM = 22;
/** The characters between the SSCCs of a text, such as a JSON array or a list of a query. */
const BETWEEN = /[\s,;|"'[\]]/;

/**
 * The SSCCs of a text that contains only SSCCs, each as a row. They may be in lines, behind separators, in quotation marks
 * or in a JSON array. Undefined for any other text.
 */
export function ssccRows(text: string): Row[] | undefined {
  const rows: Row[] = [];
  let [line, quotes] = [1, 0];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isLineEnd(code)) {
      if (quotes % 2 === 1) return undefined;
      line += 1;
      at = afterLineEnd(text, at);
    } else if (BETWEEN.test(text[at]!)) {
      if (code === CODE.quote) quotes += 1;
      at += 1;
    } else {
      const item = text.slice(at, at + SSCC_LENGTH_MAXIMUM + 1).split(BETWEEN, 1)[0]!;
      if (ssccOf(item) === undefined) return undefined;
      rows.push({ line, cells: [item], isTorn: false });
      at += item.length;
    }
  }
  return rows.length > 1 && quotes % 2 === 0 ? rows : undefined;
}
