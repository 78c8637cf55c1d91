import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TYPES } from '../../../src/log/event/table.ts';
import type { Document } from '../../contract/schema.ts';
import type { Receivers } from '../receivers.ts';
import { PALLETS } from './names.ts';
import type { Recorder } from './recorder.ts';

/** Organizations that are tried for a coupling that fails: it takes two that are accepted at the same instant. */
const ATTEMPTS = 100;
/** Couplings of one pallet that are sent at once: on a busy machine the first often ends before the second arrives. */
const AT_ONCE = 32;
/** How long a delivery may take. */
const ARRIVAL_MS = 15_000;
const FAILED = 'COUPLING_FAILED';
const REWOUND = 'STORE_REWOUND';

/** What webhooks are sent of every type, as the log of the day has it; of a test, as it was received. */
export async function keepPayloads(day: Recorder, receivers: Receivers): Promise<void> {
  const { content } = await day.until('listEvents', { query: { limit: '1000' } }, () => true);
  for (const eventType of EVENT_TYPES.filter((type) => type !== FAILED && type !== REWOUND)) {
    const events = content.filter((event: Document) => event.eventType === eventType);
    // The richest: of a manifest that is planned there is less to see.
    day.payload(
      eventType,
      events.findLast((event: Document) => event.data !== null),
    );
  }
  // Nobody puts the store back on a good day: written by hand.
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

/** Of couplings of one pallet that are accepted at the same instant, all but one fail. In organizations of their own. */
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
