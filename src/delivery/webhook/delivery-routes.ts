import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { reads } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { refuse, write } from '../../core/http/write.ts';
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
  summary: 'The delivery log of a webhook',
  description:
    'A delivery for each event that the webhook is or was to be sent, with its attempts; kept 30 days.',
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
      missing: () => refuse('webhookNotFound', 'There is no such webhook.'),
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
    'Signed like every delivery, with `eventType` `WEBHOOK_TEST` and no `data`, or of a type that is asked for, with an ' +
    'example of its `data`: that it is a test is seen by its `sequenceNumber`, which is null. In the format EPCIS_2_0 it is a ' +
    'document without events. Sent once, also while the webhook is not active; what came of it is in the delivery log.',
  access,
  params,
  body: testSchema,
  bodyOptional: true,
  responses: { 200: { description: 'The delivery, on its way', schema: deliverySchema } },
  errors: ['webhookNotFound'],
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
  summary: 'Deliver events again',
  description:
    'Events of the log from one number to another that match `eventTypes`, delivered or not, under the same ' +
    '`webhook-id`; also those from before the webhook was registered. A webhook that is not active is sent them once it is.',
  access,
  params,
  body: replaySchema,
  responses: { 200: { description: 'How many deliveries that makes', schema: replayedSchema } },
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
    'Whatever came of it, under the same `webhook-id` and by a schedule that begins anew. That of a webhook that is not ' +
    'active is sent once it is; a test is sent at once.',
  access,
  params: params.extend({ deliveryUuid: uuidName }),
  responses: { 200: { description: 'The delivery, on its way', schema: deliverySchema } },
  errors: ['webhookNotFound', 'webhookDeliveryNotFound'],
  async handler(c, { params: named, submission }) {
    const { body } = await write(c, submission, resendDelivery, named);
    return c.json(presentDelivery(origin(c), body));
  },
});

export const webhookDeliveryRoutes = app;
