import type PdfDocument from 'pdfkit';
import type { DocumentFonts } from '../../core/lib/font.ts';
import { darkRuns, markerModules } from '../marker/symbol.ts';
import { barWidths } from './code128.ts';
import {
  type Captions,
  type LabelSize,
  type LaidLabel,
  laidLabel,
  type PlacedText,
  pdfMedium,
  SHEETS,
  widthOf,
} from './layout.ts';
import type { PalletLabel } from './store.ts';

/** Points per millimetre. */
const POINTS = 72 / 25.4;
/** Height of Noto Sans above the baseline, as a multiple of the size. pdfkit places a text by it. */
const ASCENT = 1.069;
const CUT_COLOUR = '#999999';
const CUT_WIDTH = 0.5;

/** The appearance of labels. */
export interface LabelLook {
  size: LabelSize;
  title: string;
  language: string;
  /** When the document is made, in epoch milliseconds. */
  date: number;
  captions: Captions;
}

/** Labels of pallets as a PDF, page by page. The code for PDFs is loaded before the response begins. */
export async function labelsPdf(
  labels: readonly PalletLabel[],
  look: LabelLook,
  fonts: DocumentFonts,
): Promise<AsyncGenerator<Uint8Array>> {
  const { pdfParts } = await import('../../core/lib/pdf.ts');
  const { title, language, date, size } = look;
  const { width, height } = SHEETS[size].page;
  return pdfParts(
    {
      title,
      language,
      date,
      size: [width * POINTS, height * POINTS],
      unscaled: true,
      fonts: { regular: fonts.regular.bytes, bold: fonts.bold.bytes },
    },
    pages(labels, look, fonts),
  );
}

function* pages(
  labels: readonly PalletLabel[],
  { size, captions }: LabelLook,
  fonts: DocumentFonts,
): Generator<(document: PdfDocument) => void> {
  const { columns, rows, margin } = SHEETS[size];
  const medium = pdfMedium(size);
  const aPage = columns * rows;
  const onDot = (length: number): number => Math.round(length / medium.dot) * medium.dot;
  for (let first = 0; first < labels.length; first += aPage) {
    yield (document) => {
      for (const [place, label] of labels.slice(first, first + aPage).entries()) {
        const left = onDot(margin.side + medium.width * (place % columns));
        const top = onDot(margin.top + medium.height * Math.floor(place / columns));
        if (aPage > 1) drawOutline(document, [left, top, medium.width, medium.height]);
        drawLabel(document, laidLabel(label, medium, fonts, captions), { left, top }, fonts);
      }
    };
  }
}

function drawOutline(document: PdfDocument, box: [number, number, number, number]): void {
  const [left, top, width, height] = box.map((length) => length * POINTS) as typeof box;
  document.lineWidth(CUT_WIDTH).strokeColor(CUT_COLOUR).rect(left, top, width, height).stroke();
}

interface Corner {
  left: number;
  top: number;
}

function drawLabel(
  document: PdfDocument,
  { marker, bars, texts }: LaidLabel,
  at: Corner,
  fonts: DocumentFonts,
): void {
  if (marker) {
    const squares = markerModules(marker.code).flatMap((row, y) =>
      darkRuns(row).map(({ start, length }) => `${start} ${y} ${length} 1 re`),
    );
    drawModules(document, squares, { ...marker, height: marker.module }, at);
  }
  if (bars) drawModules(document, barRectangles(barWidths(bars.of)), bars, at);
  for (const text of texts) drawText(document, text, at, fonts);
}

/** The bars as rectangles with a height of 1. */
function barRectangles(widths: readonly number[]): string[] {
  let left = 0;
  return widths.flatMap((width, index) => {
    left += width;
    return index % 2 === 0 ? [`${left - width} 0 ${width} 1 re`] : [];
  });
}

/**
 * Fill rectangles together as one path. If they were filled one by one, a renderer that antialiases edges would show
 * hairlines between neighbours. In the path, the horizontal unit is a module, and the vertical unit is `height`.
 */
function drawModules(
  document: PdfDocument,
  rectangles: readonly string[],
  { left, top, module, height }: Corner & { module: number; height: number },
  at: Corner,
): void {
  const matrix = [module, 0, 0, height, at.left + left, at.top + top].map((length) =>
    (length * POINTS).toFixed(4),
  );
  document.addContent(['q', '0 g', `${matrix.join(' ')} cm`, ...rectangles, 'f', 'Q'].join('\n'));
}

function drawText(document: PdfDocument, text: PlacedText, at: Corner, fonts: DocumentFonts): void {
  const free = text.width - widthOf(text.text, fonts[text.font].advances) * text.size;
  const shift = { left: 0, center: free / 2, right: free }[text.align];
  document.font(text.font).fontSize(text.size * POINTS);
  document.text(
    text.text,
    (at.left + text.left + shift) * POINTS,
    (at.top + text.baseline - ASCENT * text.size) * POINTS,
    { lineBreak: false, features: [] },
  );
}
