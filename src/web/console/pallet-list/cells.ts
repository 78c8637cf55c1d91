import { isHeading, rankOf } from './headings.ts';
import type { Row } from './rows.ts';

/** The rows by which such a list is recognized. */
const SAMPLE_ROWS = 200;

/** Each cell of a list as a row, with the number of its line. */
export const eachCell = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) =>
    row.fault ? [row] : row.cells.filter(Boolean).map((cell) => ({ ...row, cells: [cell] })),
  );

/**
 * Whether each cell is a pallet, as in `P-1, P-2, P-3`: all cells are SSCCs, or differ only in their digits. The cells of
 * a single line only have to be alike. A table has columns of different kinds, or headings.
 */
export function isInEveryCell(rows: readonly Row[], likelihood: (text: string) => number): boolean {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const cells = sample.flatMap((row) => row.cells.filter(Boolean));
  if (cells.length <= rows.length || sample.some(({ fault }) => fault)) return false;
  if (cells.some((cell) => rankOf(cell) > 0 || isHeading(cell))) return false;
  const likely = new Set(cells.map(likelihood));
  if (likely.size > 1) return false;
  if (likely.has(1) || rows.length === 1) return true;
  const stems = new Set(cells.map((cell) => cell.replace(/\d+/g, '0')));
  return stems.size === 1 && /\p{L}.*0/u.test([...stems][0]!) && new Set(cells).size === cells.length;
}
