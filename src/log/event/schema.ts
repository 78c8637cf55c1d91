import { z } from '@hono/zod-openapi';
import { dateTime } from '../../core/http/schema.ts';
import { EVENT_ENTITY_TYPES, EVENT_TYPES } from './table.ts';

/** The most events that one request reads. */
export const EVENTS_MAXIMUM = 1_000;
export const EVENTS_DEFAULT = 100;

/** An event, as webhooks deliver it and the log shows it. */
export const eventSchema = z
  .object({
    eventIdentifier: z.uuid().describe('The same in every delivery: `webhook-id`'),
    eventType: z.enum(EVENT_TYPES),
    eventDate: dateTime,
    sequenceNumber: z
      .int()
      .describe(
        'From 1 in each organization, without gaps, in the order of what happened. Where the store was put back to an ' +
          'earlier state, numbers are left out, and the first event behind the gap is STORE_REWOUND',
      ),
    organizationUuid: z.uuid(),
    operationId: z.uuid().nullable().describe('The background operation it belongs to'),
    entityType: z.enum(EVENT_ENTITY_TYPES),
    entityUuid: z.uuid().nullable(),
    entityExternalId: z.string().nullable(),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The resource as its GET showed it at that commit; of what was removed, as it was before'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .openapi('Event');

/** Answer of GET /event. */
export const eventsSchema = z.object({ content: z.array(eventSchema) }).openapi('Events');
