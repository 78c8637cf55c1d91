import { OpenAPIHono, z } from '@hono/zod-openapi';
import { operatorAccess } from '../../access/credential/operator.ts';
import { endpoint, OPERATOR_PATH } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { readsOf } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { deadLetterList } from './list.ts';
import { resend } from './resend.ts';
import { deadLetterSchema } from './schema.ts';
import { presentDeadLetter } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/dead-letter`;

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listDeadLetters',
  tag,
  summary: 'List dead letters',
  description: 'Returns dead letters of all organizations. They are kept for 90 days.',
  access: operatorAccess('READ'),
  query: deadLetterList.query,
  responses: { 200: { description: 'A page', schema: envelope('DeadLetterPage', deadLetterSchema) } },
  handler(c, { query }) {
    const database = readsOf(c, NO_ORGANIZATION);
    return answerPage(c, database, askPage(deadLetterList, database, query), presentDeadLetter);
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/{uuid}/resend`,
  operationId: 'resendDeadLetter',
  tag,
  summary: 'Send a dead letter to its queue again',
  description: 'Safe to repeat: work that is already done is not done again.',
  access: operatorAccess('OPERATE'),
  params: z.object({ uuid: uuidName }),
  responses: { 200: { description: 'The dead letter', schema: deadLetterSchema } },
  errors: ['deadLetterNotFound'],
  async handler(c, { params: { uuid }, submission }) {
    return c.json(presentDeadLetter(origin(c), await resend(c, submission, uuid)));
  },
});

export const deadLetterRoutes = app;
