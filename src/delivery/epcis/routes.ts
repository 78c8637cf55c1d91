import { OpenAPIHono } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { linkNext } from '../../core/http/bounded.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { reads } from '../../core/http/read.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { isoDate } from '../../core/lib/time.ts';
import { readEventPage } from './page.ts';
import { epcisDocumentSchema, epcisQuery, HEAD } from './schema.ts';

const app = new OpenAPIHono<AppEnv>();

endpoint(app, {
  method: 'get',
  path: `${BASE_PATH}/epcis/events`,
  operationId: 'listEpcisEvents',
  tag: 'EPCIS',
  summary: 'List EPCIS 2.0 events of pallets',
  description:
    'Returns events in the GS1 standard for event exchange, as JSON-LD: loading, unloading, ' +
    'damage and departures. They are in the order of their commits. To follow them, walk along ' +
    '`Link` and start again at the last `recordTime`. An event that you have seen has the same ' +
    '`eventID`. A page may have fewer events than requested, or none. Only a response without ' +
    '`Link` is the end. A pallet without a track appears only when it leaves. Archived data no ' +
    'longer appears.',
  access: apiKeyAccess,
  query: epcisQuery,
  responses: { 200: { description: 'An EPCISQueryDocument', schema: epcisDocumentSchema } },
  async handler(c, { query }) {
    const { events, next } = await readEventPage(reads(c), origin(c), query);
    if (next !== undefined) linkNext(c, { name: 'nextPageToken', value: next });
    return c.json({
      ...HEAD,
      type: 'EPCISQueryDocument',
      creationDate: isoDate(Date.now()),
      epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList: events } } },
    });
  },
});

export const epcisRoutes = app;
