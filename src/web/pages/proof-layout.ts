import { type Advances, wrapped } from '../../core/lib/drawn-text.ts';
import { largest } from '../../core/lib/extremes.ts';
import type { Stroke } from '../../dispatch/load/shared/signature-rules.ts';
import { PAPERS, type Paper } from '../../dispatch/printing-batch/layout.ts';

// Lengths are in points (1/72 inch), measured from the left and the top of an A4 page. The text area
// has the same width on each paper, so all rows break at the same words.

export const MARGIN = { side: 40, top: 40, bottom: 52 };
/** Width of the text area. */
export const BODY_WIDTH = PAPERS.A4.width - 2 * MARGIN.side;
/** Distance of the line at the foot of a page from the lower edge, and the size of its font. */
export const FOOT = { bottom: 34, size: 7 };
/** The QR Code of the summary page, in the upper right corner of the first page. */
export const SYMBOL = { left: PAPERS.A4.width - MARGIN.side - 92, top: MARGIN.top - 6, size: 100 };
/** Height of a line, as a multiple of the font's size. */
export const LINE_HEIGHT = 1.36;
/** How far the text area is to the right of its place on A4, to be in the middle of a page. */
export const shiftOf = (paper: Paper): number => (PAPERS[paper].width - PAPERS.A4.width) / 2;
/** Space that must be left below a heading, and below the head of a table. */
const [HEADING_ROOM, HEAD_ROOM] = [64, 24];

/** The fonts of a document by name, with the widths of their characters. */
export type Fonts = Readonly<Record<'regular' | 'bold', Advances>>;

/** The kinds of rows: a heading, a paragraph, or a row of a table. */
export type Role = 'H1' | 'H2' | 'P' | 'TH' | 'TR';

/** A text of a row, broken into lines. */
interface Cell {
  left: number;
  lines: string[];
  font: keyof Fonts;
  size: number;
}

/** A row, with the height of its lines and the space above it. */
export interface ProofRow {
  role: Role;
  cells: Cell[];
  height: number;
  above: number;
  /** Space that must be left below it. It keeps a heading from being the last row of a page. */
  below: number;
  /** A picture in its last column. */
  picture?: Picture;
}

/** A picture in a row, with its left edge on the page and its size. */
export interface Picture {
  left: number;
  width: number;
  height: number;
  /** Text for people who do not see it. */
  alt: string;
  /** The lines of a signature, or the place of a photo in the data and the URL that it opens. */
  of: { strokes: readonly Stroke[] } | { photo: number; link: string };
}

/** A row with its position. */
export interface PlacedRow extends ProofRow {
  top: number;
  /** The repeated head of a table that continues from the previous page. */
  repeated?: true;
}

/** A text to set, with the left edge (from the margin) and the width of its column. */
export interface ProofText {
  text: string;
  left?: number;
  width?: number;
  font?: keyof Fonts;
  size?: number;
}

/** Space above and below the texts of a table's row. */
const TABLE_PADDING = 1.5;

/** A row of texts, each broken into lines that fit its column. */
export function rowOf(role: Role, above: number, texts: readonly ProofText[], fonts: Fonts): ProofRow {
  const cells = texts.map(({ text, left = 0, width = BODY_WIDTH - left, font = 'regular', size = 8.5 }) => ({
    left: MARGIN.side + left,
    lines: wrapped(text, fonts[font], width / size),
    font,
    size,
  }));
  const below = role === 'H2' ? HEADING_ROOM : role === 'TH' ? HEAD_ROOM : 0;
  return { role, cells, height: heightOf(role, cells), above, below };
}

/** The row with a picture in its last column. */
export const withPicture = (row: ProofRow, { left, ...picture }: Picture): ProofRow => ({
  ...row,
  height: Math.max(row.height, picture.height + 2 * TABLE_PADDING),
  picture: { ...picture, left: MARGIN.side + left },
});

export const isTable = (role: Role): boolean => role === 'TH' || role === 'TR';
/** Distance from the top of a row to its first line. */
export const paddingOf = (role: Role): number => (isTable(role) ? TABLE_PADDING : 0);

const heightOf = (role: Role, cells: readonly Cell[]): number =>
  Math.max(0, largest(cells.map(({ lines, size }) => lines.length * size * LINE_HEIGHT))) +
  2 * paddingOf(role);

/**
 * Place rows on pages. A row stays whole if it fits on a page. A heading stays with the row after
 * it. A table that continues repeats its head.
 */
export function pagesOf(rows: Iterable<ProofRow>, paper: Paper): PlacedRow[][] {
  const { height } = PAPERS[paper];
  const bottom = height - MARGIN.bottom;
  // With less space left on a page, a tall row starts on the next one.
  const littleLeft = height / 2;
  const pages: PlacedRow[][] = [[]];
  let top: number = MARGIN.top;
  let head: ProofRow | undefined;
  const put = (row: ProofRow, repeated?: true): void => {
    if (top > MARGIN.top) top += row.above;
    pages.at(-1)!.push({ ...row, top, ...(repeated ? { repeated } : {}) });
    top += row.height;
  };
  const turn = (role: Role): void => {
    pages.push([]);
    top = MARGIN.top;
    if (role === 'TR' && head) put(head, true);
  };
  for (const row of rows) {
    if (row.role === 'TH') head = row;
    let rest: ProofRow | undefined = row;
    while (rest) {
      const needed: number = rest.above + rest.height + rest.below;
      const fresh = startOf(rest.role, head);
      // A row that is taller than a page starts at its position, unless little space is left there.
      const worthTurning = fresh + needed <= bottom || top > littleLeft;
      if (top + needed > bottom && top > fresh && worthTurning) turn(rest.role);
      const [fits, more]: [ProofRow, ProofRow?] = split(rest, bottom - top - rest.above);
      put(fits);
      if (more) turn(more.role);
      rest = more;
    }
  }
  return pages;
}

/** The position of the first row of a page. */
const startOf = (role: Role, head: ProofRow | undefined): number =>
  MARGIN.top + (role === 'TR' && head ? head.height : 0);

const pictureOf = ({ picture }: ProofRow) => (picture ? { picture } : {});

/** Split a row into the part that fits into a height, at least one line, and the rest. */
function split(row: ProofRow, available: number): [ProofRow, ProofRow?] {
  if (row.height <= available) return [row];
  const height = available - 2 * paddingOf(row.role);
  const part = (taken: (cell: Cell) => string[]): ProofRow => {
    const cells = row.cells.map((cell) => ({ ...cell, lines: taken(cell) }));
    const { picture: _, ...textOnly } = row;
    return { ...textOnly, cells, height: heightOf(row.role, cells) };
  };
  const room = ({ size }: Cell): number => Math.max(1, Math.floor(height / (size * LINE_HEIGHT)));
  const first = { ...part((cell) => cell.lines.slice(0, room(cell))), ...pictureOf(row) };
  const rest = part((cell) => cell.lines.slice(room(cell)));
  return rest.cells.some(({ lines }) => lines.length > 0) ? [first, rest] : [first];
}
