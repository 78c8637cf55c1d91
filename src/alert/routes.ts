import { OpenAPIHono, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { apiKeyAccess } from '../credential/authenticate.ts';
import { BASE_PATH, endpoint } from '../http/endpoint.ts';
import { answerList, dateRange, envelope, listQuery, type Sorting } from '../http/list.ts';
import { reads } from '../http/read.ts';
import { dateFilter, several, text } from '../http/schema.ts';
import { type AppEnv, origin } from '../http/types.ts';
import { inList } from '../lib/database.ts';
import { gatesNamed } from '../site/store.ts';
import { alertSchema } from './schema.ts';
import { alertView, presentAlert, type StoredAlert } from './store.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES } from './table.ts';

const app = new OpenAPIHono<AppEnv>();

const sorting: Sorting<'createDate' | 'raisedDate' | 'updateDate' | 'resolvedDate'> = {
  columns: {
    createDate: { expression: sql`alert.create_date`, stable: true },
    raisedDate: { expression: sql`alert.create_date`, stable: true },
    updateDate: { expression: sql`alert.update_date`, stable: false },
    resolvedDate: { expression: sql`alert.resolved_date`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/alert-event`,
  operationId: 'listAlertEvents',
  tag: 'Alert event',
  summary: 'List alert events',
  description: 'The latest first. An alert is RESOLVED when what raised it is put right.',
  access: apiKeyAccess,
  query: listQuery(sorting, {
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
    const organization = database.organization;
    const source = {
      from: sql`alert`,
      table: 'alert',
      conditions: [
        sql`alert.organization_uuid = ${organization}`,
        query.alertType && sql`alert.alert_type ${inList(query.alertType)}`,
        query.severity && sql`alert.severity ${inList(query.severity)}`,
        query.status && sql`alert.status ${inList(query.status)}`,
        query.gateExternalId && sql`alert.gate_uuid ${gatesNamed(organization, query.gateExternalId)}`,
        query.manifestExternalId && sql`alert.manifest_external_id ${inList(query.manifestExternalId)}`,
        query.shipmentExternalId && sql`alert.shipment_external_id ${inList(query.shipmentExternalId)}`,
        query.trackIdentifier && sql`alert.track_identifier ${inList(query.trackIdentifier)}`,
        dateRange(sql`alert.create_date`, query.raisedDateAfter, query.raisedDateBefore),
      ],
      view: alertView,
      sorting,
    };
    return answerList(c, database, source, query, (stored: StoredAlert) => presentAlert(origin(c), stored));
  },
});

export const alertRoutes = app;
