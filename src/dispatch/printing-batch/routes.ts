import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import type { Endpoint } from '../../core/http/declaration.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { reads } from '../../core/http/read.ts';
import { emptySchema } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { write } from '../../core/http/write.ts';
import { missing } from '../../core/lib/missing.ts';
import { type ProblemCode, ProblemError } from '../../core/lib/problem.ts';
import { scannerQuery } from '../device/store.ts';
import { changePrintingBatchStatus, createPrintingBatch, deletePrintingBatch } from './commands.ts';
import { PAPERS, type Paper } from './layout.ts';
import {
  BATCH_PATH,
  BATCHES_PATH,
  batchParams,
  dpmm,
  partQuery,
  printingBatchCreateSchema,
  printingBatchSchema,
  scannerParams,
} from './schema.ts';
import { answerPdf, answerZpl, type LabelSheet, labelsOf } from './sheet.ts';
import {
  type BatchNames,
  batchList,
  presentPrintingBatch,
  printingBatchPath,
  readPrintingBatch,
} from './store.ts';
import { BATCH_STATUSES } from './table.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Printing batch';
const access = apiKeyAccess;
const answer = { 200: { description: 'The printing batch', schema: printingBatchSchema } };

endpoint(app, {
  method: 'get',
  path: BATCHES_PATH,
  operationId: 'listPrintingBatches',
  tag,
  summary: 'List the printing batches of a scanner',
  description: 'Returns batches, newest first. The batches of a deleted scanner return 404.',
  access,
  params: scannerParams,
  query: batchList.query.omit({ scannerUuid: true }),
  responses: { 200: { description: 'A page', schema: envelope('PrintingBatchPage', printingBatchSchema) } },
  errors: ['scannerNotFound'],
  async handler(c, { params: { scannerUuid }, query }) {
    const database = reads(c);
    const asked = askPage(batchList, database, { ...query, scannerUuid });
    return answerPage(c, database, asked, presentPrintingBatch, {
      query: scannerQuery(database, scannerUuid),
      missing: missing('scannerNotFound', scannerUuid),
    });
  },
});

endpoint(app, {
  method: 'post',
  path: BATCHES_PATH,
  operationId: 'createPrintingBatch',
  tag,
  summary: 'Create a printing batch with a block of codes',
  description:
    'Allocates `quantity` consecutive codes in the same commit, or none. Printing allocates ' +
    'nothing, however often you print.',
  access,
  params: scannerParams,
  body: printingBatchCreateSchema,
  responses: { 201: { description: 'The printing batch', schema: printingBatchSchema } },
  errors: ['scannerNotFound', 'externalIdentifierInUse', 'markerCodesExhausted'],
  async handler(c, { params: { scannerUuid }, body, submission }) {
    const { body: stored } = await write(c, submission, createPrintingBatch, {
      ...body,
      scannerUuid,
      externalIdentifier: body.externalIdentifier ?? null,
    });
    c.header('Location', printingBatchPath(stored));
    return c.json(presentPrintingBatch(origin(c), stored), 201);
  },
});

endpoint(app, {
  method: 'get',
  path: BATCH_PATH,
  operationId: 'getPrintingBatch',
  tag,
  summary: 'Get a printing batch',
  description: 'Returns its block of marker codes, its status and the number of printed labels.',
  access,
  params: batchParams,
  responses: answer,
  errors: ['scannerNotFound', 'printingBatchNotFound'],
  async handler(c, { params }) {
    const stored = await readPrintingBatch(reads(c), params);
    if ('code' in stored) throw new ProblemError(stored);
    return c.json(presentPrintingBatch(origin(c), stored));
  },
});

endpoint(app, {
  method: 'delete',
  path: BATCH_PATH,
  operationId: 'deletePrintingBatch',
  tag,
  summary: 'Delete a printing batch',
  description: 'Allowed in any status. Its codes stay allocated; its external identifier becomes free.',
  access,
  params: batchParams,
  responses: { 200: { description: 'Deleted', schema: emptySchema } },
  errors: ['scannerNotFound', 'printingBatchNotFound'],
  async handler(c, { params, submission }) {
    await write(c, submission, deletePrintingBatch, params);
    return c.json({});
  },
});

const ofStatus = batchParams.extend({ status: z.enum(BATCH_STATUSES) });
const move: Omit<
  Endpoint<typeof ofStatus, undefined, undefined>,
  'method' | 'operationId' | 'description'
> = {
  path: `${BATCH_PATH}/status/{status}`,
  tag,
  summary: 'Change the status of a printing batch',
  access,
  params: ofStatus,
  responses: answer,
  errors: [
    'unknownStatus',
    'transitionNotAllowed',
    'scannerNotFound',
    'printingBatchNotFound',
    'batchClosed',
  ],
  async handler(c, { params, submission }) {
    const { body } = await write(c, submission, changePrintingBatchStatus, params);
    c.header('Cache-Control', 'no-store');
    return c.json(presentPrintingBatch(origin(c), body));
  },
};
const moves =
  'From CREATED: IN_PROGRESS, COMPLETED or CANCELLED. From IN_PROGRESS: COMPLETED or CANCELLED. ' +
  'A batch that already has the status is returned unchanged.';

endpoint(app, {
  ...move,
  method: 'post',
  operationId: 'changePrintingBatchStatus',
  description: moves,
});

endpoint(app, {
  ...move,
  method: 'get',
  changing: true,
  operationId: 'changePrintingBatchStatusByGet',
  summary: 'Change the status of a printing batch by GET',
  description:
    `${moves} Does the same as the POST, for print stations that can only follow a link. The ` +
    'response is never cached, and there is no HEAD. A request that a client sends ahead ' +
    '(`Sec-Purpose: prefetch` and similar) is refused. `Idempotency-Key` has no effect. Prefer ' +
    'the POST.',
});

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

export const printingBatchRoutes = app;
