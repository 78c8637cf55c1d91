import type PdfDocument from 'pdfkit';
import { type Block, quantityOf } from '../marker/rules.ts';
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

const FONT = 'Helvetica';
const CUT_COLOUR = '#999999';
const FRAME_COLOUR = '#000000';
const LINE_WIDTH = 0.5;

/** Consecutive labels of a printing batch. */
export interface LabelSheet extends Block {
  batchUuid: string;
  /** When the batch was created, in epoch milliseconds. */
  createDate: number;
}

/** The labels as a PDF, page by page. The same labels on the same paper give the same bytes. */
export function pdfSheet(sheet: LabelSheet, paper: Paper): Promise<AsyncGenerator<Uint8Array>> {
  const title = `Marker labels ${sheet.firstMarkerCode} to ${sheet.lastMarkerCode}`;
  const codes = { count: quantityOf(sheet), at: (index: number) => sheet.firstMarkerCode + index };
  const footOf = (first: number, last: number) => `Printing batch ${sheet.batchUuid}: ${first} to ${last}`;
  return labelPages({ title, date: sheet.createDate, codes, footOf }, paper);
}

/** The label of a marker of any batch. */
export function pdfMarker(code: number, date: number, paper: Paper): Promise<AsyncGenerator<Uint8Array>> {
  const title = '1 marker label';
  return labelPages({ title, date, codes: { count: 1, at: () => code }, footOf: () => title }, paper);
}

/** The content to print: codes by index, and the footer of a page. */
interface Labels {
  title: string;
  date: number;
  codes: { count: number; at(index: number): number };
  footOf(first: number, last: number): string;
}

/** The code for PDFs is loaded before the response begins, so that loading cannot outlast the request. */
async function labelPages(labels: Labels, paper: Paper): Promise<AsyncGenerator<Uint8Array>> {
  const { pdfParts } = await import('../../core/lib/pdf.ts');
  const { width, height } = PAPERS[paper];
  const { title, date } = labels;
  return pdfParts({ title, language: 'en', date, size: [width, height] }, pagesOf(labels, paper));
}

function* pagesOf({ codes, footOf }: Labels, paper: Paper): Generator<(document: PdfDocument) => void> {
  const pages = Math.ceil(codes.count / LABELS_A_PAGE);
  for (let page = 0; page < pages; page += 1) {
    const first = page * LABELS_A_PAGE;
    const end = Math.min(first + LABELS_A_PAGE, codes.count);
    yield (document) => {
      for (let index = first; index < end; index += 1)
        drawLabel(document, paper, index - first, codes.at(index));
      drawFoot(document, paper, [footOf(codes.at(first), codes.at(end - 1)), `Page ${page + 1} of ${pages}`]);
    };
  }
}

function drawLabel(document: PdfDocument, paper: Paper, position: number, code: number): void {
  const { outline, symbol, digits, barcode } = labelLayout(paper, position);
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
 * The dark modules as rectangles of one path, filled together. If they were filled one by one, a
 * renderer that antialiases edges would show hairlines between neighbours. The unit of the path is
 * a module.
 */
function symbolOperators(code: number, { left, top }: Box): string {
  const rectangles = markerModules(code).flatMap((row, y) =>
    darkRuns(row).map(({ start, length }) => `${start} ${y} ${length} 1 re`),
  );
  const position = [left, top].map((length) => length.toFixed(2)).join(' ');
  return ['q', '0 g', `${MODULE_SIZE} 0 0 ${MODULE_SIZE} ${position} cm`, ...rectangles, 'f', 'Q'].join('\n');
}

function drawFoot(document: PdfDocument, paper: Paper, [left, right]: [string, string]): void {
  const foot = footLayout(paper);
  document.font(FONT).fontSize(FOOT_SIZE);
  document.text(left, foot.left, foot.top, { lineBreak: false });
  const rightEdge = foot.left + foot.width - document.widthOfString(right);
  document.text(right, rightEdge, foot.top, { lineBreak: false });
}
