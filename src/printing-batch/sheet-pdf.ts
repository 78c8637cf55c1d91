import type PdfDocument from 'pdfkit';
import { pdfParts } from '../lib/pdf.ts';
import type { Block } from '../marker/rules.ts';
import { darkRuns, markerModules } from '../marker/symbol.ts';
import {
  type Box,
  DIGITS_SIZE,
  FOOT_SIZE,
  footLayout,
  LABELS_A_PAGE,
  labelLayout,
  MODULE_SIZE,
  PAPERS,
  type Paper,
} from './layout.ts';
import { quantityOf } from './rules.ts';

const FONT = 'Helvetica';
const CUT_COLOUR = '#999999';
const FRAME_COLOUR = '#000000';
const LINE_WIDTH = 0.5;

/** A run of labels of a printing batch. */
export interface LabelSheet extends Block {
  batchUuid: string;
  /** When the batch was created, in epoch milliseconds. */
  createDate: number;
}

/** The labels as a PDF, page by page; the same labels on the same paper are the same bytes. */
export function pdfSheet(sheet: LabelSheet, paper: Paper): AsyncGenerator<Uint8Array> {
  const { width, height } = PAPERS[paper];
  const title = `Marker labels ${sheet.firstMarkerCode} to ${sheet.lastMarkerCode}`;
  return pdfParts(
    { title, language: 'en', date: sheet.createDate, size: [width, height] },
    pagesOf(sheet, paper),
  );
}

function* pagesOf(sheet: LabelSheet, paper: Paper): Generator<(document: PdfDocument) => void> {
  const count = Math.ceil(quantityOf(sheet) / LABELS_A_PAGE);
  for (let page = 0; page < count; page += 1) {
    const first = sheet.firstMarkerCode + page * LABELS_A_PAGE;
    const last = Math.min(first + LABELS_A_PAGE - 1, sheet.lastMarkerCode);
    yield (document) => {
      for (let code = first; code <= last; code += 1) drawLabel(document, paper, code - first, code);
      drawFoot(document, paper, [
        `Printing batch ${sheet.batchUuid}: ${first} to ${last}`,
        `Page ${page + 1} of ${count}`,
      ]);
    };
  }
}

function drawLabel(document: PdfDocument, paper: Paper, place: number, code: number): void {
  const { outline, symbol, digits, barcode } = labelLayout(paper, place);
  drawBox(document, outline, CUT_COLOUR);
  drawBox(document, barcode, FRAME_COLOUR);
  document.addContent(symbolOperators(code, symbol));
  const text = String(code);
  document.font(FONT).fontSize(DIGITS_SIZE);
  const left = digits.left + (digits.width - document.widthOfString(text)) / 2;
  document.text(text, left, digits.top, { lineBreak: false });
}

function drawBox(document: PdfDocument, { left, top, width, height }: Box, colour: string): void {
  document.lineWidth(LINE_WIDTH).strokeColor(colour).rect(left, top, width, height).stroke();
}

/**
 * The dark modules as rectangles of one path, filled at once: filled one by one, neighbours would show hairlines
 * between them wherever a renderer smooths edges. A unit of the path is a module.
 */
function symbolOperators(code: number, { left, top }: Box): string {
  const rectangles = markerModules(code).flatMap((row, y) =>
    darkRuns(row).map(({ start, length }) => `${start} ${y} ${length} 1 re`),
  );
  const place = [left, top].map((length) => length.toFixed(2)).join(' ');
  return ['q', '0 g', `${MODULE_SIZE} 0 0 ${MODULE_SIZE} ${place} cm`, ...rectangles, 'f', 'Q'].join('\n');
}

function drawFoot(document: PdfDocument, paper: Paper, [left, right]: [string, string]): void {
  const foot = footLayout(paper);
  document.font(FONT).fontSize(FOOT_SIZE);
  document.text(left, foot.left, foot.top, { lineBreak: false });
  const rightEdge = foot.left + foot.width - document.widthOfString(right);
  document.text(right, rightEdge, foot.top, { lineBreak: false });
}
