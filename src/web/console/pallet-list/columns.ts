import { isHeading, isOfOthers, isPlural, rankOf } from './headings.ts';
import { COLUMNS_MAXIMUM, type Row } from './rows.ts';

/** A column of a list. */
export interface Column {
  /** Counted from 1. */
  number: number;
  /** Its heading; '' without one. */
  heading: string;
  /** The first text below the heading. */
  sample: string;
}

/** The columns of a list, the column with the pallets, and the row with the headings. */
export interface Columns {
  columns: Column[];
  /** The number of the column that is taken, from 1. */
  taken: number;
  /** The index of the row with the headings, if there is one. */
  headingIndex: number | undefined;
}

/** A heading may follow a title and blank lines. */
const HEADING_ROWS = 20;
/** The rows by which a column is recognized, and their most cells. */
export const SAMPLE_ROWS = 200;
const SAMPLE_CELLS = 4_000;
/** Two words, as in a heading with a year: `Our pallets 2026`. */
const PHRASE = /\p{L}{3}\s+\p{L}{3}/u;
/** The share of cells that must differ from the first row, so that it is a row of headings. */
const SHARE_MINIMUM = 0.8;

/**
 * The columns of a list. The column that a heading names is taken, else the column with the most likely pallets.
 * `likelihood` returns the probability that a text is a pallet, from 0 to 1. `chosen` is the choice of the user.
 */
export function columnsOf(
  rows: readonly Row[],
  likelihood: (text: string) => number,
  chosen: number | undefined,
): Columns {
  const first = rows.slice(0, SAMPLE_ROWS);
  const width = first.reduce((most, { cells }) => Math.max(most, cells.length), 1);
  const sample = first.slice(0, Math.ceil(SAMPLE_CELLS / width));
  const named = namedIn(sample);
  const headingIndex = named?.index ?? (isHeadingRow(sample, width, likelihood) ? 0 : undefined);
  const headings = headingIndex === undefined ? [] : sample[headingIndex]!.cells;
  const below = sample.slice((headingIndex ?? -1) + 1);
  const columns = Array.from({ length: width }, (_, column) => ({
    number: column + 1,
    heading: headings[column] ?? '',
    sample: below.find(({ cells }) => cells[column])?.cells[column] ?? '',
  }));
  const isChosen = chosen !== undefined && chosen >= 1 && chosen <= COLUMNS_MAXIMUM;
  const taken = isChosen ? chosen : (named?.column ?? likeliest(below, headings, width, likelihood)) + 1;
  return { columns, taken, headingIndex };
}

/** The row and the column of the most certain heading. Counts such as `Pallets: 12` are no pallets. */
function namedIn(rows: readonly Row[]): { index: number; column: number } | undefined {
  let best: { index: number; column: number; rank: number } | undefined;
  rows.slice(0, HEADING_ROWS).forEach(({ cells }, index) => {
    cells.forEach((cell, column) => {
      const rank = rankOf(cell);
      if (rank <= (best?.rank ?? 0) || (isPlural(cell) && isCount(rows.slice(index + 1), column))) return;
      best = { index, column, rank };
    });
  });
  return best;
}

/** Whether a column contains only small numbers, beside other columns. */
function isCount(rows: readonly Row[], column: number): boolean {
  const cells = cellsOf(rows, column);
  return (
    cells.length > 0 &&
    rows.some(({ cells: all }) => all.length > 1) &&
    cells.every((cell) => /^\d{1,3}$/.test(cell))
  );
}

const cellsOf = (rows: readonly Row[], column: number): string[] =>
  rows.flatMap(({ cells }) => cells[column] || []);

/**
 * Whether the first row has headings: words of headings, or cells without digits above cells with digits, or words
 * above cells without blanks.
 */
function isHeadingRow(rows: readonly Row[], width: number, likelihood: (text: string) => number): boolean {
  const [first, ...below] = rows;
  if (!first || first.isTorn || first.cells.some((cell) => likelihood(cell) === 1)) return false;
  if (first.cells.every((cell) => cell === '' || isHeading(cell))) return true;
  const judged = Array.from({ length: width }, (_, column) => {
    const cells = cellsOf(below, column);
    const withDigits = cells.filter((cell) => /\d/.test(cell)).length;
    if (cells.length === 0 || withDigits / cells.length < SHARE_MINIMUM) return undefined;
    const heading = first.cells[column] ?? '';
    if (heading === '') return undefined;
    return !/\d/.test(heading) || (PHRASE.test(heading) && !cells.some((cell) => PHRASE.test(cell)));
  }).filter((isHeading) => isHeading !== undefined);
  return judged.length > 0 && judged.every(Boolean);
}

/** The likelihood of a column whose heading names something else is multiplied by this. */
const OTHERS_FACTOR = 0.1;

/** The index of the column with the most likely pallets. Repeated texts are less likely. */
function likeliest(
  rows: readonly Row[],
  headings: readonly string[],
  width: number,
  likelihood: (text: string) => number,
): number {
  let best = { column: 0, score: 0 };
  for (let column = 0; column < width; column += 1) {
    const cells = cellsOf(rows, column);
    const total = cells.reduce((sum, cell) => sum + likelihood(cell), 0);
    const factor = isOfOthers(headings[column] ?? '') ? OTHERS_FACTOR : 1;
    const score = factor * (total / rows.length) * (new Set(cells).size / cells.length);
    if (score > best.score) best = { column, score };
  }
  return best.column;
}
