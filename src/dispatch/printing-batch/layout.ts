import { MODULES, QUIET_MODULES } from '../marker/symbol.ts';

// Lengths are in points (1/72 inch), measured from the left and the top of the page.

/** A rectangle on a page. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The paper sizes: ISO 216 A4, and ANSI A (US Letter). */
export const PAPERS = {
  A4: { width: 595.28, height: 841.89 },
  LETTER: { width: 612, height: 792 },
} as const;
export type Paper = keyof typeof PAPERS;

/** The grid of labels on a page. A label is A6 or a little smaller, like common pallet labels. */
const COLUMNS = 2;
const ROWS = 2;
/** The number of labels on a page. */
export const LABELS_A_PAGE = COLUMNS * ROWS;

/**
 * The margin. Desktop printers cannot print on the outer quarter of an inch, so it is larger. The
 * footer is in the lower margin.
 */
const MARGIN = { side: 21.6, top: 28.8, bottom: 36 };
/** The distance of the footer's baseline from the edge of the page. */
const FOOT = { side: 21.6, bottom: 27 };

/**
 * The width of a module: a tenth of an inch. That is 30 dots at 300 dpi and 60 at 600 dpi, so all
 * modules print equally wide.
 */
export const MODULE_SIZE = 7.2;
/** Symbols are positioned at whole dots at 300 dpi. */
const GRID = 0.24;
const SYMBOL_SIZE = MODULES * MODULE_SIZE;
const QUIET_SIZE = QUIET_MODULES * MODULE_SIZE;
/** The padding of a label. */
const INSET = 7.2;
/** The height of the printed digits of the code. */
export const DIGITS_SIZE = 25.2;
const DIGITS_ROOM = 28.8;

/** A label: its outline for cutting, and its contents from top to bottom. */
interface LabelLayout {
  outline: Box;
  /** The symbol, without its quiet zone. */
  symbol: Box;
  digits: Box;
  /** An empty frame for the barcode of the WMS. */
  barcode: Box;
}

/** The layout of the label at a position of a page. Positions count from 0, row by row. */
export function labelLayout(paper: Paper, position: number): LabelLayout {
  const { width, height } = PAPERS[paper];
  const outline = {
    left: MARGIN.side + ((width - 2 * MARGIN.side) / COLUMNS) * (position % COLUMNS),
    top: MARGIN.top + ((height - MARGIN.top - MARGIN.bottom) / ROWS) * Math.floor(position / COLUMNS),
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

export function footLayout(paper: Paper): Box {
  const { width, height } = PAPERS[paper];
  const top = height - FOOT.bottom;
  return { left: FOOT.side, top, width: width - 2 * FOOT.side, height: FOOT_SIZE };
}

/** The height of the footer's text. */
export const FOOT_SIZE = 8;

const onGrid = (length: number): number => Math.round(length / GRID) * GRID;
