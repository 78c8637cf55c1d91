import { beforeEach, describe, expect, it } from 'vitest';
import type { Document } from '../../../contract/schema.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { db, deliveries, Receivers, register, until, verify } from '../webhook/receiver.ts';

let receivers: Receivers;
let dock: Dock;
beforeEach(async () => {
  receivers = new Receivers();
  dock = await loadingDock();
});

const eventsOf = (document: Document): Document[] => document.epcisBody.eventList;

async function listening(more: Record<string, unknown> = {}) {
  const hook = await register(dock, { format: 'EPCIS_2_0', ...more });
  receivers.at(hook.url, 200);
  return hook;
}

/** Wait until all events were handled. @returns the deliveries. */
async function settled(uuid: string): Promise<Document[]> {
  const { content } = (await dock.must('GET', '/event?limit=1000')).body;
  const last = content.at(-1).sequenceNumber;
  await until(async () => {
    const row = await db.prepare('SELECT position FROM webhook WHERE uuid = ?1').bind(uuid).first('position');
    return row === last;
  });
  await until(async () => (await deliveries(dock, uuid)).every(({ status }) => status !== 'PENDING'));
  return deliveries(dock, uuid);
}

/** All events of the query. */
const asked = async (): Promise<Document[]> =>
  (await dock.must('GET', '/epcis/events?perPage=1000')).body.epcisBody.queryResults.resultsBody.eventList;

