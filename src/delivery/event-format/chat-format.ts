import { deepLink } from '../../core/http/link.ts';
import { parseJson } from '../../core/lib/json.ts';
import { presentAlert } from '../../dispatch/alert/store.ts';
import { presentShipment } from '../../dispatch/shipment/store.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import type { Format, Tested } from '../webhook/format.ts';
import {
  alertLine,
  type ChatMessage,
  messageOf,
  type ShownAlert,
  type ShownShipment,
  shipmentLine,
} from './chat.ts';
import { byQuietPeriod, type HeldRow, heldRows } from './digest.ts';
import { PAYLOADS } from './payloads.ts';

/** The maximum number of events that one message lists. */
const LISTED_MAXIMUM = 10;

/** The origin of links, and the time zone of the organization (IANA). */
interface Site {
  links: string;
  zone: string;
}

/** The title and the line of an event; undefined if chats get no message for it. */
function lineOf({ links, zone }: Site, { eventType, data }: Pick<StoredEvent, 'eventType' | 'data'>) {
  if (data === null) return undefined;
  if (eventType === 'ALERT_RAISED') return alertLine(presentAlert(links, parseJson(data)), zone);
  if (eventType !== 'SHIPMENT_STATUS_CHANGED') return undefined;
  const shipment = presentShipment(links, parseJson(data));
  // Deliveries of other statuses exist if the webhook had another format before.
  return shipment.status === 'COMPLETED' ? shipmentLine(shipment) : undefined;
}

/** The title and the line of the recorded example of an event type; undefined if chats get no message for it. */
function exampleLine(eventType: string) {
  const { data } = (PAYLOADS[eventType] ?? {}) as { data?: object };
  if (eventType === 'ALERT_RAISED') return alertLine(data as ShownAlert, 'UTC');
  return eventType === 'SHIPMENT_STATUS_CHANGED' ? shipmentLine(data as ShownShipment) : undefined;
}

/** The message of a test. With a type that chats get, it has the text of an example. */
function testMessage({ eventType, webhook: { uuid, name, linkOrigin } }: Tested): ChatMessage {
  const example = exampleLine(eventType);
  return messageOf({
    title: 'Test',
    text: example ? `Example of ${example.title}. ${example.text}` : 'Messages of this webhook arrive here.',
    facts: [`Webhook ${name}`],
    // The links of the example lead nowhere.
    link: deepLink(linkOrigin, 'webhook', uuid),
  });
}

/** The message about the events of quiet hours, without alerts that were resolved since; undefined if none is left. */
export function digestMessage(site: Site, rows: readonly HeldRow[]): ChatMessage | undefined {
  const left = rows.flatMap((row) => {
    const line = row.resolved === 0 && lineOf(site, row);
    return line ? [{ ...line, eventType: row.eventType }] : [];
  });
  const lines = left.slice(0, LISTED_MAXIMUM).map(({ eventType: _, ...line }) => line);
  const [first, ...others] = lines;
  if (first === undefined) return undefined;
  if (others.length === 0) return messageOf(first);
  const more = left.length - lines.length;
  const hasAlert = left.some(({ eventType }) => eventType === 'ALERT_RAISED');
  return {
    title: `${left.length} messages from the quiet hours${more > 0 ? ` (${more} not listed)` : ''}`,
    link: `${site.links}/app/${hasAlert ? 'alert?status=OPEN' : 'shipment?status=COMPLETED'}`,
    lines: lines.map(({ title, ...line }) => ({ ...line, text: `${title}. ${line.text}` })),
  };
}

/**
 * The format of a chat service, from the function that writes its bodies. The last event of quiet hours has the message
 * about all of them. The other ones have none.
 */
export const chatFormat = (bodyOf: (message: ChatMessage) => string): Format => ({
  async bodies(database, { uuid, linkOrigin }, events) {
    const { held, others, zone } = await byQuietPeriod(database, events);
    const site = { links: linkOrigin, zone };
    const bodies = new Map(
      others.flatMap((event): [number, string][] => {
        const line = lineOf(site, event);
        return line ? [[event.sequenceNumber, bodyOf(messageOf(line))]] : [];
      }),
    );
    for (const { period, events: ofPeriod } of held) {
      const rows = await database.all(heldRows(database, uuid, period));
      const last = rows[0]?.sequenceNumber;
      if (!ofPeriod.some(({ sequenceNumber }) => sequenceNumber === last)) continue;
      const message = digestMessage(site, rows);
      if (message) bodies.set(last!, bodyOf(message));
    }
    return bodies;
  },
  test: (tested) => bodyOf(testMessage(tested)),
});
