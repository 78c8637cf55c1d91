import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import { firstFitting, jsonText, PAGE_BYTES } from '../../core/http/bounded.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { wholeNumber } from '../../core/http/list.ts';
import { reads } from '../../core/http/read.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { type PresentEvent, readEvents } from './present.ts';
import { EVENTS_DEFAULT, EVENTS_MAXIMUM, eventsSchema } from './schema.ts';

/** The event log, with its events shown by `presentEvent`. */
export function eventRoutes(presentEvent: PresentEvent): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>();

  endpoint(app, {
    method: 'get',
    path: `${BASE_PATH}/event`,
    operationId: 'listEvents',
    tag: 'Event',
    summary: 'List the events of the log, in order',
    description:
      'Returns every state change that webhooks report, numbered without gaps and kept for 30 days. ' +
      'To follow the log, send the last `sequenceNumber` that you have seen as `afterSequence`. A ' +
      'page ends before `limit` if its events reach 4 MB. Only an empty page is the end of the ' +
      'log.',
    access: apiKeyAccess,
    query: z.object({
      afterSequence: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0).describe('Only events after this number'),
      limit: wholeNumber(1, EVENTS_MAXIMUM, EVENTS_DEFAULT),
    }),
    responses: { 200: { description: 'Events', schema: eventsSchema } },
    async handler(c, { query: { afterSequence, limit } }) {
      const database = reads(c);
      const events = await readEvents(database, afterSequence, limit, PAGE_BYTES);
      const shown = events.map((stored) =>
        JSON.stringify(presentEvent(origin(c), database.organization, stored)),
      );
      return jsonText(c, `{"content":[${firstFitting(shown, PAGE_BYTES).texts.join(',')}]}`);
    },
  });
  return app;
}
