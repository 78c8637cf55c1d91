import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { reads } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { write } from '../../core/http/write.ts';
import { missing } from '../../core/lib/missing.ts';
import { replayWebhook, resendDelivery, testWebhook } from './delivery-commands.ts';
import { deliveryList } from './list.ts';
import { deliverySchema, replayedSchema, replaySchema, TEST_EVENT_TYPE, testSchema } from './schema.ts';
import { presentDelivery, webhookQuery } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Webhook';
const path = `${BASE_PATH}/webhook/{uuid}`;
const access = apiKeyAccess;
const params = z.object({ uuid: uuidName });

endpoint(app, {
  method: 'get',
  path: `${path}/delivery`,
  operationId: 'listWebhookDeliveries',
  tag,
  summary: 'List the deliveries of a webhook',
  description:
    'Returns one delivery, with its attempts, for each event that is or was due for the webhook. ' +
    'Deliveries are kept for 30 days.',
  access,
  params,
  query: deliveryList.query,
  responses: { 200: { description: 'A page', schema: envelope('WebhookDeliveryPage', deliverySchema) } },
  errors: ['webhookNotFound'],
  async handler(c, { params: named, query }) {
    const database = reads(c);
    const asked = askPage(deliveryList, database, query, named.uuid);
    return answerPage(c, database, asked, presentDelivery, {
      query: webhookQuery(database, named.uuid),
      missing: missing('webhookNotFound', named.uuid),
    });
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/test`,
  operationId: 'testWebhook',
  tag,
  summary: 'Send a test to a webhook',
  description:
    'Sends a test that is signed like every delivery. Its `eventType` is `WEBHOOK_TEST` and it ' +
    'has no `data`. If you request another type, the test has an example of its `data`. The null ' +
    '`sequenceNumber` shows that it is a test. In the format EPCIS_2_0 it is a document without ' +
    'events, in SLACK, TEAMS and `EMAIL` a message. It is sent once, even if the webhook is not active. The delivery log shows ' +
    'the result. If the recipient of an e-mail webhook has not confirmed the address, the confirmation e-mail is sent instead, ' +
    'with the `eventType` `EMAIL_CONFIRMATION`. An organization sends at most 5 test e-mails in an hour.',
  access,
  params,
  body: testSchema,
  bodyOptional: true,
  responses: { 200: { description: 'The delivery, now queued', schema: deliverySchema } },
  errors: ['webhookNotFound', 'emailStopped', 'rateLimited'],
  async handler(c, { params: named, body: { eventType }, submission }) {
    const { body } = await write(c, submission, testWebhook, {
      uuid: named.uuid,
      eventType: eventType ?? TEST_EVENT_TYPE,
    });
    return c.json(presentDelivery(origin(c), body));
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/replay`,
  operationId: 'replayWebhook',
  tag,
  summary: 'Deliver a range of events again',
  description:
    'Delivers the events of the log from one number to another that match `eventTypes`. It does ' +
    'not matter whether they were delivered before. They keep their `webhook-id`. Events from ' +
    'before the registration of the webhook are included. A webhook that is not active gets them ' +
    'when it becomes active.',
  access,
  params,
  body: replaySchema,
  responses: { 200: { description: 'The number of deliveries', schema: replayedSchema } },
  errors: ['webhookNotFound'],
  async handler(c, { params: named, body, submission }) {
    const { body: replayed } = await write(c, submission, replayWebhook, { uuid: named.uuid, ...body });
    return c.json(replayed as z.output<typeof replayedSchema>);
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/delivery/{deliveryUuid}/resend`,
  operationId: 'resendWebhookDelivery',
  tag,
  summary: 'Deliver one event again',
  description:
    'Delivers the event again, whether earlier attempts succeeded or failed. It has the same ' +
    '`webhook-id`, and the retry schedule starts again. If the webhook is not active, the event ' +
    'is sent when it becomes active. A test is sent at once.',
  access,
  params: params.extend({ deliveryUuid: uuidName }),
  responses: { 200: { description: 'The delivery, now queued', schema: deliverySchema } },
  errors: ['webhookNotFound', 'webhookDeliveryNotFound', 'emailStopped', 'rateLimited'],
  async handler(c, { params: named, submission }) {
    const { body } = await write(c, submission, resendDelivery, named);
    return c.json(presentDelivery(origin(c), body));
  },
});

export const webhookDeliveryRoutes = app;
