import { enterToDraw, streamed, streamedInTurns } from '../../core/http/permit.ts';
import type { AppContext } from '../../core/http/types.ts';
import { ProblemError } from '../../core/lib/problem.ts';
import { quantityOf } from '../marker/rules.ts';
import type { Paper } from './layout.ts';
import { partOf, type Resolution } from './rules.ts';
import { type LabelSheet, pdfMarker, pdfSheet } from './sheet-pdf.ts';
import { zplSheet } from './sheet-zpl.ts';
import type { StoredPrintingBatch } from './store.ts';

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
