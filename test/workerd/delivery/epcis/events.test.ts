import { describe, expect, it } from 'vitest';
import type { Document } from '../../../contract/schema.ts';
import { operator } from '../../client.ts';
import { type Dock, loadingDock, newDock } from '../../dispatch/load/shipment/dock.ts';

const SSCC = '340123450000000017';

interface Told {
  events: Document[];
  next: string | undefined;
}

async function asked(dock: Dock, query = ''): Promise<Told> {
  const { body, headers } = await dock.must('GET', `/epcis/events${query}`);
  const link = /nextPageToken=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1];
  return { events: body.epcisBody.queryResults.resultsBody.eventList, next: link };
}

/** Events in short: step, the last part of each EPC, and whether they declare an error. */
const brief = (events: Document[]): string[] =>
  events.map(({ bizStep, epcList, childEPCs, errorDeclaration }) => {
    const epcs = (epcList ?? childEPCs).map((epc: string) => epc.split('/').at(-1)).sort();
    return `${bizStep} ${epcs}${errorDeclaration ? ' in error' : ''}`;
  });

async function played(): Promise<Dock> {
  const dock = await loadingDock();
  const scanDate = new Date(Date.now() - 3_600_000).toISOString();
  await dock.scan('A', 'LOAD', { scanDate });
  await dock.scan('B');
  await dock.scan('C', 'LOAD', { damaged: true });
  await dock.scan('C', 'UNLOAD');
  await dock.must('PATCH', '/shipment/S/asset-loading/track/A/status', {
    status: 'NOT_LOADED',
    gateExternalId: 'G',
  });
  await dock.scan('A');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  return dock;
}

const DAY = [
  'loading A',
  'loading B',
  'loading B',
  'loading C',
  'inspecting C',
  'unloading C',
  'loading A in error',
  'loading A',
  'shipping A,B',
];

