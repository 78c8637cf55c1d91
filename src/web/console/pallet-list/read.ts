import { ssccOf } from '../../../core/lib/gs1.ts';
import { readIdentifier } from '../../../core/lib/identifier.ts';
import { isDateInWords } from '../../../core/lib/typed-date.ts';
import type { Words } from '../../../messages/words.ts';
import { isShortened, written } from './cell.ts';
import { eachCell, isInEveryCell } from './cells.ts';
import { type Column, columnsOf, SAMPLE_ROWS } from './columns.ts';
import { isSsccHeading, rankOf } from './headings.ts';
import { type Outcome, outcomeOf } from './line.ts';
import { type FindLive, resolved } from './resolve.ts';
import { isFilled, type Layout, layoutOf, type Row, rowsOf, spreadSsccs } from './rows.ts';

/** The maximum number of lines of a list. Blank lines do not count. */
export const LINES_MAXIMUM = 50_000;
/** The choice of the user that a whole line is one pallet, with its separators. */
export const WHOLE_LINE = 'line';
/** The choice of the user that each cell is one pallet. */
export const EVERY_CELL = 'cells';
/** The rows that a preview shows. */
const FIRST_ROWS = 5;

/** A list as a form sends it. */
export interface TypedList {
  /** Pasted text, or the text of a file. */
  pallets: string;
  /** The number of the column that the user has chosen, `WHOLE_LINE` or `EVERY_CELL`; '' if the reader chooses. */
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
  /** The number of the column that was taken, `WHOLE_LINE` or `EVERY_CELL`. */
  taken: string;
  /** The row with the headings, if there is one. */
  heading: { line: number; text: string } | undefined;
}

/**
 * Read a list of pallets: one pallet on each line, a table with a column of pallets, or a pallet in each cell. Every line that is not a pallet
 * is in `bad`, with its reason. Undefined for a list with more than `LINES_MAXIMUM` lines.
 */
export async function readPallets(
  list: TypedList,
  words: Words,
  find: FindLive,
  organization?: string,
): Promise<PalletList | undefined> {
  const whole = list.pallets.replace(/^\ufeff/, '');
  const text = (list.sheet === '' && spreadSsccs(whole)) || whole;
  const layout = layoutFor(text, list.sheet);
  const filled = filledRows(text, layout);
  if (!filled) return undefined;
  const isEach = list.column === EVERY_CELL || (list.column === '' && isInEveryCell(filled, likelihood));
  const table = isEach ? eachCell(filled) : filled;
  if (table.length > LINES_MAXIMUM) return undefined;
  const chosen = /^\d{1,3}$/.test(list.column) ? Number(list.column) : undefined;
  const { columns, ...read } = columnsOf(filled, likelihood, chosen);
  const isWhole = list.column === WHOLE_LINE && (layout.separator ?? layout.gaps) !== undefined;
  const rows = isWhole ? filledRows(text, { ...layout, separator: undefined, gaps: undefined })! : table;
  const { taken, headingIndex } = isEach
    ? { taken: 1, headingIndex: undefined }
    : isWhole
      ? columnsOf(rows, likelihood, undefined)
      : read;
  const lines = rows.map((row) => ({ ...row, cell: written(row.cells[row.fault ? 0 : taken - 1] ?? '') }));
  const resolve = await resolved(
    lines.map(({ cell }) => cell),
    find,
    organization,
  );
  const found = headingIndex === undefined ? undefined : lines[headingIndex];
  // An unknown heading may also be the first pallet. It is, if such a pallet exists.
  const heading = found && (found.cells.some(isNamed) || !resolve(found.cell).isLive) ? found : undefined;
  const isAmongSsccs =
    isSsccHeading(heading?.cells[taken - 1] ?? '') ||
    lines.some(({ cell }) => resolve(cell).sscc !== undefined);
  const judged = lines
    .filter((line) => line !== heading)
    .map(({ line, cell, cells, fault }) => {
      const place = { fault, isAbove: heading !== undefined && line < heading.line, isAmongSsccs };
      return { line, cells, text: cell.raw, outcome: outcomeOf(cell, resolve(cell), place) };
    });
  const isPallet = lines.some(({ cell }) => resolve(cell).isLive || resolve(cell).sscc !== undefined);
  const better = isPallet || isEach ? undefined : withSsccs(table, columns.length);
  if (better !== undefined && list.column === '')
    return readPallets({ ...list, column: better }, words, find, organization);
  return {
    ...sorted(judged, words),
    first: table.filter(({ line }) => line > (heading?.line ?? 0)).slice(0, FIRST_ROWS),
    better,
    columns,
    taken: isWhole ? WHOLE_LINE : isEach ? EVERY_CELL : String(taken),
    heading: heading && { line: heading.line, text: heading.cells.filter(Boolean).join(', ') },
  };
}

/** The number of the column in which most cells are SSCCs; undefined without one. */
function withSsccs(rows: readonly Row[], width: number): string | undefined {
  const column = Array.from({ length: width }, (_, index) => index).find((index) => {
    const cells = rows.map(({ cells }) => cells[index] ?? '').filter((cell) => /\d/.test(cell));
    const found = cells.filter((cell) => ssccOf(written(cell).text.replace(/\s/g, '')) !== undefined);
    return found.length > cells.length / 2;
  });
  return column === undefined ? undefined : String(column + 1);
}

/** The pallets of judged lines, each once, and the bad lines. */
function sorted(
  lines: readonly { line: number; cells: readonly string[]; text: string; outcome: Outcome }[],
  words: Words,
): Pick<PalletList, 'pallets' | 'good' | 'bad'> {
  const firstLines = new Map<string, number>();
  const good: GoodLine[] = [];
  const bad: BadLine[] = [];
  for (const { line, cells, text, outcome } of lines) {
    if ('reason' in outcome) {
      bad.push({ line, text, reason: () => outcome.reason(words) });
      continue;
    }
    const first = firstLines.get(outcome.pallet);
    if (first === undefined) {
      firstLines.set(outcome.pallet, line);
      good.push({ line, pallet: outcome.pallet, cells });
    } else bad.push({ line, text, reason: () => words.t('line.again', { line: first }) });
  }
  return { pallets: [...firstLines.keys()], good, bad };
}

/** The columns of a list, without its pallets. */
export function columnsIn(pallets: string): Column[] {
  const text = pallets.replace(/^\ufeff/, '');
  const rows: Row[] = [];
  for (const row of rowsOf(text, layoutFor(text, ''))) {
    if (isFilled(row) && rows.push(row) === SAMPLE_ROWS) break;
  }
  return columnsOf(rows, likelihood, undefined).columns;
}

const isNamed = (cell: string): boolean => rankOf(cell) > 0;

/** The rows that are not blank; undefined if there are too many. */
function filledRows(text: string, layout: Layout): Row[] | undefined {
  const rows: Row[] = [];
  for (const row of rowsOf(text, layout)) {
    if (isFilled(row) && rows.push(row) > LINES_MAXIMUM) return undefined;
  }
  return rows;
}

/** How a list is written. The text of a sheet begins with a line that the sheet does not have. */
function layoutFor(text: string, sheet: string): Layout {
  const layout = layoutOf(text, {
    isNamed: (cells) => cells.some(isNamed),
    isPallet: (cell) => likelihood(cell) === 1,
  });
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
