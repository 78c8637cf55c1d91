import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TYPES } from '../../../src/log/event/table.ts';
import type { Document } from '../../contract/schema.ts';
import type { Receivers } from '../receivers.ts';
import { PALLETS } from './names.ts';
import type { Recorder } from './recorder.ts';

/**
 * How many organizations are tried to get a failed coupling. It fails only if two couplings are accepted at the same
 * instant.
 */
const ATTEMPTS = 100;
/**
 * Couplings of one pallet that are sent at once. On a busy machine the first often ends before the second arrives.
 */
const AT_ONCE = 32;
/** Longest wait for a delivery. */
const ARRIVAL_MS = 15_000;
const FAILED = 'COUPLING_FAILED';
const REWOUND = 'STORE_REWOUND';

/** Records a payload of each event type from the log of the day. The test payload comes from the receiver. */
export async function keepPayloads(day: Recorder, receivers: Receivers): Promise<void> {
  const { content } = await day.until('listEvents', { query: { limit: '1000' } }, () => true);
  for (const eventType of EVENT_TYPES.filter((type) => type !== FAILED && type !== REWOUND)) {
    const events = content.filter((event: Document) => event.eventType === eventType);
    // The departure is the change of status that most receivers wait for. Otherwise the last event with data shows the most.
    const departed = ({ data }: Document) => (data?.status ?? data?.manifestStatus) === 'COMPLETED';
    day.payload(
      eventType,
      events.findLast(departed) ?? events.findLast(({ data }: Document) => data !== null),
    );
  }
  // On a good day the store is not restored from a backup, so this payload is written by hand.
  const [event] = content;
  day.payload(REWOUND, {
    ...event,
    eventType: REWOUND,
    operationId: null,
    entityType: 'ORGANIZATION',
    entityUuid: event.organizationUuid,
    entityExternalId: null,
    data: { lastSequenceNumber: 2, lostSequenceNumber: 1_040, nextMarkerCode: 1_000_000_012 },
    error: null,
  });
  const received = async (isMeant: (body: Document) => boolean): Promise<Document> => {
    for (const deadline = Date.now() + ARRIVAL_MS; Date.now() < deadline; await sleep(20)) {
      const body = receivers.received.map((one): Document => JSON.parse(one.body)).find(isMeant);
      if (body) return body;
    }
    throw new Error('a delivery did not arrive');
  };
  day.payload('WEBHOOK_TEST', await received(({ eventType }) => eventType === 'WEBHOOK_TEST'));
  const left = ({ epcisBody }: Document) => epcisBody?.eventList[0]?.bizStep === 'shipping';
  day.payload('EPCIS_2_0', await received(left));
}

/**
 * If several couplings of one pallet are accepted at the same instant, all but one fail. Each attempt uses a new
 * organization.
 */
export async function failedCoupling(day: Recorder): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const failed = await tryToFail(day, `acme-${attempt}`);
    if (failed) return day.payload(FAILED, failed);
  }
  throw new Error('no coupling failed');
}

async function tryToFail(day: Recorder, slug: string): Promise<object | undefined> {
  const { uuid } = await day.ask('createOrganization', { body: { name: 'Acme Foods', slug } });
  const { secret } = await day.ask('createApiKey', {
    params: { organizationUuid: uuid },
    body: { name: 'WMS' },
  });
  day.use('apiKey', secret);
  const { entries } = await day.ask('allocateMarkers', {
    query: { quantity: `${AT_ONCE}`, imageDelivery: 'URL' },
  });
  const couple = ({ markerCode }: Document) =>
    day
      .ask('coupleTrack', { query: { async: 'true' }, body: { markerCode, wmsId: PALLETS.torn } })
      .catch(() => undefined);
  const accepted = (await Promise.all(entries.map(couple))).filter((answer) => answer !== undefined);
  for (const { operationId } of accepted) {
    await day.until('getOperation', { params: { operationId } }, ({ finishDate }) => finishDate !== null);
  }
  const { content } = await day.ask('listEvents', {});
  return content.find((event: Document) => event.eventType === FAILED);
}
