import { ssccOf } from '../../../core/lib/gs1.ts';
import { alignedCells, type Gaps, gapsOf, WAYS } from './aligned.ts';

/** A line of a list, or several lines if a quoted cell contains line ends. */
export interface Row {
  /** The number of its first line, counted from 1 as in editors. */
  line: number;
  /** The texts of its cells without quotation marks and blanks around them. */
  cells: string[];
  /** Why it cannot be split. Its line is then its only cell. */
  fault: RowFault | undefined;
}

/** A quotation mark has no partner, or a text is between the columns of an aligned table. */
export type RowFault = 'quote' | 'columns';

/** The separators that are recognized without a `sep=` line. The first of equally good ones counts. */
const SEPARATORS = ['\t', ';', '|', ','] as const;
/** Cells of a row after these are not read. */
export const COLUMNS_MAXIMUM = 200;
/** The rows by which a separator is recognized. */
const SAMPLE_ROWS = 100;
/** The share of rows that must have the same number of cells. */
const SHARE_MINIMUM = 0.5;

/** The first line of some CSV files names the separator: `sep=;`. */
const SEP_LINE = /^"?sep=(.)"?[ \t]*(?:\r\n|\n|\r|$)/i;
/** A line that is a number with a decimal comma, such as `3,4E+17`. Its comma separates nothing. */
const DECIMAL_COMMA = /^[ \t]*"?\d,\d+E\+?\d+"?[ \t]*$/gim;

/** The characters that end a line. Word processors and mainframes have other ones than text editors. */
const LINE_ENDS = '\\r\\n\\v\\f\\u0085\\u2028\\u2029';
const LINE_END = new RegExp(`[${LINE_ENDS}]`, 'g');
const EACH_LINE_END = new RegExp(`\\r\\n|[${LINE_ENDS}]`, 'g');

/** Where the rows of a list begin, and how their cells are separated. Without separator and gaps, a line is one cell. */
export interface Layout {
  start: number;
  line: number;
  separator: string | undefined;
  /** The blanks between aligned columns. */
  gaps?: Gaps | undefined;
}

/** Signs in cells that show how a list is written. */
export interface Signs {
  /** Whether a row names the column of pallets. Then its separator is right. */
  isNamed: (cells: readonly string[]) => boolean;
  /** Whether a cell certainly contains a pallet. */
  isPallet: (cell: string) => boolean;
}

/**
 * How a list is written. Ids can contain blanks, so aligned columns only count if one is named or contains pallets. With
 * single blanks, one must contain pallets.
 */
export function layoutOf(text: string, signs: Signs): Layout {
  const declared = SEP_LINE.exec(text);
  if (declared) return { start: declared[0].length, line: 2, separator: declared[1]! };
  const lines = firstLines(text, SAMPLE_ROWS);
  const sample = lines.replace(DECIMAL_COMMA, 'x');
  const rowsBy = (by: Partial<Layout>) =>
    [...rowsOf(sample, { start: 0, line: 1, separator: undefined, ...by })].filter(isFilled);
  let best: { separator: string; score: number } | undefined;
  for (const separator of SEPARATORS) {
    if (!sample.includes(separator)) continue;
    const score = scoreOf(rowsBy({ separator }), signs.isNamed);
    if (score > (best?.score ?? 0)) best = { separator, score };
  }
  const plain = { start: 0, line: 1, separator: best?.separator };
  const read = rowsBy(plain);
  if (hasPallets(read, read, signs) || hasName(read, signs)) return plain;
  for (const way of WAYS) {
    const gaps = gapsOf(lines.split(EACH_LINE_END), way);
    const rows = gaps ? rowsBy({ gaps }) : [];
    const wide = rows.filter(isWide);
    if (hasPallets(wide, rows, signs) || (way.width > 1 && hasName(wide, signs)))
      return { start: 0, line: 1, separator: undefined, gaps };
  }
  return plain;
}

const isWide = ({ cells }: Row): boolean => cells.filter(Boolean).length > 1;

const hasName = (rows: readonly Row[], { isNamed }: Signs): boolean =>
  rows.some((row) => isWide(row) && isNamed(row.cells));

/** Whether more than half of the rows are among those with a pallet. */
const hasPallets = (some: readonly Row[], rows: readonly Row[], { isPallet }: Signs): boolean =>
  some.filter(({ cells }) => cells.some(isPallet)).length > rows.length / 2;

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

