import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { isGln, isSscc } from '../../../../src/core/lib/gs1.ts';
import type { Json } from '../../../../src/core/lib/json.ts';
import { epcisDocument } from '../../../../src/delivery/epcis/document.ts';
import { aboardOf, aggregationEvent, objectEvent } from '../../../../src/delivery/epcis/events.ts';
import { palletNamed, urisOf } from '../../../../src/delivery/epcis/rules.ts';
import type { StoredHappening } from '../../../../src/delivery/epcis/store.ts';
import { PAYLOADS } from '../../../../src/delivery/event-format/payloads.ts';
import { EXCHANGES } from '../../../../src/web/docs/exchanges.ts';
import type { Document } from '../../../contract/schema.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
const schema = JSON.parse(
  readFileSync(new URL('schema/EPCIS-JSON-Schema.json', import.meta.url).pathname, 'utf8'),
);
const validate = ajv.compile(schema);
/** The faults of a document according to GS1's schema. */
const faultsOf = (document: unknown) =>
  validate(document) ? [] : validate.errors!.map(({ message }) => message);

const ORGANIZATION = '01995d2f-6c1c-7000-8000-000000000001';
const names = urisOf('https://dispatch.example.com', ORGANIZATION);
const SSCC = '340123450000000017';

const happening = (activityType: string, more: Partial<StoredHappening> = {}): StoredHappening => ({
  uuid: '01995d2f-6c1c-7000-8000-000000000002',
  number: 1,
  wmsId: SSCC,
  activityType,
  eventDate: Date.UTC(2026, 10, 21, 8),
  recordDate: Date.UTC(2026, 10, 21, 9),
  gateUuid: '01995d2f-6c1c-7000-8000-000000000003',
  gln: '9521234000006',
  original: null,
  ...more,
});
const document = (...eventList: unknown[]) => ({
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISQueryDocument',
  schemaVersion: '2.0',
  creationDate: '2026-11-21T10:00:00.000Z',
  epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList } } },
});

describe("by GS1's schema of EPCIS 2.0", () => {
  const original = JSON.stringify(happening('LOADED')) as Json<StoredHappening>;
  it.each([
    ['loading', happening('LOADED')],
    ['unloading', happening('UNLOADED', { wmsId: 'Pallet 1/ü,"', gateUuid: null, gln: null })],
    ['unloading', happening('OFFLOADED', { gln: null })],
    ['inspecting', happening('FLAGGED')],
    ['inspecting', happening('UNFLAGGED')],
    ['loading', happening('NOT_LOADED', { original })],
  ])("an EPCIS event of %s is valid by GS1's schema", (bizStep, stored) => {
    const event = objectEvent(names, stored)!;
    expect([event.bizStep, faultsOf(document(event))]).toEqual([bizStep, []]);
  });

  it('an EPCIS document of a departure is valid, and an empty truck gives no event', () => {
    const closing = { ...happening('LOADED'), member: 0 as const, size: 2 };
    const event = aggregationEvent(names, 'SHIPMENT', closing, [SSCC, 'P-2'])!;
    expect(faultsOf(document(event))).toEqual([]);
    expect(event.childEPCs[0]).toBe(`https://id.gs1.org/00/${SSCC}`);
    expect(aggregationEvent(names, 'SHIPMENT', closing, [])).toBeUndefined();
  });

  it("the recorded EPCIS answers of the service are valid by GS1's schema", () => {
    const answers = (EXCHANGES['listEpcisEvents'] ?? []).map(({ answer }) => answer as Document);
    const steps = answers.flatMap((answer) =>
      answer.epcisBody.queryResults.resultsBody.eventList.map(({ bizStep }: Document) => bizStep),
    );
    expect(answers.flatMap(faultsOf)).toEqual([]);
    expect(faultsOf(PAYLOADS['EPCIS_2_0'])).toEqual([]);
    expect(new Set(steps)).toEqual(new Set(['loading', 'unloading', 'inspecting', 'shipping']));
  });

  it("EPCIS webhook bodies are valid by GS1's schema, for events and for a test", () => {
    const date = Date.UTC(2026, 10, 21);
    const events = ['LOADED', 'FLAGGED'].map((type) => objectEvent(names, happening(type))!);
    for (const sent of [events, []]) expect(faultsOf(JSON.parse(epcisDocument(sent, date)))).toEqual([]);
  });

  it('the EPCIS schema check finds a seeded fault', () => {
    const event = objectEvent(names, happening('LOADED'));
    expect(faultsOf(document({ ...event, bizStep: 'stacking' }))).not.toEqual([]);
    expect(faultsOf(document({ ...event, surprise: 1 }))).not.toEqual([]);
    expect(faultsOf({ ...document(event), '@context': undefined })).not.toEqual([]);
  });
});

describe('a correction', () => {
  it('an EPCIS correction declares the event in error by its eventID', () => {
    const uuid = '01995d2f-6c1c-7000-8000-000000000009';
    const loaded = objectEvent(names, happening('LOADED', { uuid }))!;
    const original = JSON.stringify(happening('LOADED', { uuid })) as Json<StoredHappening>;
    const recordDate = Date.UTC(2026, 10, 21, 11);
    const declared = objectEvent(names, happening('NOT_LOADED', { original, recordDate }))!;
    const { errorDeclaration, recordTime, ...same } = declared;
    expect(same).toEqual({ ...loaded, recordTime: undefined });
    expect([errorDeclaration?.declarationTime, recordTime]).toEqual(
      Array(2).fill('2026-11-21T11:00:00.000Z'),
    );
  });

  it('a correction of an event that was never published is no EPCIS event', () => {
    expect(objectEvent(names, happening('NOT_LOADED'))).toBeUndefined();
  });
});

it('an EPCIS aggregation contains the pallets that were loaded, without later changes', () => {
  const child = (recordUuid: string, loadingStatus: string) => ({
    load: 'S',
    recordUuid,
    wmsId: `P-${recordUuid}`,
    loadingStatus,
  });
  const children = [
    child('1', 'LOADED'),
    child('2', 'OFFLOADED'),
    child('3', 'LOADED'),
    child('4', 'UNLOADED'),
  ];
  const reversals = [
    { recordUuid: '2', oldStatus: 'LOADED' },
    { recordUuid: '3', oldStatus: 'NOT_LOADED' },
    { recordUuid: '3', oldStatus: 'LOADED' },
  ];
  expect(aboardOf({ children, reversals })).toEqual(new Map([['S', ['P-1', 'P-2']]]));
});

it('EPCIS names a pallet by its SSCC in any of its forms', () => {
  expect([
    isSscc(SSCC),
    isSscc('340123450000000018'),
    isGln('9521234000006'),
    isGln('9521234000007'),
  ]).toEqual([true, false, true, false]);
  for (const wmsId of [SSCC, 'PALLET-1', 'Pallet 1/ü,"', '123']) {
    expect(palletNamed(names.pallet(wmsId), ORGANIZATION)).toBe(wmsId);
  }
  expect(palletNamed('urn:epc:id:sscc:4012345.3000000001', ORGANIZATION)).toBe(SSCC);
  for (const epc of [
    '',
    'PALLET-1',
    names.pallet('P').replace(ORGANIZATION, 'other'),
    `${names.pallet('P')}%ff`,
  ]) {
    expect(palletNamed(epc, ORGANIZATION)).toBeUndefined();
  }
});
