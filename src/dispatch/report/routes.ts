import { OpenAPIHono } from '@hono/zod-openapi';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { type AppEnv, principalOf } from '../../core/http/types.ts';
import { shipmentAccess } from '../load/shipment/access.ts';
import { reportQuery, reportSchema } from './schema.ts';
import { askReport, reportOf } from './store.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/report`,
  operationId: 'getReport',
  tag: 'Report',
  summary: 'Get a report of completed shipments',
  description:
    'Returns sums of completed shipments by day, week, month, carrier or gate. A shipment counts on the day of its ' +
    'completion, in the time zone of the organization. Days, weeks and months are in order of time. Carriers and ' +
    'gates with most shipments come first. The minutes of each shipment are rounded down and then added up. ' +
    'Corrections of pallets and carriers of completed shipments change the figures. Archiving does not, and neither ' +
    'does another planned departure. Carriers that differ only in case or white space are one group, under their most ' +
    'frequent spelling. Manifests that are not attached to a shipment do not count.',
  access: shipmentAccess,
  query: reportQuery,
  responses: { 200: { description: 'The report', schema: reportSchema } },
  async handler(c, { query }) {
    const { timeZone } = principalOf(c).organization;
    const database = reads(c);
    const found = await database.ask(askReport(database, { ...query, zone: timeZone }));
    const { content, ...more } = reportOf(found, query.groupBy);
    const rows = content.map(({ shipmentsArrived: _, spellings: __, ...row }) => row);
    return c.json({ content: rows, ...more, ...query });
  },
});

export const reportRoutes = app;
