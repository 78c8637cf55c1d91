import { OpenAPIHono, z } from '@hono/zod-openapi';
import { apiKeyAccess } from '../../access/credential/authenticate.ts';
import {
  bytesOf,
  FIRST_BYTES,
  LARGE_ANSWER_BYTES,
  PAGE_BYTES,
  PORTION_BYTES,
} from '../../core/http/bounded.ts';
import { BASE_PATH, endpoint } from '../../core/http/endpoint.ts';
import { JsonParts } from '../../core/http/json-parts.ts';
import { wholeNumber } from '../../core/http/list.ts';
import { enter, inTurn } from '../../core/http/permit.ts';
import { reads } from '../../core/http/read.ts';
import { dateTime } from '../../core/http/schema.ts';
import { type AppEnv, origin } from '../../core/http/types.ts';
import { type PresentEvent, type ReadEvent, readEvents } from './present.ts';
import { EVENT_ENTITY_TYPES, EVENT_TYPES } from './table.ts';

/** Maximum number of events that one request reads. */
const EVENTS_MAXIMUM = 1_000;
const EVENTS_DEFAULT = 100;

/** An event in the log and in webhook deliveries. */
const eventSchema = z
  .object({
    eventIdentifier: z.uuid().describe('The same in every delivery; sent as `webhook-id`'),
    eventType: z.enum(EVENT_TYPES),
    eventDate: dateTime,
    sequenceNumber: z
      .int()
      .describe(
        'From 1 in each organization, without gaps, in the order of events. If the store was restored ' +
          'to an earlier state, numbers are skipped, and the first event after the gap is STORE_REWOUND',
      ),
    organizationUuid: z.uuid(),
    operationId: z.uuid().nullable().describe('Background operation that the event belongs to'),
    entityType: z.enum(EVENT_ENTITY_TYPES),
    entityUuid: z.uuid().nullable(),
    entityExternalId: z.string().nullable(),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The resource as its GET showed it at that commit. A removed resource is shown as before its removal',
      ),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .openapi('Event');

/** Response of GET /event. */
const eventsSchema = z.object({ content: z.array(eventSchema) }).openapi('Events');

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
      const parts = new JsonParts();
      let [count, bytes, last] = [0, 0, afterSequence];
      /** Add events up to the limit of a page. Returns whether more may fit. */
      const add = (events: readonly ReadEvent[], portion: number): boolean => {
        for (const stored of events) {
          const text = JSON.stringify(presentEvent(origin(c), database.organization, stored));
          bytes += bytesOf(text) + 1;
          if (bytes > PAGE_BYTES && count > 0) return false;
          parts.add((count === 0 ? '{"content":[' : ',') + text);
          count += 1;
          last = stored.sequenceNumber;
        }
        return count < limit && (events.at(-1)?.through ?? 0) > portion;
      };
      for (let [portion, continues] = [FIRST_BYTES, true]; continues; portion = PORTION_BYTES) {
        if (count > 0) await enter(c, LARGE_ANSWER_BYTES);
        const events = await readEvents(database, last, limit - count, portion);
        continues = await inTurn(c, () => add(events, portion));
      }
      parts.add(count === 0 ? '{"content":[]}' : ']}');
      return parts.answer(c);
    },
  });
  return app;
}
