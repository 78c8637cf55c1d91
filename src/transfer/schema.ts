import { z } from '@hono/zod-openapi';
import { operationSchema } from '../operation/schema.ts';
import { JOB_TYPES } from './table.ts';

/** What was done to an organization, as the operator is shown it. */
export const operatorOperationSchema = operationSchema
  .omit({ truncated: true })
  .extend({ operationType: z.enum(['ORGANIZATION_MOVE', ...JOB_TYPES]) })
  .openapi('OperatorOperation');
