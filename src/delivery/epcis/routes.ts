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
  summary: 'EPCIS 2.0 events of pallets',
  description:
    "GS1's standard of event exchange, as JSON-LD: loading, unloading, damage, and what left. In the order in which it was " +
    'committed; to follow it, walk along `Link` and begin again at the last `recordTime`. An event that was seen has the ' +
    'same `eventID`. A page may have fewer events than asked for, or none: only an answer without `Link` is the end. ' +
    'Pallets without a track are told of when they leave. What was moved to the archive is not told of any more.',
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
