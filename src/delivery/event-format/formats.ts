import { sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import type { Database } from '../../core/lib/database.ts';
import { parseJson } from '../../core/lib/json.ts';
import { inList } from '../../core/lib/sql.ts';
import { isoDate } from '../../core/lib/time.ts';
import { clockIn, formatIn, offsetIn } from '../../core/lib/zone.ts';
import { rowIdOf } from '../../core/writer/numbers.ts';
import { presentAlert } from '../../dispatch/alert/store.ts';
import { presentGate } from '../../dispatch/gate/store.ts';
import { presentManifest } from '../../dispatch/load/manifest/store.ts';
import { presentRecord } from '../../dispatch/load/shared/asset-store.ts';
import { presentShipment } from '../../dispatch/load/shipment/store.ts';
import { presentPhoto } from '../../dispatch/photo/store.ts';
import { presentTrack } from '../../dispatch/track/store.ts';
import { eventPresenter, type StoredEvent } from '../../log/event/present.ts';
import { presentRewind } from '../../log/event/rewind.ts';
import { presentOperation } from '../../log/operation/store.ts';
import { localeOf } from '../../messages/languages.ts';
import { epcisDocument, epcisOf } from '../epcis/document.ts';
import { HAS_COUNTERPART } from '../webhook/changes.ts';
import { CONFIRMATION_EVENT_TYPE, TEST_EVENT_TYPE } from '../webhook/schema.ts';
import type { Format, Formats, Tested } from '../webhook/send.ts';
import {
  alertLine,
  type ChatMessage,
  confirmationBody,
  mailBody,
  messageOf,
  type ShownAlert,
  type ShownShipment,
  shipmentLine,
  slackBody,
  teamsBody,
} from './chat.ts';
import recorded from './payloads.json' with { type: 'json' };

/** An event that a message lists. */
interface ListedRow {
  eventType: StoredEvent['eventType'];
  data: NonNullable<StoredEvent['data']>;
}

/** The events that one message lists, and the numbers of all of them. */
interface Digest {
  /** The latest events, the latest first. */
  rows: readonly ListedRow[];
  /** The number of all events, without alerts that were resolved. */
  total: number;
  hasAlert: boolean;
  /** When the first one happened, in epoch milliseconds. */
  since: number;
}

/** A delivery of a digest: the first one has the message, and the message lists the others. */
interface InDigest {
  sequenceNumber: number;
  uuid: string;
  /** Whether this delivery has the message. */
  leads: 0 | 1;
}

/**
 * Read the deliveries of these events that belong to digests, by sequence number. Also read the time zone of the
 * organization (IANA).
 */
async function readDeliveries(
  database: Database,
  webhook: string,
  events: readonly StoredEvent[],
): Promise<{ zone: string; deliveries: Map<number, InDigest> }> {
  const { organization } = database;
  const rows = await database.all(sql<{ zone: string } & (InDigest | { uuid: null })>`
    SELECT o.time_zone AS zone, d.sequence_number AS "sequenceNumber", d.uuid, d.digest_uuid = d.uuid AS leads
    FROM organization o LEFT JOIN webhook_delivery d ON d.organization_uuid = o.uuid AND d.webhook_uuid = ${webhook}
      AND d.sequence_number ${inList(events.map(({ sequenceNumber }) => sequenceNumber))}
      AND d.digest_uuid IS NOT NULL
    WHERE o.uuid = ${organization}`);
  return {
    zone: rows[0]?.zone ?? 'UTC',
    deliveries: new Map(rows.flatMap((row) => (row.uuid === null ? [] : [[row.sequenceNumber, row]]))),
  };
}

/** Read the events that the message of a delivery lists; undefined if none is left. */
async function readDigest(
  database: Database,
  webhook: string,
  leader: string,
  maximum: number,
): Promise<Digest | undefined> {
  const { organization } = database;
  const rows = await database.all(sql<
    ListedRow & Omit<Digest, 'rows' | 'hasAlert'> & { hasAlert: 0 | 1 }
  >`SELECT e.event_type AS "eventType", e.data, count(*) OVER () AS total,
      max(e.event_type = 'ALERT_RAISED') OVER () AS "hasAlert", min(e.event_date) OVER () AS since
    FROM (SELECT sequence_number AS number FROM webhook_delivery WHERE digest_uuid = ${leader}
      AND +organization_uuid = ${organization} AND +webhook_uuid = ${webhook}) d
    CROSS JOIN event e ON e.id = ${rowIdOf(database, sql`d.number`)}
    LEFT JOIN alert a ON e.entity_type = 'ALERT' AND a.uuid = e.entity_uuid
    WHERE e.data IS NOT NULL AND ${HAS_COUNTERPART.SLACK} AND coalesce(a.status <> 'RESOLVED', 1)
    ORDER BY d.number DESC LIMIT ${maximum}`);
  const [first] = rows;
  if (!first) return undefined;
  const { total, hasAlert, since } = first;
  return { rows, total, hasAlert: hasAlert === 1, since };
}

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
  const time = formatIn(zone, localeOf('en'), { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return `${time} ${offset === 'UTC' ? offset : `UTC${offset}`}`;
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
function digestMessage(site: Site, { rows, total, hasAlert, since }: Digest): ChatMessage {
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
const chatFormat = (bodyOf: (message: ChatMessage) => string): Format => ({
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

/**
 * An example of each event type, as a webhook receives it. They are recorded on the dispatch day of `test/e2e/docs` and
 * are the data of test deliveries.
 */
export const PAYLOADS = recorded as Record<string, object>;

/** Presents events. Each module presents its own things. */
export const presentEvent = eventPresenter({
  TRACK: presentTrack,
  MANIFEST: presentManifest,
  SHIPMENT: presentShipment,
  ASSET_LOADING: presentRecord,
  GATE: presentGate,
  ALERT: presentAlert,
  PHOTO: presentPhoto,
  OPERATION: presentOperation,
  ORGANIZATION: presentRewind,
});

/** The data of a test: none, or the recorded example of its type. */
function about({ eventType, webhook: { uuid, name } }: Tested): object {
  if (eventType !== TEST_EVENT_TYPE) return PAYLOADS[eventType]!;
  return { entityType: 'WEBHOOK', entityUuid: uuid, entityExternalId: name, data: null, error: null };
}

const mailFormat = chatFormat(mailBody);

/** Makers of delivery bodies by format. */
export const formats: Formats = {
  EVENT: {
    async bodies({ organization }, { linkOrigin }, events) {
      return new Map(
        events.map((event) => [
          event.sequenceNumber,
          JSON.stringify(presentEvent(linkOrigin, organization, event)),
        ]),
      );
    },
    test: (tested) =>
      JSON.stringify({
        ...about(tested),
        eventIdentifier: tested.eventIdentifier,
        eventType: tested.eventType,
        eventDate: isoDate(tested.eventDate),
        sequenceNumber: null,
        organizationUuid: tested.organizationUuid,
        operationId: null,
      }),
  },
  EPCIS_2_0: {
    async bodies(database, { linkOrigin }, events) {
      const documents = await epcisOf(database, linkOrigin, events);
      return new Map(
        events.flatMap(({ sequenceNumber, eventDate }): [number, string][] => {
          const shown = documents.get(sequenceNumber)!;
          return shown.length === 0 ? [] : [[sequenceNumber, epcisDocument(shown, eventDate)]];
        }),
      );
    },
    // An example would be taken for something that happened, as EPCIS cannot mark it as a test.
    test: ({ eventDate }) => epcisDocument([], eventDate),
  },
  SLACK: chatFormat(slackBody),
  TEAMS: chatFormat(teamsBody),
  EMAIL: {
    ...mailFormat,
    test: (tested) =>
      tested.eventType === CONFIRMATION_EVENT_TYPE
        ? confirmationBody(tested.webhook.sender)
        : mailFormat.test(tested),
  },
};
