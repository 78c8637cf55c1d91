import type { LABEL_SIZES } from '../../core/writer/settings-table.ts';
import { MODULES, QUIET_MODULES } from '../marker/symbol.ts';
import type { Paper } from '../printing-batch/layout.ts';

export type LabelSize = (typeof LABEL_SIZES)[number];

// Lengths are in millimetres, measured from the left and the top.

/** A page with a grid of labels. */
export interface Sheet {
  page: { width: number; height: number };
  columns: number;
  rows: number;
  margin: { side: number; top: number; bottom: number };
}

/** A page with one label. It has no margin, because the label itself keeps its edge free. */
const single = (width: number, height: number): Sheet => ({
  page: { width, height },
  columns: 1,
  rows: 1,
  margin: { side: 0, top: 0, bottom: 0 },
});

/** Four labels on a page. The margins are the same as on the sheets of printing batches. */
const four = (width: number, height: number): Sheet => ({
  page: { width, height },
  columns: 2,
  rows: 2,
  margin: { side: 7.62, top: 10.16, bottom: 12.7 },
});

/** The paper for documents of an organization with this size of labels. Labels in inches are printed where paper is Letter. */
export const paperOf = (size: LabelSize | null): Paper =>
  size === 'LETTER' || size === 'INCH_4X6' ? 'LETTER' : 'A4';

/** The pages of each size: ISO 216 A6 and A4, 4 x 6 inches, and ANSI A (US Letter). */
export const SHEETS: Readonly<Record<LabelSize, Sheet>> = {
  A4: four(210, 297),
  LETTER: four(215.9, 279.4),
  A6: single(105, 148),
  INCH_4X6: single(101.6, 152.4),
};

/** The size of a label, and the grid of its printer. */
export interface Medium {
  width: number;
  height: number;
  /** Free space at each edge. */
  inset: number;
  /** Width of a dot. Modules and symbols are whole dots, so that all modules are equally wide. */
  dot: number;
  /** Width of a module of the marker, in dots. */
  markerModule: number;
  /** The largest width of a module of the barcode, in dots. It is about half a millimetre. */
  barModule: number;
}

/** Dots of PDFs: 300 dpi. A module of the marker is a tenth of an inch, as on the sheets of printing batches. */
const PDF_DOTS = { dot: 25.4 / 300, markerModule: 30, barModule: 6 };

export function pdfMedium(size: LabelSize): Medium {
  const { page, columns, rows, margin } = SHEETS[size];
  const width = (page.width - 2 * margin.side) / columns;
  const height = (page.height - margin.top - margin.bottom) / rows;
  return { width, height, inset: columns > 1 ? 2.54 : 4, ...PDF_DOTS };
}

/**
 * The label of a label printer with this many dots per millimetre. Such a printer has no sheets, so all sizes but 4 x 6
 * inches are A6. Its print head is 104 mm wide, so the label is 100 mm wide.
 */
export function zplMedium(size: LabelSize, dpmm: number): Medium {
  const [width, height] = size === 'INCH_4X6' ? [101, 152] : [100, 148];
  return { width, height, inset: 4, dot: 1 / dpmm, markerModule: 2.5 * dpmm, barModule: dpmm / 2 };
}

/** The space of the marker with its quiet zone. */
export const markerSpace = ({ dot, markerModule }: Medium): number =>
  (MODULES + 2 * QUIET_MODULES) * markerModule * dot;
