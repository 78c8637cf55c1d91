import { z } from '@hono/zod-openapi';
import { dateTime } from '../../core/http/schema.ts';
import { EVENT_ENTITY_TYPES, EVENT_TYPES } from './table.ts';

/** Maximum number of events that one request reads. */
export const EVENTS_MAXIMUM = 1_000;
export const EVENTS_DEFAULT = 100;

/** An event in the log and in webhook deliveries. */
export const eventSchema = z
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
export const eventsSchema = z.object({ content: z.array(eventSchema) }).openapi('Events');
