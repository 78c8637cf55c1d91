import { Webhook } from 'standardwebhooks';
import type { ApiClient } from './client.ts';

/**
 * An event as webhooks deliver it and the event log shows it. `/openapi.json` has the type of `data` for each event
 * type.
 */
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

/** An event of the log, which always has a number. */
export type LoggedEvent = Event & { sequenceNumber: number };

/** The number of events in a page of the log. */
const PAGE = 1_000;
const EVENTS = '/integration/rest/api/v1/event';

/**
 * The event of a delivery. Its signature must be valid. It is made with the webhook's secret, within the last minutes.
 * @param body the bytes as they were received
 * @throws if the signature is not valid
 */
export const received = (secret: string, body: string | Buffer, headers: Record<string, string>): Event =>
  new Webhook(secret).verify(body, headers) as Event;

/** The headers of a delivery: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
export function signed(secret: string, id: string, body: string, date = new Date()): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, date, body),
  };
}

async function page(client: ApiClient, after: number, limit: number): Promise<LoggedEvent[]> {
  const path = `${EVENTS}?afterSequence=${after}&limit=${limit}`;
  return (await client.request<{ content: LoggedEvent[] }>('GET', path)).body.content;
}

/** All events behind a number, in order, to the end of the log. */
export async function* eventsAfter(client: ApiClient, sequenceNumber: number): AsyncGenerator<LoggedEvent> {
  for (let last = sequenceNumber; ; ) {
    const events = await page(client, last, PAGE);
    if (events.length === 0) return;
    yield* events;
    last = events.at(-1)!.sequenceNumber;
  }
}

/** The number of the last event, or 0. It is found by bisection, because the log may be long. */
export async function lastEvent(client: ApiClient): Promise<number> {
  const goesOn = async (after: number) => (await page(client, after, 1)).length > 0;
  let [known, over] = [0, 1];
  while (await goesOn(over - 1)) [known, over] = [over, over * 2];
  while (over - known > 1) {
    const half = Math.floor((known + over) / 2);
    if (await goesOn(half - 1)) known = half;
    else over = half;
  }
  return known;
}
