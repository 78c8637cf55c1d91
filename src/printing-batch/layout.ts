import { MODULES, QUIET_MODULES } from '../marker/symbol.ts';

// Lengths are in points (1/72 inch), from the left and the top of the page.

/** A place on a page. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The papers there are: ISO 216 A4, and ANSI A (US Letter). */
export const PAPERS = {
  A4: { width: 595.28, height: 841.89 },
  LETTER: { width: 612, height: 792 },
} as const;
export type Paper = keyof typeof PAPERS;

/** Labels beside and above each other: each is as large as pallet labels are, A6 or a little less. */
const COLUMNS = 2;
const ROWS = 2;
/** Labels a page. */
export const LABELS_A_PAGE = COLUMNS * ROWS;

/** More than desktop printers leave white (a quarter of an inch); the foot of a page stands in the lower margin. */
const MARGIN = { side: 21.6, top: 28.8, bottom: 36 };
/** From the edge of a page to the line of its foot. */
const FOOT = { side: 21.6, bottom: 27 };

/** A tenth of an inch: 30 dots at 300 dpi, 60 at 600, so that all modules are equally wide in print. */
export const MODULE_SIZE = 7.2;
/** Positions of symbols are whole dots at 300 dpi. */
const GRID = 0.24;
const SYMBOL_SIZE = MODULES * MODULE_SIZE;
const QUIET_SIZE = QUIET_MODULES * MODULE_SIZE;
/** From the edge of a label to what is on it. */
const INSET = 7.2;
/** Height of the code in digits. */
export const DIGITS_SIZE = 25.2;
const DIGITS_ROOM = 28.8;

/** A label: its outline, where it is cut, and what it shows, from top to bottom. */
export interface LabelLayout {
  outline: Box;
  /** The symbol, without its quiet zone. */
  symbol: Box;
  digits: Box;
  /** Empty, with a frame: room for the barcode of the WMS. */
  barcode: Box;
}

/** How the label at a place of a page is laid out; places count from 0, row by row. */
export function labelLayout(paper: Paper, place: number): LabelLayout {
  const { width, height } = PAPERS[paper];
  const outline = {
    left: MARGIN.side + ((width - 2 * MARGIN.side) / COLUMNS) * (place % COLUMNS),
    top: MARGIN.top + ((height - MARGIN.top - MARGIN.bottom) / ROWS) * Math.floor(place / COLUMNS),
    width: (width - 2 * MARGIN.side) / COLUMNS,
    height: (height - MARGIN.top - MARGIN.bottom) / ROWS,
  };
  const symbol = {
    left: onGrid(outline.left + (outline.width - SYMBOL_SIZE) / 2),
    top: onGrid(outline.top + INSET + QUIET_SIZE),
    width: SYMBOL_SIZE,
    height: SYMBOL_SIZE,
  };
  const inner = { left: outline.left + INSET, width: outline.width - 2 * INSET };
  const digits = { ...inner, top: symbol.top + SYMBOL_SIZE + QUIET_SIZE, height: DIGITS_ROOM };
  const barcodeTop = digits.top + DIGITS_ROOM + INSET;
  const barcode = {
    ...inner,
    top: barcodeTop,
    height: outline.top + outline.height - INSET - barcodeTop,
  };
  return { outline, symbol, digits, barcode };
}

/** Where the line at the foot of a page stands. */
export function footLayout(paper: Paper): Box {
  const { width, height } = PAPERS[paper];
  const top = height - FOOT.bottom;
  return { left: FOOT.side, top, width: width - 2 * FOOT.side, height: FOOT_SIZE };
}

/** Height of the text at the foot of a page. */
export const FOOT_SIZE = 8;

const onGrid = (length: number): number => Math.round(length / GRID) * GRID;