describe('GET /epcis/events', () => {
  it('GET /epcis/events lists each occurrence once in commit order with stable ids', async () => {
    const dock = await played();
    const { events, next } = await asked(dock);
    expect([brief(events), next]).toEqual([DAY, undefined]);
    const [first] = events;
    expect(Date.parse(first.recordTime) - Date.parse(first.eventTime)).toBeGreaterThan(3_500_000);
    const declared = events.find(({ errorDeclaration }) => errorDeclaration);
    expect(declared.eventID).toBe(first.eventID);
    const ids = events.filter((event) => event !== declared).map(({ eventID }) => eventID);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await asked(dock)).events).toEqual(events);
  });

  it('GET /epcis/events makes one call of the database, like other lists', async () => {
    const dock = await played();
    const calls = async (path: string): Promise<string> => {
      const { headers } = await dock.must('GET', path);
      return /(\d+) round trips/.exec(headers.get('Server-Timing')!)![1]!;
    };
    expect([await calls('/manifest'), await calls('/epcis/events')]).toEqual(['1', '1']);
  });

  it('GET /epcis/events walks page by page without a gap', async () => {
    const dock = await played();
    const whole = (await asked(dock)).events;
    for (const perPage of [1, 2, 4, 8, 9]) {
      const walked: Document[] = [];
      let token = '';
      for (;;) {
        const { events, next } = await asked(dock, `?perPage=${perPage}${token}`);
        walked.push(...events);
        expect(events.length).toBeLessThanOrEqual(perPage);
        if (next === undefined) break;
        token = `&nextPageToken=${next}`;
      }
      expect(walked).toEqual(whole);
    }
    expect((await dock.call('GET', '/epcis/events?nextPageToken=abc')).status).toBe(400);
  });

  it('GET /epcis/events keeps commit order across pages, and corrects what happened before pallets had a marker', async () => {
    const dock = await newDock();
    await dock.couple('A');
    await dock.manifest('M', 'A', 'Y', 'Z');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    const mark = (wmsId: string, status: string) =>
      dock.must('PATCH', `/shipment/S/asset-loading/track/${wmsId}/status`, { status, gateExternalId: 'G' });
    for (const wmsId of ['Y', 'Z']) await mark(wmsId, 'LOADED');
    await dock.couple('Y', 'Z');
    for (const wmsId of ['Y', 'Z']) await mark(wmsId, 'NOT_LOADED');
    await dock.scan('A');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const found: Document[] = [];
    let token = '';
    for (;;) {
      const { events, next } = await asked(dock, `?perPage=1${token}`);
      found.push(...events);
      if (next === undefined) break;
      token = `&nextPageToken=${next}`;
    }
    expect(brief(found)).toEqual([
      'loading Y',
      'loading Z',
      'loading Y in error',
      'loading Z in error',
      'loading A',
      'shipping A',
    ]);
    expect(found.slice(2, 4).map(({ eventID }) => eventID)).toEqual(
      found.slice(0, 2).map(({ eventID }) => eventID),
    );
  });

  it('GET /epcis/events finds a pallet whose track is deleted or replaced', async () => {
    const dock = await played();
    const { events } = await asked(dock);
    const query = `?MATCH_epc=${encodeURIComponent(events[0].epcList[0])}`;
    const before = (await asked(dock, query)).events;
    expect(brief(before)).toEqual(['loading A', 'loading A in error', 'loading A', 'shipping A,B']);
    await dock.must('DELETE', '/track/A');
    expect((await asked(dock, query)).events).toEqual(before);
    await dock.couple('A');
    await dock.must('PATCH', '/track/A/flag', { damaged: true });
    expect(brief((await asked(dock, query)).events)).toEqual([...brief(before), 'inspecting A']);
    expect((await asked(dock)).events.slice(0, DAY.length)).toEqual(events);
  });

  it('GET /epcis/events filters by times, step and pallet', async () => {
    const dock = await played();
    const { events } = await asked(dock);
    const filtered = async (query: string) => brief((await asked(dock, query)).events);
    const late = events[1].eventTime;
    expect(await filtered(`?LT_eventTime=${late}`)).toEqual(['loading A', 'loading A in error']);
    expect(await filtered(`?GE_eventTime=${late}`)).toEqual(
      DAY.filter((found, index) => index > 0 && !found.endsWith('in error')),
    );
    const committed = events.at(-1).recordTime;
    expect(await filtered(`?GE_recordTime=${committed}`)).toEqual(['shipping A,B']);
    expect(await filtered(`?LT_recordTime=${committed}`)).toEqual(DAY.slice(0, -1));
    expect(await filtered('?EQ_bizStep=shipping')).toEqual(['shipping A,B']);
    expect(await filtered('?EQ_bizStep=https://ref.gs1.org/cbv/BizStep-unloading,inspecting')).toEqual([
      'inspecting C',
      'unloading C',
    ]);
    expect(await filtered('?EQ_bizStep=receiving')).toEqual([]);
    const epc = encodeURIComponent(events[1].epcList[0]);
    expect(await filtered(`?MATCH_epc=${epc}`)).toEqual(['loading B', 'loading B', 'shipping A,B']);
    expect(await filtered('?MATCH_epc=https://id.gs1.org/00/1')).toEqual([]);
  });

  it('GET /epcis/events names pallets by SSCC and gates by GLN where known', async () => {
    const dock = await newDock();
    await dock.couple(SSCC);
    await dock.manifest('M', SSCC);
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.scan(SSCC);
    const gate = (gln: unknown) => operator('PUT', `/organization/${dock.uuid}/gate/G`, { name: 'G', gln });
    for (const gln of ['9521234000007', '123', '', 5, '９５２１２３４０００００６']) {
      expect([gln, (await gate(gln)).status]).toEqual([gln, 400]);
    }
    const own = (await asked(dock)).events[0].readPoint.id;
    expect(own).toMatch(/^http:\/\/127.0.0.1:8787\/epc\/.+\/gate\/.+/);
    expect((await gate('9521234000006')).body.gln).toBe('9521234000006');
    expect((await operator('PUT', `/organization/${dock.uuid}/gate/G`, { name: 'G' })).body.gln).toBe(
      '9521234000006',
    );
    const [event] = (await asked(dock)).events;
    expect([event.epcList, event.readPoint.id]).toEqual([
      [`https://id.gs1.org/00/${SSCC}`],
      'https://id.gs1.org/414/9521234000006',
    ]);
    expect((await gate(null)).body.gln).toBeNull();
  });

  it('GET /epcis/events finds a pallet by its GS1 URI in whichever spelling of the SSCC it is stored', async () => {
    const dock = await newDock();
    const stored = [`00${SSCC}`, '(00)340123450000000024'];
    await dock.couple(...stored);
    await dock.manifest('M', ...stored);
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    for (const wmsId of stored) await dock.scan(wmsId);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const uris = [SSCC, '340123450000000024'].map((sscc) => `https://id.gs1.org/00/${sscc}`);
    const { events } = await asked(dock);
    expect(events.map(({ epcList, childEPCs }) => epcList ?? [...childEPCs].sort())).toEqual([
      [uris[0]],
      [uris[1]],
      uris,
    ]);
    const own = (name: string) => `https://any.host/epc/${dock.uuid}/pallet/${encodeURIComponent(name)}`;
    const forms = [
      ...[uris[0]!, 'urn:epc:id:sscc:4012345.3000000001', own(`00${SSCC}`), own(SSCC)],
      'urn:epc:raw:96.x3114F4E4E4B2D05E01000000',
    ];
    for (const epc of forms) {
      const found = (await asked(dock, `?MATCH_epc=${encodeURIComponent(epc)}`)).events;
      expect([epc, found]).toEqual([epc, [events[0], events[2]]]);
    }
  });

  it("GET /epcis/events gives times with the offset of the organization's time zone", async () => {
    const dock = await played();
    const settings = (await operator('GET', `/organization/${dock.uuid}`)).body;
    await operator('PUT', `/organization/${dock.uuid}`, { ...settings, timeZone: 'Asia/Kathmandu' });
    const { events } = await asked(dock);
    expect(new Set(events.map(({ eventTimeZoneOffset }) => eventTimeZoneOffset))).toEqual(
      new Set(['+05:45']),
    );
    expect(events).toHaveLength(DAY.length);
  });

  it.each([
    ['EQ_bizStep=Loading', 'EQ_bizStep[0]', 'Loading'],
    ['EQ_bizStep=loading,LOADING', 'EQ_bizStep[1]', 'LOADING'],
    [
      'EQ_bizStep=https://ref.gs1.org/cbv/BizStep-Loading',
      'EQ_bizStep[0]',
      'https://ref.gs1.org/cbv/BizStep-Loading',
    ],
    ['EQ_bizStep=', 'EQ_bizStep[0]', ''],
    [`MATCH_epc=${SSCC}`, 'MATCH_epc[0]', SSCC],
    [`MATCH_epc=https://id.gs1.org/00/${SSCC},(00)${SSCC}`, 'MATCH_epc[1]', `(00)${SSCC}`],
    ['MATCH_epc=PALLET-1', 'MATCH_epc[0]', 'PALLET-1'],
    ['MATCH_epc=3174257BF4499602D2000000', 'MATCH_epc[0]', '3174257BF4499602D2000000'],
    [
      'MATCH_epc=PALLET-1&MATCH_epc=urn:epc:idpat:sscc:4012345.*',
      'MATCH_epc[1]',
      'urn:epc:idpat:sscc:4012345.*',
    ],
    ['GE_eventTime=yesterday', 'GE_eventTime', 'yesterday'],
    ['perPage=0', 'perPage', '0'],
    ['nextPageToken=abc', 'nextPageToken', 'abc'],
  ])('GET /epcis/events refuses ?%s and repeats the value', async (query, field, rejectedValue) => {
    const dock = await newDock();
    const { status, body } = await dock.call('GET', `/epcis/events?${query}`);
    expect(status).toBe(400);
    const item = body.errors.find((error: Document) => error.field === field);
    expect([item.rejectedValue, item.message.length > 10]).toEqual([rejectedValue, true]);
    if (field.startsWith('EQ_bizStep')) expect(item.allowedValues).toContain('loading');
    if (rejectedValue.startsWith('3174'))
      expect(item.message).toContain('https://id.gs1.org/00/106141412345678908');
    if (rejectedValue.endsWith(SSCC)) expect(item.message).toContain(`https://id.gs1.org/00/${SSCC}`);
  });

  it('GET /epcis/events shows a departure as it left, without later changes', async () => {
    const dock = await played();
    const left = (await asked(dock, '?EQ_bizStep=shipping')).events;
    await dock.scan('A', 'OFFLOAD');
    await dock.must('PATCH', '/shipment/S/asset-loading/track/C/status', {
      status: 'LOADED',
      gateExternalId: 'G',
    });
    await dock.must('PATCH', '/shipment/S/asset-loading/track/B/status', {
      status: 'NOT_LOADED',
      gateExternalId: 'G',
    });
    expect((await asked(dock, '?EQ_bizStep=shipping')).events).toEqual(left);
    expect(brief((await asked(dock)).events).slice(DAY.length)).toEqual([
      'unloading A',
      'loading C',
      'loading B in error',
      'loading B in error',
    ]);
  });

  it('GET /epcis/events shows when and at which gate a pallet without a marker was loaded and taken off', async () => {
    const dock = await newDock();
    await dock.manifest('M', SSCC, 'Z');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    for (const [scanId, identifier, direction] of [
      ['u1', SSCC, 'LOAD'],
      ['u2', 'Z', 'LOAD'],
      ['u3', SSCC, 'UNLOAD'],
      ['u4', SSCC, 'LOAD'],
    ])
      await dock.device('POST', '/gate/G/scan', { scanId, identifier, direction });
    const before = await asked(dock);
    expect(before.events.map(({ bizStep, epcList }) => [bizStep, epcList.length])).toEqual(
      ['loading', 'loading', 'unloading', 'loading'].map((step) => [step, 1]),
    );
    const { uuid } = (await dock.must('GET', '/gate/G')).body;
    expect(before.events.every(({ readPoint }) => readPoint.id.includes(uuid))).toBe(true);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    // Markers, later orders and the end of the order change nothing of it.
    await dock.couple(SSCC);
    const { events } = await asked(dock);
    expect(events.slice(0, 4)).toEqual(before.events);
    const [epc] = before.events[0].epcList;
    const own = await asked(dock, `?MATCH_epc=${encodeURIComponent(epc)}`);
    expect(own.events).toEqual(
      events.filter(({ epcList, childEPCs }) => (epcList ?? childEPCs).includes(epc)),
    );
    expect(own.events).toHaveLength(4);
  });

  it('GET /epcis/events does not say that a wrong pallet left the truck when its truck gets its order', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B');
    await dock.manifest('M', 'A');
    await dock.manifest('W', 'B', SSCC);
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.scan('B');
    await dock.device('POST', '/gate/G/scan', { scanId: 'w', identifier: SSCC, direction: 'LOAD' });
    for (const pallet of ['B', SSCC]) await dock.must('POST', `/manifest/M/track-record/${pallet}`);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    expect(brief((await asked(dock)).events)).toEqual(['loading B', `loading ${SSCC}`, `shipping ${SSCC},B`]);
    const types = (await dock.must('GET', '/track/B/activity')).body.content.map(
      ({ activityType }: Document) => activityType,
    );
    expect(types).not.toContain('UNLOADED');
  });

  it('GET /epcis/events keeps the loading of a pallet whose order left the load while it was aboard', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B', 'C');
    await dock.manifest('M', 'A', 'B');
    await dock.manifest('N', 'C');
    await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.scan('B');
    await dock.scan('C');
    await dock.must('DELETE', '/manifest/M/track-record/B');
    await dock.must('POST', '/manifest/N/status/CANCELLED');
    for (const pallet of ['B', 'C']) await dock.scan(pallet, 'UNLOAD');
    expect(brief((await asked(dock)).events)).toEqual([
      'loading B',
      'loading C',
      'unloading B',
      'unloading C',
    ]);
  });

  it('GET /epcis/events shows a single manifest that left', async () => {
    const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
    await dock.couple('A');
    await dock.manifest('M', 'A', 'Z');
    for (const step of ['status/TO_DO', 'gate/G', 'status/IN_PROGRESS'])
      await dock.must('POST', `/manifest/M/${step}`);
    await dock.scan('A');
    await dock.must('PATCH', '/manifest/M/asset-loading/track/Z/status', {
      status: 'LOADED',
      gateExternalId: 'G',
    });
    await dock.must('POST', '/manifest/M/status/COMPLETED');
    const { events } = await asked(dock);
    expect(brief(events)).toEqual(['loading A', 'loading Z', 'shipping A,Z']);
    expect(events[2].parentID).toContain('/manifest/');
  });
});
