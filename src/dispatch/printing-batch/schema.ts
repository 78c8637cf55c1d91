import { z } from '@hono/zod-openapi';
import { BASE_PATH } from '../../core/http/endpoint.ts';
import { common, dateTime, input, newIdentifier, optionalOr, uuidName } from '../../core/http/schema.ts';
import { MARKER_CODE_MAXIMUM } from '../marker/rules.ts';
import { RESOLUTIONS, type Resolution } from './rules.ts';
import { BATCH_STATUSES, LABEL_FORMATS } from './table.ts';

/** The paths of printing batches. */
export const BATCHES_PATH = `${BASE_PATH}/scanner/{scannerUuid}/printing-batch`;
export const BATCH_PATH = `${BATCHES_PATH}/{batchUuid}`;

/** Parameters of these paths. For text that is not a UUID, the answer is 404. */
export const scannerParams = z.object({ scannerUuid: uuidName });
export const batchParams = scannerParams.extend({ batchUuid: uuidName });

const labelFormat = z
  .enum(LABEL_FORMATS)
  .describe(
    'Input for the printer. PNG: the image of each code at `marker-code/image/{code}.png`, laid ' +
      'out by the print station itself. PDF: `sheet.pdf`. ZPL: `sheet.zpl`. Both sheets exist for ' +
      'every value',
  );

const markerCode = z.int().min(1).max(MARKER_CODE_MAXIMUM);

/** A printing batch as the API shows it. */
export const printingBatchSchema = z
  .object({
    ...common,
    scannerUuid: z.uuid(),
    externalIdentifier: z.string().nullable(),
    status: z.enum(BATCH_STATUSES),
    quantity: z.int().min(1),
    printedCount: z.int().min(0).describe('0 until the batch is COMPLETED, then its quantity'),
    firstMarkerCode: markerCode,
    lastMarkerCode: markerCode.describe('Included. The codes are consecutive, without gaps'),
    labelFormat,
    completeDate: dateTime.nullable().describe('When it became COMPLETED'),
    deleted: z.boolean(),
  })
  .openapi('PrintingBatch');

/** Body of POST /scanner/{scannerUuid}/printing-batch. */
export const printingBatchCreateSchema = input(printingBatchSchema, {
  quantity: z
    .int()
    .min(1)
    .describe('Number of labels, at most the `markerAllocationMaximum` of the organization')
    .openapi({ example: 100 }),
  externalIdentifier: newIdentifier
    .nullable()
    .optional()
    .describe('Unique in the organization among batches that are not deleted')
    .openapi({ example: 'ROLL-2026-47' }),
  labelFormat: optionalOr(labelFormat, 'PDF'),
}).openapi('PrintingBatchCreate');

/** A marker code in a query. */
export const queryCode = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'A marker code is a decimal integer from 1 to 2^53−1.')
  .transform(Number)
  .pipe(z.number().max(MARKER_CODE_MAXIMUM))
  .openapi({ type: 'integer', minimum: 1, maximum: MARKER_CODE_MAXIMUM });

/** The resolution of a label printer in a query. */
export const dpmm = z
  .enum(RESOLUTIONS.map(String) as [string, ...string[]])
  .default('8')
  .transform((value) => Number(value) as Resolution);

/** Query parameters that select labels of a batch for a sheet. */
export const partQuery = {
  firstMarkerCode: queryCode.optional().describe('Only from this code of the batch on'),
  lastMarkerCode: queryCode.optional().describe('Only up to this code of the batch, included'),
};
