import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { ANSWER_BYTES, fitting, jsonText } from '../../core/http/bounded.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { refuseMissing } from '../../core/http/write.ts';
import { operationSchema } from './schema.ts';
import { presentOperation, readOperation } from './store.ts';

/** Retry-After for an unfinished operation, in seconds. */
const RETRY_AFTER_SECONDS = 1;

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/operation/{operationId}`,
  operationId: 'getOperation',
  tag: 'Operation',
  summary: 'Get a background operation',
  description:
    'Returns a result for each item, in the order of the request. The response has `Retry-After` ' +
    'until the operation is finished. The operation is kept for 90 days after that. The event ' +
    'OPERATION_COMPLETED reports its end.',
  waiting: true,
  access: apiKeyAccess,
  params: z.object({ operationId: uuidName }),
  responses: { 200: { description: 'The operation', schema: operationSchema } },
  errors: ['operationNotFound'],
  async handler(c, { params: { operationId } }) {
    const stored = await readOperation(reads(c), operationId);
    if (!stored) return refuseMissing('operationNotFound', operationId);
    if (stored.finishDate === null) c.header('Retry-After', String(RETRY_AFTER_SECONDS));
    return jsonText(c, fitting(presentOperation(origin(c), stored), ANSWER_BYTES));
  },
});

export const operationRoutes = app;
