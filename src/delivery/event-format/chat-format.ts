import { deepLink } from '../../core/http/link.ts';
import { parseJson } from '../../core/lib/json.ts';
import { clockIn, offsetIn } from '../../core/lib/zone.ts';
import { presentAlert } from '../../dispatch/alert/store.ts';
import { presentShipment } from '../../dispatch/load/shipment/store.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import { wordsIn } from '../../messages/words.ts';
import type { Format, Tested } from '../webhook/format.ts';
import {
  alertLine,
  type ChatMessage,
  messageOf,
  type ShownAlert,
  type ShownShipment,
  shipmentLine,
} from './chat.ts';
import { type Digest, readDeliveries, readDigest } from './digest.ts';
import { PAYLOADS } from './payloads.ts';

/** The maximum number of events that one message lists. */
const LISTED_MAXIMUM = 10;

/** The origin of links, and the time zone of the organization (IANA). */
interface Site {
  links: string;
  zone: string;
}

/** An instant in a zone (IANA), with its offset: `26 Nov 2026, 15:30 UTC+01:00`. Readers may be in another zone. */
function siteTime(zone: string, at: number): string {
  const offset = offsetIn(zone, at);
  return `${wordsIn('en').time(zone, at)} ${offset === 'UTC' ? offset : `UTC${offset}`}`;
}

/** The title and the line of an event; undefined if chats get no message for it. */
export function lineOf({ links, zone }: Site, { eventType, data }: Pick<StoredEvent, 'eventType' | 'data'>) {
  if (data === null) return undefined;
  if (eventType === 'ALERT_RAISED')
    return alertLine(presentAlert(links, parseJson(data), (at) => siteTime(zone, at)));
  if (eventType !== 'SHIPMENT_STATUS_CHANGED') return undefined;
  const shipment = presentShipment(links, parseJson(data));
  // Deliveries of other statuses exist if the webhook had another format before.
  return shipment.status === 'COMPLETED' ? shipmentLine(shipment) : undefined;
}

/** The title and the line of the recorded example of an event type; undefined if chats get no message for it. */
function exampleLine(eventType: string) {
  const { data } = (PAYLOADS[eventType] ?? {}) as { data?: object };
  if (eventType === 'ALERT_RAISED') return alertLine(data as ShownAlert);
  return eventType === 'SHIPMENT_STATUS_CHANGED' ? shipmentLine(data as ShownShipment) : undefined;
}

/** The message of a test. If chats get messages for its event type, it has the text of an example. */
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

/** The message about several events. */
export function digestMessage(site: Site, { rows, total, hasAlert, since }: Digest): ChatMessage {
  const found = rows.flatMap((row) => lineOf(site, row) ?? []);
  const [first] = found;
  if (first && total === 1) return messageOf(first);
  const more = total - found.length;
  return {
    title: `${total} messages since ${clockIn(site.zone, since)}${more > 0 ? ` (${more} not listed)` : ''}`,
    link: `${site.links}/app/${hasAlert ? 'alert?status=OPEN' : 'shipment?status=COMPLETED'}`,
    lines: found.map(({ title, ...line }) => ({ ...line, text: `${title}. ${line.text}` })),
  };
}

/**
 * The format of a chat service, from the function that writes its bodies. The message of a delivery that leads lists
 * other events. These have no message of their own.
 */
export const chatFormat = (bodyOf: (message: ChatMessage) => string): Format => ({
  async bodies(database, { uuid, linkOrigin }, events) {
    const { zone, deliveries } = await readDeliveries(database, uuid, events);
    const site = { links: linkOrigin, zone };
    const bodies = new Map<number, string>();
    for (const event of events) {
      const delivery = deliveries.get(event.sequenceNumber);
      if (delivery?.leads === 0) continue;
      if (delivery) {
        const digest = await readDigest(database, uuid, delivery.uuid, LISTED_MAXIMUM);
        if (digest) bodies.set(event.sequenceNumber, bodyOf(digestMessage(site, digest)));
        continue;
      }
      const line = lineOf(site, event);
      if (line) bodies.set(event.sequenceNumber, bodyOf(messageOf(line)));
    }
    return bodies;
  },
  test: (tested) => bodyOf(testMessage(tested)),
});