function firstLines(text: string, count: number): string {
  let at = 0;
  for (let line = 0; line < count && at < text.length; line += 1) {
    at = afterLineEnd(text, nextMatch(LINE_END, text, at));
  }
  return text.slice(0, at);
}

export const isFilled = ({ cells, fault }: Row): boolean =>
  fault !== undefined || cells.some((cell) => cell !== '');

/**
 * The rows of a list (RFC 4180), with blank ones. It is read as spreadsheets read it: a quotation mark counts only at
 * the beginning of a cell. A row with a quotation mark without a partner is torn, and reading continues in the next
 * line. No library reports these rows by line and continues.
 */
export function* rowsOf(text: string, { start, line: first, separator, gaps }: Layout): Generator<Row> {
  const end = new RegExp(`[${separator === undefined ? '' : escaped(separator)}${LINE_ENDS}]`, 'gu');
  let line = first;
  for (let at = start; at < text.length; ) {
    const whole = gaps ? alignedAt(text, at, gaps) : cellsAt(text, at, separator, end);
    const next = whole?.next ?? nextMatch(LINE_END, text, at);
    const after = afterLineEnd(text, next);
    yield {
      line,
      cells: whole?.cells ?? [text.slice(at, next)],
      fault: whole ? undefined : gaps ? 'columns' : 'quote',
    };
    line += lineEndsIn(text, at, after);
    at = after;
  }
}

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

function alignedAt(text: string, at: number, gaps: Gaps): { cells: string[]; next: number } | undefined {
  const next = nextMatch(LINE_END, text, at);
  const cells = alignedCells(text.slice(at, next), gaps)?.slice(0, COLUMNS_MAXIMUM);
  return cells && { cells, next };
}

/** The cells from a position to the end of the row; undefined if a quotation mark has no partner. */
function cellsAt(
  text: string,
  start: number,
  separator: string | undefined,
  end: RegExp,
): { cells: string[]; next: number } | undefined {
  const cells: string[] = [];
  for (let at = start; ; ) {
    const cell = quotedAt(text, at) ?? plainAt(text, at, end);
    if (!isEnd(text[cell.next], separator)) return undefined;
    if (cells.length < COLUMNS_MAXIMUM) cells.push(cell.text);
    if (separator === undefined || text[cell.next] !== separator) return { cells, next: cell.next };
    at = cell.next + 1;
  }
}

interface Cell {
  text: string;
  next: number;
}

/** A cell in quotation marks; undefined for another cell. `next` is behind the blanks after it. */
function quotedAt(text: string, at: number): Cell | undefined {
  const open = afterBlanks(text, at);
  if (text[open] !== '"') return undefined;
  for (let mark = text.indexOf('"', open + 1); mark >= 0; mark = text.indexOf('"', mark + 2)) {
    if (text[mark + 1] !== '"') {
      const inner = text.slice(open + 1, mark).replaceAll('""', '"');
      return { text: inner, next: afterBlanks(text, mark + 1) };
    }
  }
  // The end of the text is not the end of a quoted cell.
  return { text: '', next: open };
}

function plainAt(text: string, at: number, end: RegExp): Cell {
  const next = nextMatch(end, text, at);
  return { text: text.slice(at, next).trim(), next };
}

const isEnd = (character: string | undefined, separator: string | undefined): boolean =>
  character === undefined || character === separator || character.search(LINE_END) === 0;

function afterBlanks(text: string, at: number): number {
  let next = at;
  while (text[next] === ' ') next += 1;
  return next;
}

function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

const afterLineEnd = (text: string, at: number): number => at + (text.startsWith('\r\n', at) ? 2 : 1);

const lineEndsIn = (text: string, from: number, to: number): number =>
  text.slice(from, to).match(EACH_LINE_END)?.length ?? 0;

/** The characters between the items of a list on one line, such as a JSON array or a list of a query. */
const BETWEEN = /[^\S\r\n\v\f\u0085\u2028\u2029]+|[,;|"'[\]]+/g;

/** A text that consists of SSCCs, with a semicolon between two SSCCs of a line. Undefined for any other text. */
export function spreadSsccs(text: string): string | undefined {
  const items = text.split(/[\s,;|"'[\]]+/).filter(Boolean);
  const isTorn = text.split(LINE_END).some((line) => line.split('"').length % 2 === 0);
  return items.length > 1 && !isTorn && items.every((item) => ssccOf(item) !== undefined)
    ? text.replace(BETWEEN, ';').replace(/^;+|;+$/gm, '')
    : undefined;
}
