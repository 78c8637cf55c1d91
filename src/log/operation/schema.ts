import { z } from '@hono/zod-openapi';
import { common, dateTime, int32, orNull, truncated } from '../../core/http/schema.ts';
import { ITEM_STATUSES, OPERATION_STATUSES, OPERATION_TYPES } from './table.ts';

const resultSchema = z
  .object({
    index: int32.describe('Position in the request, from 0'),
    identifier: z.string().describe('The WMS id, or the shipment as the request named it'),
    status: z.enum(ITEM_STATUSES),
    error: orNull(z.object({ code: z.string(), message: z.string() })),
  })
  .openapi('OperationResult');

/** An operation as the API shows it. */
export const operationSchema = z
  .object({
    ...common,
    operationId: z.uuid().describe('The same as `uuid`'),
    operationType: z.enum(OPERATION_TYPES),
    status: z.enum(OPERATION_STATUSES),
    totalCount: int32,
    succeededCount: int32,
    failedCount: int32,
    results: z.array(resultSchema),
    truncated: truncated.describe('Present if the results have more than 10 MB; the last ones are left out'),
    finishDate: dateTime.nullable(),
  })
  .openapi('Operation');

/** `operationId` in a 202 response. */
export const operationId = z.uuid().describe('Shown at `…/operation/{operationId}`');

/** Response for accepted background work. */
export const acceptedSchema = z.object({ operationId }).openapi('Accepted');

/** Description of the 202 response in the contract. */
export const acceptedDescription = 'Accepted; `Location` is the path of the operation';
