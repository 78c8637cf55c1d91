import { z } from '@hono/zod-openapi';
import { operationSchema } from '../../log/operation/schema.ts';
import { JOB_TYPES } from '../long-job/table.ts';

/** Operation of an import, erasure or move, as the operator sees it. */
export const operatorOperationSchema = operationSchema
  .omit({ truncated: true })
  .extend({ operationType: z.enum(JOB_TYPES) })
  .openapi('OperatorOperation');
