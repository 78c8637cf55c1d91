import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../http/endpoint.ts';
import { answerList, envelope, listQuery } from '../http/list.ts';
import { answerRecord, reads } from '../http/read.ts';
import { dateFilter, several, text, uuidName } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { alertSorting, alertSource } from './list-store.ts';
import { alertSchema } from './schema.ts';
import { alertQuery, presentAlert, type StoredAlert } from './store.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES } from './table.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/alert-event`,
  operationId: 'listAlertEvents',
  tag: 'Alert event',
  summary: 'List alert events',
  description: 'The latest first. An alert is RESOLVED when what raised it is put right.',
  access: apiKeyAccess,
  query: listQuery(alertSorting, {
    alertType: several(z.enum(ALERT_TYPES)).optional(),
    severity: several(z.enum(ALERT_SEVERITIES)).optional(),
    status: several(z.enum(ALERT_STATUSES)).optional(),
    gateExternalId: several(text(1, 255))
      .optional()
      .describe('At any of these gates; by external id or uuid'),
    manifestExternalId: several(text(1, 255)).optional(),
    shipmentExternalId: several(text(1, 255)).optional(),
    trackIdentifier: several(text(1, 255)).optional(),
    raisedDateAfter: dateFilter.optional().describe('From this instant on: epoch milliseconds or ISO 8601'),
    raisedDateBefore: dateFilter.optional().describe('Before this instant: epoch milliseconds or ISO 8601'),
  }),
  responses: { 200: { description: 'A page', schema: envelope(alertSchema) } },
  handler(c, { query }) {
    const database = reads(c);
    return answerList(c, database, alertSource(database, query), query, (stored: StoredAlert) =>
      presentAlert(origin(c), stored),
    );
  },
});

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/alert-event/{uuid}`,
  operationId: 'getAlertEvent',
  tag: 'Alert event',
  summary: 'Get an alert event',
  description: 'As the list shows it, also once it is RESOLVED.',
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
      'alertEventNotFound',
      (stored: StoredAlert) => presentAlert(origin(c), stored),
    );
  },
});

export const alertRoutes = app;