describe('a webhook of the format EPCIS_2_0', () => {
  it('an EPCIS webhook receives exactly what the query shows, signed', async () => {
    const hook = await listening();
    expect(hook.format).toBe('EPCIS_2_0');
    await dock.scan('A');
    await dock.scan('B');
    await dock.scan('C', 'LOAD', { damaged: true });
    await dock.scan('C', 'UNLOAD');
    await dock.scan('X');
    await dock.scan('X', 'UNLOAD');
    await dock.scan('X');
    const { recordUuid } = (await dock.scan('X')).body;
    await dock.must('DELETE', `/shipment/S/asset-loading/${recordUuid}`);
    await dock.must('PATCH', '/shipment/S/asset-loading/track/A/status', {
      status: 'NOT_LOADED',
      gateExternalId: 'G',
    });
    await dock.scan('A');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    await dock.scan('B', 'OFFLOAD');
    const log = await settled(hook.uuid);

    const documents = receivers.received.map((received) => verify(hook.secret, received) as Document);
    const key = ({ eventID, errorDeclaration }: Document) => `${eventID}${errorDeclaration ? '!' : ''}`;
    const sent = new Map(documents.flatMap(eventsOf).map((event) => [key(event), event]));
    const shown = await asked();
    expect(shown.length).toBe(12);
    expect(sent).toEqual(new Map(shown.map((event) => [key(event), event])));
    for (const document of documents) {
      expect(Object.keys(document).sort()).toEqual([
        '@context',
        'creationDate',
        'epcisBody',
        'schemaVersion',
        'type',
      ]);
      expect([document.type, document.schemaVersion]).toEqual(['EPCISDocument', '2.0']);
      expect(eventsOf(document).length).toBeGreaterThan(0);
    }
    // Each event has one delivery. The delivery log also shows deliveries that were not sent.
    expect(new Set(log.map(({ eventType }) => eventType))).toEqual(
      new Set([
        'ASSET_LOADING_STATUS_CHANGED',
        'UNAUTHORIZED_LOADING_RESOLVED',
        'SHIPMENT_STATUS_CHANGED',
        'MANIFEST_STATUS_CHANGED',
      ]),
    );
    const skipped = log.filter(({ status }) => status === 'SKIPPED');
    expect(skipped.map(({ eventType, attemptsCount }) => [eventType, attemptsCount]).sort()).toEqual([
      ['MANIFEST_STATUS_CHANGED', 0],
      ['MANIFEST_STATUS_CHANGED', 0],
      ['UNAUTHORIZED_LOADING_RESOLVED', 0],
    ]);
    expect(documents).toHaveLength(log.length - skipped.length);
    const path = `/webhook/${hook.uuid}/delivery?status=`;
    expect((await dock.must('GET', `${path}SKIPPED`)).body.totalElements).toBe(3);
    expect((await dock.must('GET', `${path}SUCCEEDED`)).body.totalElements).toBe(documents.length);
  });

  it('an EPCIS webhook receives the same document under the same id until it accepts it', async () => {
    const hook = await listening();
    let answers = 0;
    receivers.at(hook.url, () => new Response('', { status: ++answers < 3 ? 500 : 200 }));
    await dock.scan('A');
    await settled(hook.uuid);
    const ids = receivers.received.map(({ headers }) => headers.get('webhook-id'));
    expect([new Set(ids).size, receivers.received.length]).toEqual([1, 3]);
    expect(new Set(receivers.received.map(({ body }) => body)).size).toBe(1);
  });

  it('an EPCIS webhook receives each change of a batch that changes a pallet several times', async () => {
    const hook = await listening();
    const scans = ['LOAD', 'UNLOAD', 'LOAD'].map((direction, index) => ({
      scanId: `several-${index}`,
      markerCode: dock.codes['A'],
      direction,
      damaged: index === 1,
    }));
    expect((await dock.device('POST', '/gate/G/scans', { scans })).status).toBe(200);
    await settled(hook.uuid);
    const steps = (events: Document[]) =>
      events.map(({ eventID, bizStep }) => `${bizStep} ${eventID}`).sort();
    const shown = steps(await asked());
    expect(shown.map((step) => step.split(' ')[0])).toEqual([
      'inspecting',
      'loading',
      'loading',
      'unloading',
    ]);
    expect([...new Set(receivers.received.flatMap(({ event }) => steps(eventsOf(event))))].sort()).toEqual(
      shown,
    );
  });

  it('an EPCIS webhook receives a pallet without a marker, and skips an empty departure', async () => {
    dock = await newDock({ dispatchStrategy: 'MANIFEST' });
    const hook = await listening();
    await dock.manifest('M', 'Z');
    await dock.manifest('E', 'Y');
    for (const name of ['M', 'E'])
      for (const step of ['status/TO_DO', 'gate/G', 'status/IN_PROGRESS'])
        await dock.must('POST', `/manifest/${name}/${step}`);
    const path = '/manifest/M/asset-loading/track/Z/status';
    await dock.must('PATCH', path, { status: 'LOADED', gateExternalId: 'G' });
    for (const name of ['M', 'E']) await dock.must('POST', `/manifest/${name}/status/COMPLETED`);
    const log = await settled(hook.uuid);
    expect(log.map(({ eventType, status }) => [eventType, status])).toEqual([
      ['ASSET_LOADING_STATUS_CHANGED', 'SUCCEEDED'],
      ['MANIFEST_STATUS_CHANGED', 'SUCCEEDED'],
      ['MANIFEST_STATUS_CHANGED', 'SKIPPED'],
    ]);
    const sent = receivers.received.flatMap(({ event }) => eventsOf(event));
    expect(sent.map(({ bizStep, epcList, childEPCs }) => [bizStep, (epcList ?? childEPCs).length])).toEqual([
      ['loading', 1],
      ['shipping', 1],
    ]);
    expect(await asked()).toEqual(sent);
  });

  it("a replay uses the webhook's current format", async () => {
    const hook = await listening({ format: 'EVENT' });
    await dock.scan('A');
    await settled(hook.uuid);
    const before = receivers.received.length;
    expect(receivers.received.at(-1)!.event.data.loadingStatus).toBe('LOADED');
    const changed = await dock.must('PUT', `/webhook/${hook.uuid}`, { format: 'EPCIS_2_0' });
    expect(changed.body.format).toBe('EPCIS_2_0');
    const range = { sequenceNumberFrom: 1, sequenceNumberTo: 1_000 };
    const { body } = await dock.must('POST', `/webhook/${hook.uuid}/replay`, range);
    expect(body.deliveriesCount).toBe(1);
    await until(() => receivers.received.length > before);
    expect(eventsOf(receivers.received.at(-1)!.event)).toEqual(await asked());
    for (const format of ['EPCIS', '', 5])
      expect((await dock.call('PUT', `/webhook/${hook.uuid}`, { format })).status).toBe(400);
  });

  it('a test of an EPCIS webhook is a document without events', async () => {
    const hook = await listening();
    await dock.must('POST', `/webhook/${hook.uuid}/test`);
    await dock.must('POST', `/webhook/${hook.uuid}/test`, { eventType: 'SHIPMENT_STATUS_CHANGED' });
    await until(() => receivers.received.length === 2);
    for (const received of receivers.received) {
      const document = verify(hook.secret, received) as Document;
      expect([document.type, eventsOf(document)]).toEqual(['EPCISDocument', []]);
    }
  });
});
