import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { answerList, envelope } from '../../core/http/list-page.ts';
import { answerRecord, reads } from '../../core/http/read.ts';
import { common, dateTime, int32, orNull, uuidName } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { gateReferenceSchema } from '../gate/schema.ts';
import { alertList, alertQuery, presentAlert } from './store.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES } from './table.ts';

/** An alert as the API shows it. */
export const alertSchema = z
  .object({
    ...common,
    alertType: z.enum(ALERT_TYPES),
    severity: z.enum(ALERT_SEVERITIES).describe('CRITICAL: a pallet may leave on the wrong truck'),
    status: z.enum(ALERT_STATUSES),
    message: z.string(),
    count: int32
      .min(1)
      .describe(
        'Number of readings that the alert covers. Readings of further pallets at a gate where nothing is being loaded increase it, without a further event',
      ),
    gate: orNull(gateReferenceSchema),
    trackIdentifier: z.string().nullable(),
    markerCode: z.int().nullable(),
    manifestExternalId: z.string().nullable(),
    shipmentExternalId: z.string().nullable(),
    recordUuid: z
      .uuid()
      .nullable()
      .describe('Loading record, webhook, shipment or manifest that the alert is about'),
    deviceUuid: z
      .uuid()
      .nullable()
      .describe('Scanner, local manager, agent or tablet that the alert is about'),
    raisedDate: dateTime,
    resolvedDate: dateTime.nullable(),
  })
  .openapi('AlertEvent');

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
