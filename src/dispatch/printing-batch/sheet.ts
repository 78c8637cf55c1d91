import type PdfDocument from 'pdfkit';
import { enterToDraw, streamed, streamedInTurns } from '../../core/http/permit.ts';
import type { AppContext } from '../../core/http/types.ts';
import { ProblemError } from '../../core/lib/problem.ts';
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
import { partOf, type Resolution } from './rules.ts';
import { zplSheet } from './sheet-zpl.ts';
import type { StoredPrintingBatch } from './store.ts';

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
function pdfMarker(code: number, date: number, paper: Paper): Promise<AsyncGenerator<Uint8Array>> {
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
  return pdfParts(
    { title, language: 'en', date, size: [width, height], unscaled: true },
    pagesOf(labels, paper),
  );
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

/**
 * The labels of a batch, or a part of them.
 * @throws 400 for codes that are not in it.
 */
export function labelsOf(stored: StoredPrintingBatch, part: Parameters<typeof partOf>[1]): LabelSheet {
  const block = partOf(stored, part);
  if ('code' in block) throw new ProblemError(block);
  return { ...block, batchUuid: stored.uuid, createDate: stored.createDate };
}

export const answerPdf = (c: AppContext, sheet: LabelSheet, paper: Paper): Promise<Response> =>
  answerSheet(c, () => pdfSheet(sheet, paper), sheet, ['application/pdf', 'pdf']);

export const answerZpl = (c: AppContext, sheet: LabelSheet, dpmm: Resolution): Promise<Response> =>
  answerSheet(c, () => zplSheet(sheet, dpmm), sheet, ['application/zpl', 'zpl']);

/** Answer with the label of a marker without a pallet as PDF, on A4. */
export const answerMarkerLabel = async (c: AppContext, code: number): Promise<Response> =>
  c.body(await streamed(c, () => pdfMarker(code, Date.now(), 'A4')), 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': 'inline; filename="label.pdf"',
    'Cache-Control': 'no-store',
  });

async function answerSheet(
  c: AppContext,
  parts: () => AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  sheet: LabelSheet,
  [type, extension]: [string, string],
): Promise<Response> {
  const { firstMarkerCode, lastMarkerCode } = sheet;
  await enterToDraw(c, quantityOf(sheet));
  return c.body(await streamedInTurns(c, parts), 200, {
    'Content-Type': type,
    'Content-Disposition': `inline; filename="markers-${firstMarkerCode}-${lastMarkerCode}.${extension}"`,
    'Cache-Control': 'private, no-cache',
  });
}
