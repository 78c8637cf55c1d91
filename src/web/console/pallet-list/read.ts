import { declareReader } from '../../../core/lib/reader.ts';
import { isStorable } from '../../../core/lib/text.ts';
import { trackIdentifierSchema } from '../../../dispatch/load/manifest/schema.ts';
import type { Words } from '../../../messages/words.ts';
import { isSscc, ssccOf } from '../../../pallet/gs1.ts';
import { READING_MAXIMUM, readIdentifier } from '../../../pallet/identifier.ts';
import { isDateInWords } from '../../../pallet/typed-date.ts';
import { cellText, isFormula, isMissing, isSheetError, isShortened, type Written } from './cell.ts';
import { isHeading, isOfOthers, isPlural, isSsccHeading, isTotal, rankOf } from './headings.ts';
import { type FindLive, type Resolved, resolveTexts } from './resolve.ts';
import {
  COLUMNS_MAXIMUM,
  type Layout,
  layoutOf,
  type Row,
  rowsOf,
  SAMPLE_CHARACTERS,
  ssccRows,
} from './rows.ts';
import { inRanges } from './sheet.ts';

/** A line is a pallet, or a bad line with a reason in the language of the page. */
type Outcome = { pallet: string } | { reason: (words: Words) => string };

/** A line apart from the text of its cell. */
interface PlaceOfLine {
  /** Whether a quotation mark in it has no partner. */
  isTorn: boolean;
  /** Whether it is above the row with the headings. */
  isAbove: boolean;
  /** Whether most lines have an SSCC. Then a line without one is a pallet only if its id is known. */
  needsSscc: boolean;
}

/** The pallet of a text, or the reason why it is bad. A live pallet always counts. `isAmongSsccs`: its column contains SSCCs. */
function outcomeOf(
  { raw, text, isExact }: Written,
  { pallet, isLive, several, isMistyped }: Resolved,
  isAmongSsccs: boolean,
): Outcome {
  if (isLive && pallet !== undefined) return { pallet };
  if (raw.length > READING_MAXIMUM) return { reason: ({ t }) => t('line.long') };
  if (several) return { reason: ({ t, list }) => t('line.several', { pallets: list(several) }) };
  if (isMissing(text) && !isExact) return { reason: ({ t }) => t('line.none') };
  if (isSheetError(text)) return { reason: ({ t }) => t('line.error') };
  if (isFormula(text) && !isExact) return { reason: ({ t }) => t('line.formula') };
  if (isShortened(text)) return { reason: ({ t }) => t('line.shortened') };
  if (isTotal(text)) return { reason: ({ t }) => t('line.none') };
  if (rankOf(text) > 0) return { reason: ({ t }) => t('line.heading') };
  if (isMistyped || pallet === undefined) return { reason: ({ t }) => t('line.keyboard') };
  if (!isStorable(raw)) return { reason: ({ t }) => t('line.text') };
  if (!trackIdentifierSchema.safeParse(pallet).success) return { reason: ({ t }) => t('line.long') };
  return isExact ? { pallet } : (faultOfDigits(text, isAmongSsccs) ?? { pallet });
}

/** The outcome of a line whose text has an outcome. Some lines have a pallet only if it is certain. */
function placed(outcome: Outcome, { isLive, sscc }: Resolved, line: PlaceOfLine): Outcome {
  if (isLive) return outcome;
  if (line.isTorn) return { reason: ({ t }) => t('line.quote') };
  if (sscc !== undefined || 'reason' in outcome) return outcome;
  if (line.isAbove) return { reason: ({ t }) => t('line.above') };
  return line.needsSscc ? { reason: ({ t }) => t('line.noSscc') } : outcome;
}

/**
 * The fault of digits that are as many as in an SSCC, but none. A spreadsheet ends long numbers with zeros. Among SSCCs,
 * fewer digits are faulty if only the zeros of an SSCC are missing at the beginning.
 */
function faultOfDigits(text: string, isAmongSsccs: boolean): Outcome | undefined {
  const compact = text.replace(/\s/g, '');
  if (isAmongSsccs && /^[1-9]\d{13,16}$/.test(compact) && isSscc(compact.padStart(18, '0')))
    return { reason: ({ t }) => t('line.shortened') };
  const digits = /^(?:\(00\)|00)?(\d{18})$/.exec(compact)?.[1];
  if (digits === undefined || isSscc(digits)) return undefined;
  return { reason: ({ t }) => t(digits.endsWith('000') ? 'line.shortened' : 'line.check') };
}

/** A column of a list. */
interface Column {
  /** Counted from 1. */
  number: number;
  /** Its heading; '' without one. */
  heading: string;
  /** The first text below the heading. */
  sample: string;
}

