import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import type { AppContext, AppEnv } from '../../core/http/types.ts';
import { type ProblemCode, ProblemError } from '../../core/lib/problem.ts';
import { PAPERS, type Paper } from './layout.ts';
import { BATCH_PATH, batchParams, dpmm, partQuery } from './schema.ts';
import { answerPdf, answerZpl, labelsOf } from './sheet.ts';
import type { LabelSheet } from './sheet-pdf.ts';
import { type BatchNames, readPrintingBatch } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Printing batch';
const errors: ProblemCode[] = ['scannerNotFound', 'printingBatchNotFound'];
const reprint =
  'Changes and allocates nothing, so you can print it again, in any status of the batch. ' +
  '`firstMarkerCode` and `lastMarkerCode` select some of its labels.';

endpoint(app, {
  method: 'get',
  path: `${BATCH_PATH}/sheet.pdf`,
  operationId: 'getPrintingSheetPdf',
  tag,
  summary: 'Get the labels of a printing batch as PDF',
  description:
    'Returns four labels a page. Each has the marker as vectors with its quiet zone, the code in ' +
    'digits, and an empty frame for the WMS barcode. Lines show where to cut. Print at 100 %. ' +
    `${reprint}`,
  access: apiKeyAccess,
  params: batchParams,
  query: z.object({
    paper: z.enum(Object.keys(PAPERS) as [Paper, ...Paper[]]).default('A4'),
    ...partQuery,
  }),
  responses: {
    200: { description: 'The labels; the same labels have the same bytes', type: 'application/pdf' },
  },
  errors,
  async handler(c, { params, query: { paper, ...part } }) {
    return answerPdf(c, await sheetOf(c, params, part), paper);
  },
});

endpoint(app, {
  method: 'get',
  path: `${BATCH_PATH}/sheet.zpl`,
  operationId: 'getPrintingSheetZpl',
  tag,
  summary: 'Get the labels of a printing batch as ZPL II',
  description:
    'Returns a label of 100 x 148 mm for each code. It has the marker as a graphic, the code in ' +
    `digits, and an empty frame for the WMS barcode. ${reprint}`,
  access: apiKeyAccess,
  params: batchParams,
  query: z.object({
    dpmm: dpmm.describe('Dots per millimetre of the printer: 8 (203 dpi), 12 (300 dpi) or 24 (600 dpi)'),
    ...partQuery,
  }),
  responses: {
    200: { description: 'The labels; the same labels have the same bytes', type: 'application/zpl' },
  },
  errors,
  async handler(c, { params, query: { dpmm, ...part } }) {
    return answerZpl(c, await sheetOf(c, params, part), dpmm);
  },
});

/**
 * The requested labels.
 * @throws 404 for an unknown batch, 400 for codes that are not in it
 */
async function sheetOf(
  c: AppContext,
  names: BatchNames,
  part: Parameters<typeof labelsOf>[1],
): Promise<LabelSheet> {
  const stored = await readPrintingBatch(reads(c), names);
  if ('code' in stored) throw new ProblemError(stored);
  return labelsOf(stored, part);
}

export const printingSheetRoutes = app;
