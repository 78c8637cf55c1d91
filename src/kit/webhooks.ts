import { Webhook } from 'standardwebhooks';
import type { ApiClient } from './client.ts';

/** An event, as webhooks deliver it and the log shows it. `/openapi.json` has the type of `data` of each event type. */
export interface Event<T = Record<string, unknown> | null> {
  eventIdentifier: string;
  eventType: string;
  eventDate: string;
  /** Null for a test. */
  sequenceNumber: number | null;
  organizationUuid: string;
  operationId: string | null;
  entityType: string;
  entityUuid: string | null;
  entityExternalId: string | null;
  data: T;
  error: { code: string; message: string } | null;
}

/** Events of one page of the log. */
const PAGE = 1_000;
const EVENTS = '/integration/rest/api/v1/event';

/**
 * The event of a delivery, once it is known to be one: signed with the webhook's secret, minutes ago at most.
 * @param body the bytes as they came.
 * @throws for anything else.
 */
export const received = (secret: string, body: string | Buffer, headers: Record<string, string>): Event =>
  new Webhook(secret).verify(body, headers) as Event;

/** The headers that a delivery of an event has: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
export function signed(secret: string, id: string, body: string, date = new Date()): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, date, body),
  };
}

/** All events behind a number, in order, to the end of the log. */
export async function* eventsAfter(client: ApiClient, sequenceNumber: number): AsyncGenerator<Event> {
  for (let last = sequenceNumber; ; ) {
    const { body } = await client.request<{ content: Event[] }>(
      'GET',
      `${EVENTS}?afterSequence=${last}&limit=${PAGE}`,
    );
    if (body.content.length === 0) return;
    yield* body.content;
    last = body.content.at(-1)!.sequenceNumber ?? last;
  }
}