/** The columns of a list, the column with the pallets, and the row with the headings. */
interface Columns {
  columns: Column[];
  /** The number of the column that is taken, from 1. */
  taken: number;
  /** The index of the row with the headings, if there is one. */
  headingIndex: number | undefined;
  /** Whether a heading names the column that is taken, or the user has chosen it. */
  isNamed: boolean;
}

/** A heading may follow a title and blank lines. */
const HEADING_ROWS = 20;
/** The rows by which a column is recognized, and their most cells. */
const SAMPLE_ROWS = 200;
const SAMPLE_CELLS = 4_000;
/** Two words, as in a heading with a year: `Our pallets 2026`. */
const PHRASE = /\p{L}{3}\s+\p{L}{3}/u;
/** The share of cells that must differ from the first row, so that it is a row of headings. */
const SHARE_MINIMUM = 0.8;

/**
 * The columns of a list. The column that a heading names is taken, else the column with the most likely pallets.
 * `likelihood` returns the probability that a text is a pallet, from 0 to 1. `chosen` is the choice of the user.
 */
function columnsOf(
  rows: readonly Row[],
  likelihood: (text: string) => number,
  chosen: number | undefined,
): Columns {
  const first = rows.slice(0, SAMPLE_ROWS);
  const width = first.reduce((most, { cells }) => Math.max(most, cells.length), 1);
  const sample = first.slice(0, Math.ceil(SAMPLE_CELLS / width));
  const best = namedIn(sample);
  const above = aboveSsccs(sample, width);
  // Words such as "pallet" may be in a title above the table.
  const isTitle =
    best !== undefined && above !== undefined && best.column !== above.column && best.index < above.index;
  const named = isTitle ? undefined : best;
  const headingIndex =
    named?.index ?? above?.index ?? (isHeadingRow(sample, width, likelihood) ? 0 : undefined);
  const headings = headingIndex === undefined ? [] : sample[headingIndex]!.cells;
  const below = sample.slice((headingIndex ?? -1) + 1);
  const columns = Array.from({ length: width }, (_, column) => ({
    number: column + 1,
    heading: headings[column] ?? '',
    sample: below.find(({ cells }) => cells[column])?.cells[column] ?? '',
  }));
  const isChosen = chosen !== undefined && chosen >= 1 && chosen <= COLUMNS_MAXIMUM;
  const taken = isChosen ? chosen : (named?.column ?? likeliest(below, headings, width, likelihood)) + 1;
  return { columns, taken, headingIndex, isNamed: isChosen || named !== undefined };
}

/** The cell above the first SSCC in the column of SSCCs. It is a heading, whatever its word. */
function aboveSsccs(rows: readonly Row[], width: number): { index: number; column: number } | undefined {
  const number = withSsccs(rows, width);
  if (number === undefined) return undefined;
  const column = number - 1;
  const index = rows.findIndex(({ cells }) => isSsccCell(cells[column] ?? '')) - 1;
  const heading = rows[index];
  return heading?.cells[column] && !heading.isTorn ? { index, column } : undefined;
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
  if (!first || first.isTorn || first.cells.some((cell) => likelihood(cell) >= 1)) return false;
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
  /** The lines of hidden rows as `rangesOf` writes them, and whether they are left out. */
  hidden?: string;
  leavesHidden?: boolean;
}

/** The error in a line, and its number, counted from 1 as in editors. */
export interface BadLine {
  line: number;
  text: string;
  /** The texts of its cells; undefined if they are not certain. */
  cells?: readonly string[];
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
  /** The rows that the spreadsheet hides, and whether they were left out. */
  hidden: { lines: number[]; isLeft: boolean };
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
  const hidden = { lines: [] as number[], isLeft: list.leavesHidden === true };
  const shown = (rows: Iterable<Row>): Row[] => {
    const all = filled(rows);
    const isHidden = inRanges(list.hidden ?? '');
    hidden.lines = all.flatMap(({ line }) => (isHidden(line) ? line : []));
    if (!hidden.isLeft) return all;
    const left = new Set(hidden.lines);
    return all.filter(({ line }) => !left.has(line));
  };
  const table = shown(
    (list.sheet === '' && list.column !== WHOLE_LINE && ssccRows(text)) || rowsOf(text, layout),
  );
  const chosen = /^\d{1,3}$/.test(list.column) ? Number(list.column) : undefined;
  const { columns, ...place } = await columnsFor(table, chosen, find);
  const isWhole = list.column === WHOLE_LINE && layout.separator !== undefined;
  const rows = isWhole ? shown(rowsOf(text, { ...layout, separator: undefined })) : table;
  const judge = (at: Place) => judged(rows, at, words, find, organization);
  const found = await judge(isWhole ? columnsOf(rows, likelihood, undefined) : place);
  const better = found.hasPallet ? undefined : withSsccs(table, columns.length);
  const isBetter = better !== undefined && list.column === '';
  const { hasPallet: _, heading, ...read } = isBetter ? await judge({ ...place, taken: better }) : found;
  return {
    ...read,
    heading,
    hidden,
    first: table.filter(({ line }) => line > (heading?.line ?? 0)).slice(0, FIRST_ROWS),
    better: isBetter || better === undefined ? undefined : String(better),
    columns,
    taken: isWhole ? WHOLE_LINE : String(isBetter ? better : place.taken),
  };
}

