import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { settingsOf } from '../../core/env.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, answerPage, askPage, envelope } from '../../core/http/list-page.ts';
import { reads } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppContext, type AppEnv, origin } from '../../core/http/types.ts';
import { maskSecret, refuseMissing, type Submission, type Written, write } from '../../core/http/write.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing } from '../../core/lib/missing.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './commands.ts';
import { replayWebhook, resendDelivery, testWebhook } from './delivery-commands.ts';
import { deliveryList, webhookList } from './list.ts';
import { changedWebhook, newSecret, newWebhook } from './registration.ts';
import {
  deliverySchema,
  issuedWebhookSchema,
  replayedSchema,
  replaySchema,
  rotateSecretSchema,
  TEST_EVENT_TYPE,
  testSchema,
  webhookCreateSchema,
  webhookSchema,
  webhookUpdateSchema,
} from './schema.ts';
import { standIn } from './secret.ts';
import { presentDelivery, presentWebhook, type StoredWebhook, webhookQuery } from './store.ts';

const app = new OpenAPIHono<AppEnv>();
const tag = 'Webhook';
const path = `${BASE_PATH}/webhook`;
const access = apiKeyAccess;
const params = z.object({ uuid: uuidName });
const webhookAnswer = { 200: { description: 'The webhook', schema: webhookSchema } };

const present = (links: string, stored: StoredWebhook) => presentWebhook(links, stored, Date.now());

/** The answer that shows a secret. A repeat gets null instead, because stored answers have no secrets. */
function issued(
  c: AppContext,
  { body, replayed }: Written<StoredWebhook>,
  secret: string,
  status: 200 | 201,
) {
  c.header('Cache-Control', 'no-store');
  return c.json({ ...present(origin(c), body), secret: replayed ? null : secret }, status);
}

/** The submission with the values of headers kept out of its fingerprint. */
async function maskHeaders(c: AppContext, submission: Submission, headers: unknown): Promise<Submission> {
  if (!headers) return submission;
  return maskSecret(submission, 'customHeaders', async (key) =>
    standIn(settingsOf(c.env).SEALING_KEY, key, headers),
  );
}

endpoint(app, {
  method: 'post',
  path,
  operationId: 'createWebhook',
  tag,
  summary: 'Register a webhook',
  description:
    'Registers a webhook for all events from now on that match `eventTypes`. Each event is ' +
    'delivered at least once, signed by Standard Webhooks (standardwebhooks.com). It has the same ' +
    'form as in `GET /event`. Its links have the host of this request. Success is 2xx within 15 s. ' +
    'Otherwise the event is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and ' +
    '24 h. Order is not guaranteed: use `sequenceNumber`, and ignore an `eventIdentifier` that ' +
    'you have seen. A new e-mail address first gets an e-mail that asks for confirmation. Until then `confirmation` is PENDING.',
  access,
  body: webhookCreateSchema,
  responses: { 201: { description: 'The webhook with its secret', schema: issuedWebhookSchema } },
  errors: ['webhookLimitReached', 'emailNotConfigured', 'emailStopped', 'rateLimited'],
  async handler(c, { body, submission }) {
    const masked = await maskHeaders(c, submission, body.customHeaders);
    const { secret, input } = await newWebhook(c, body);
    const written = await write(c, masked, createWebhook, input);
    c.header('Location', `${path}/${written.body.uuid}`);
    return issued(c, written, secret, 201);
  },
});

endpoint(app, {
  method: 'get',
  path,
  operationId: 'listWebhooks',
  tag,
  summary: 'List webhooks',
  description: 'Returns webhooks without their secrets and without the values of their headers.',
  access,
  query: webhookList.query,
  responses: { 200: { description: 'A page', schema: envelope('WebhookPage', webhookSchema) } },
  handler: (c, { query }) => answerList(c, webhookList, query, present),
});

endpoint(app, {
  method: 'get',
  path: `${path}/{uuid}`,
  operationId: 'getWebhook',
  tag,
  summary: 'Get a webhook',
  description: 'Shows whether the webhook is active and since when its receiver fails, if it does.',
  access,
  params,
  responses: webhookAnswer,
  errors: ['webhookNotFound'],
  async handler(c, { params: named }) {
    const database = reads(c);
    const row = await database.first(webhookQuery(database, named.uuid));
    if (!row) return refuseMissing('webhookNotFound', named.uuid);
    return c.json(present(origin(c), parseJson(row.view)));
  },
});

endpoint(app, {
  method: 'put',
  path: `${path}/{uuid}`,
  operationId: 'updateWebhook',
  tag,
  summary: 'Change a webhook',
  description:
    'Omitted or null fields stay unchanged. With `active: false` the webhook pauses. Its events ' +
    'wait, within the 30 days of the log, and are sent when it is active again.',
  access,
  params,
  body: webhookUpdateSchema,
  responses: webhookAnswer,
  errors: ['webhookNotFound', 'emailNotConfigured', 'emailStopped', 'rateLimited'],
  async handler(c, { params: named, body, submission }) {
    const masked = await maskHeaders(c, submission, body.customHeaders);
    const input = await changedWebhook(c, named.uuid, body);
    const { body: stored } = await write(c, masked, updateWebhook, input);
    return c.json(present(origin(c), stored));
  },
});

endpoint(app, {
  method: 'delete',
  path: `${path}/{uuid}`,
  operationId: 'deleteWebhook',
  tag,
  summary: 'Delete a webhook',
  description: 'Nothing more is sent to the webhook, not even waiting deliveries.',
  access,
  params,
  responses: { 204: { description: 'Deleted' } },
  errors: ['webhookNotFound'],
  async handler(c, { params: named, submission }) {
    await write(c, submission, deleteWebhook, { uuid: named.uuid });
    return c.body(null, 204);
  },
});

endpoint(app, {
  method: 'post',
  path: `${path}/{uuid}/rotate-secret`,
  operationId: 'rotateWebhookSecret',
  tag,
  summary: 'Rotate the secret of a webhook',
  description:
    'Both secrets sign until the overlap ends: 24 hours by default; 0 ends the old secret at once.',
  access,
  params,
  body: rotateSecretSchema,
  bodyOptional: true,
  responses: { 200: { description: 'The webhook with its new secret', schema: issuedWebhookSchema } },
  errors: ['webhookNotFound'],
  async handler(c, { params: named, body: { overlapSeconds }, submission }) {
    const { secret, input } = await newSecret(c, named.uuid, overlapSeconds);
    const written = await write(c, submission, rotateWebhookSecret, input);
    return issued(c, written, secret, 200);
  },
});

const webhookPath = `${BASE_PATH}/webhook/{uuid}`;

endpoint(app, {
  method: 'get',
  path: `${webhookPath}/delivery`,
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
  path: `${webhookPath}/test`,
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
  path: `${webhookPath}/replay`,
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
  path: `${webhookPath}/delivery/{deliveryUuid}/resend`,
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

export const webhookRoutes = app;
