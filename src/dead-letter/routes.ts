import { OpenAPIHono, z } from '@hono/zod-openapi';
import { OPERATOR, operatorAccess } from '../credential/operator.ts';
import { endpoint, OPERATOR_PATH } from '../http/endpoint.ts';
import { answerPage, askPage, envelope } from '../http/list-page.ts';
import { readsOf } from '../http/read.ts';
import { uuidName } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { refuse, writeAs } from '../http/write.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { resendDeadLetter } from './commands.ts';
import { deadLetterList } from './list.ts';
import { queueOf } from './queues.ts';
import { deadLetterSchema } from './schema.ts';
import { letterOrganizationQuery, presentDeadLetter } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Operator';
const path = `${OPERATOR_PATH}/dead-letter`;

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listDeadLetters',
  tag,
  summary: 'Messages that a queue gave up',
  description: 'Of all organizations; kept 90 days.',
  access: operatorAccess,
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
  description: 'Consumers bear repeats: what was done meanwhile is not done again.',
  access: operatorAccess,
  params: z.object({ uuid: uuidName }),
  responses: { 200: { description: 'The letter', schema: deadLetterSchema } },
  errors: ['deadLetterNotFound'],
  async handler(c, { params }) {
    const found = await readsOf(c, NO_ORGANIZATION).first(letterOrganizationQuery(params.uuid));
    if (!found) return refuse('deadLetterNotFound', 'There is no such dead letter.');
    const { body: letter } = await writeAs(c, found.organizationUuid, OPERATOR, resendDeadLetter, params);
    const queue = queueOf(c.env, letter.queue);
    if (!queue) return refuse('temporarilyUnavailable', 'The queue of the letter is not there.');
    // Also for a repeat: the first may have ended between commit and here.
    try {
      await queue.send(letter.body);
    } catch (error) {
      console.error(JSON.stringify({ requestId: c.get('requestId'), queue: String(error) }));
      return refuse('temporarilyUnavailable', 'The queue of the letter did not answer.');
    }
    return c.json(presentDeadLetter(origin(c), letter));
  },
});

export const deadLetterRoutes = app;