/** A known id counts more than any number of likely ones. */
const KNOWN = 1_000;

/** The columns of a list. If no heading names the pallets, the column with most known ids is taken. */
async function columnsFor(
  rows: readonly Row[],
  chosen: number | undefined,
  find: FindLive,
): Promise<Columns> {
  const found = columnsOf(rows, likelihood, chosen);
  if (found.isNamed || found.columns.length === 1) return found;
  const sample = rows.slice(0, Math.ceil(SAMPLE_CELLS / found.columns.length)).slice(0, SAMPLE_ROWS);
  const cells = sample.flatMap((row) => row.cells).filter((cell) => cell.length <= READING_MAXIMUM);
  const known = new Set(await find(cells));
  return known.size === 0
    ? found
    : columnsOf(rows, (text) => (known.has(text) ? KNOWN : likelihood(text)), chosen);
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
      index = texts.push(cellText(raw)) - 1;
      indexes.set(raw, index);
    }
    return index;
  });
  const meanings = await resolveTexts(texts, find, organization);
  const meaningOf = (row: number) => meanings[textOf[row]!]!;
  // An unknown heading may also be the first pallet. It is, if such a pallet exists.
  const isHeading =
    headingIndex !== undefined &&
    (rows[headingIndex]!.cells.some(isNamed) || !meaningOf(headingIndex).isLive);
  const heading = isHeading ? rows[headingIndex]! : undefined;
  const hasSscc = meanings.some(({ sscc }) => sscc !== undefined);
  const isAmongSsccs = hasSscc || isSsccHeading(heading?.cells[taken - 1] ?? '');
  const below = rows.filter((row) => row !== heading && row.line > (heading?.line ?? 0));
  const withSscc = rows.filter((row, at) => row !== heading && isSsccMeant(meaningOf(at))).length;
  const needsSscc = withSscc > below.length / 2;
  const outcomes = texts.map((text, index) => outcomeOf(text, meanings[index]!, isAmongSsccs));
  const firstLines = new Map<string, number>();
  const good: GoodLine[] = [];
  const bad: BadLine[] = [];
  for (const [index, row] of rows.entries()) {
    if (row === heading) continue;
    const { line, cells, isTorn } = row;
    const { raw } = texts[textOf[index]!]!;
    const place = { isTorn, isAbove: heading !== undefined && line < heading.line, needsSscc };
    const outcome = placed(outcomes[textOf[index]!]!, meaningOf(index), place);
    if ('reason' in outcome)
      bad.push({ line, text: raw, ...(!isTorn && { cells }), reason: () => outcome.reason(words) });
    else {
      const first = firstLines.get(outcome.pallet);
      if (first === undefined) {
        firstLines.set(outcome.pallet, line);
        good.push({ line, pallet: outcome.pallet, cells });
      } else bad.push({ line, text: raw, cells, reason: () => words.t('line.again', { line: first }) });
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

/** Whether a text means a pallet by its SSCC. */
const isSsccMeant = ({ pallet, sscc }: Resolved): boolean =>
  sscc !== undefined || (pallet !== undefined && ssccOf(pallet) !== undefined);

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
  ssccOf(cellText(cell).text.replace(/\s/g, '')) !== undefined;

/** How many SSCCs and known pallets the first rows of a list have; less than 1 if only a heading names pallets. */
export async function palletsLikely(list: string, find: FindLive): Promise<number> {
  const rows = firstRows(list);
  const cells = rows.flatMap((row) => row.cells).filter((cell) => cell.length <= READING_MAXIMUM);
  const known = new Set(await find(cells));
  const count = cells.filter((cell) => known.has(cell) || isSsccCell(cell)).length;
  return count + (namedIn(rows) && rows.length > 1 ? 0.5 : 0);
}

function firstRows(list: string): Row[] {
  const text = list.slice(0, SAMPLE_CHARACTERS).replace(/^\ufeff/, '');
  const rows: Row[] = [];
  for (const row of rowsOf(text, layoutFor(text, ''))) if (rows.push(row) === SAMPLE_ROWS) break;
  return rows;
}

/** The columns of a list, without its pallets. */
export function columnsIn(pallets: string): Column[] {
  return columnsOf(firstRows(pallets), likelihood, undefined).columns;
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
