import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerRecord, reads } from '../../core/http/read.ts';
import { uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { alertList } from './list.ts';
import { alertSchema } from './schema.ts';
import { alertQuery, presentAlert } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/alert-event`,
  operationId: 'listAlertEvents',
  tag: 'Alert event',
  summary: 'List alert events',
  description: 'Returns alerts, latest first. An alert becomes RESOLVED when its cause is put right.',
  access: apiKeyAccess,
  query: alertList.query,
  responses: { 200: { description: 'A page', schema: envelope('AlertEventPage', alertSchema) } },
  handler: (c, { query }) => answerList(c, alertList, query, presentAlert),
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/alert-event/{uuid}`,
  operationId: 'getAlertEvent',
  tag: 'Alert event',
  summary: 'Get an alert event',
  description: 'Returns the alert as in the list, even when it is RESOLVED.',
  access: apiKeyAccess,
  params: z.object({ uuid: uuidName }),
  responses: { 200: { description: 'The alert event', schema: alertSchema } },
  errors: ['alertEventNotFound'],
  handler(c, { params: { uuid } }) {
    const database = reads(c);
    return answerRecord(
      c,
      database,
      alertQuery(database, uuid),
      { code: 'alertEventNotFound', identifier: uuid },
      (stored) => presentAlert(origin(c), stored),
    );
  },
});

export const alertRoutes = app;
