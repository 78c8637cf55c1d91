import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/core/lib/json.ts';
import {
  aboardOf,
  aggregationEvent,
  epcisDocument,
  objectEvent,
} from '../../../../src/delivery/epcis/document.ts';
import { CBV_BIZ_STEPS, epcFault, palletsNamed, urisOf } from '../../../../src/delivery/epcis/rules.ts';
import type { StoredHappening } from '../../../../src/delivery/epcis/store.ts';
import { PAYLOADS } from '../../../../src/delivery/event-format/formats.ts';
import { checkDigit, isGln, isSscc } from '../../../../src/pallet/gs1.ts';
import EXAMPLES from '../../../../src/web/docs/assets/examples.json' with { type: 'json' };
import type { Document } from '../../../contract/schema.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addFormat('uri', URL.canParse);
ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
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
  timeZone: 'Europe/Berlin',
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
    const answers = EXAMPLES.listEpcisEvents.map(({ answer }) => answer as Document);
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
  for (const wmsId of ['PALLET-1', 'Pallet 1/ü,"', '123', '(00)123', '340123450000000018']) {
    expect(palletsNamed(names.pallet(wmsId), ORGANIZATION)).toEqual([wmsId]);
  }
  for (const epc of [
    '',
    'PALLET-1',
    names.pallet('P').replace(ORGANIZATION, 'other'),
    `${names.pallet('P')}%ff`,
    'https://id.gs1.org/00/1',
    'https://id.gs1.org/01/09521234543213',
    'urn:epc:id:sscc:4012345.30000000011',
  ]) {
    expect(palletsNamed(epc, ORGANIZATION)).toEqual([]);
  }
});

it('EPCIS names a pallet with any spelling of a random SSCC by the same URI, which finds all spellings', () => {
  for (let round = 0; round < 200; round += 1) {
    const digits = Array.from({ length: 17 }, () => Math.floor(Math.random() * 10)).join('');
    const sscc = digits + checkDigit(digits);
    const spellings = [sscc, `00${sscc}`, `(00)${sscc}`];
    const uri = `https://id.gs1.org/00/${sscc}`;
    expect(spellings.map(names.pallet)).toEqual([uri, uri, uri]);
    const length = 6 + (round % 7);
    const urn = `urn:epc:id:sscc:${digits.slice(1, 1 + length)}.${digits[0]}${digits.slice(1 + length)}`;
    for (const epc of [
      uri,
      `HTTPS://Example.com/x/00/${sscc}?4311=1`,
      urn,
      ...spellings.map((name) => `http://former.host/epc/${ORGANIZATION}/pallet/${encodeURIComponent(name)}`),
    ]) {
      expect([epc, epcFault(epc), palletsNamed(epc, ORGANIZATION)]).toEqual([epc, undefined, spellings]);
    }
    const wrong = digits + ((Number(checkDigit(digits)) + 1) % 10);
    for (const text of [wrong, `00${wrong}`, `(00) ${sscc}`, `0${sscc}`, `01${sscc}`]) {
      expect(names.pallet(text)).toContain(`/epc/${ORGANIZATION}/pallet/`);
    }
  }
});

it.each([
  [SSCC, `https://id.gs1.org/00/${SSCC}`],
  [`00${SSCC}`, `https://id.gs1.org/00/${SSCC}`],
  [`(00)${SSCC}`, `https://id.gs1.org/00/${SSCC}`],
  ['PALLET-1', 'An EPC is a URI'],
  ['340123450000000018', 'An EPC is a URI'],
  ['sscc:340123450000000017', 'An EPC is a URI'],
  ['id.gs1.org/00/340123450000000017', 'An EPC is a URI'],
  ['https://id.gs1.org/00/34 01', 'An EPC is a URI'],
  ['https://id.gs1.org', 'An EPC is a URI'],
  ['urn:epc:', 'An EPC is a URI'],
  [`https://id.gs1.org/00/${SSCC}|urn:epc:id:sscc:4012345.3000000001`, 'Separate several EPCs by commas'],
  ['urn:epc:idpat:sscc:4012345.*', 'Patterns are not supported'],
])('EPCIS refuses %s as an EPC and says what one is', (text, message) => {
  expect(epcFault(text)).toContain(message);
});

it('EPCIS gives the offset of the site at the time of the event, in summer and in winter', () => {
  const at = (timeZone: string, eventDate: number) =>
    objectEvent(names, happening('LOADED', { timeZone, eventDate }))!.eventTimeZoneOffset;
  const [winter, summer] = [Date.UTC(2026, 0, 10), Date.UTC(2026, 6, 10)];
  expect([at('Europe/Berlin', winter), at('Europe/Berlin', summer)]).toEqual(['+01:00', '+02:00']);
  expect([at('America/St_Johns', winter), at('America/St_Johns', summer)]).toEqual(['-03:30', '-02:30']);
  expect([at('UTC', summer), at('Asia/Kathmandu', summer)]).toEqual(['+00:00', '+05:45']);
  const change = Date.UTC(2026, 9, 25, 1);
  expect([at('Europe/Berlin', change - 1), at('Europe/Berlin', change)]).toEqual(['+02:00', '+01:00']);
  const original = JSON.stringify(happening('LOADED', { eventDate: summer })) as Json<StoredHappening>;
  expect(objectEvent(names, happening('NOT_LOADED', { original }))!.eventTimeZoneOffset).toBe('+02:00');
  const closing = { ...happening('LOADED', { recordDate: summer }), member: 0 as const, size: 1 };
  const left = aggregationEvent(names, 'SHIPMENT', closing, [SSCC, `00${SSCC}`])!;
  expect([left.eventTimeZoneOffset, left.childEPCs]).toEqual(['+02:00', [`https://id.gs1.org/00/${SSCC}`]]);
});

it("EPCIS takes the business steps of GS1's vocabulary", () => {
  const [, steps] = schema.definitions.bizStep.anyOf;
  expect([...CBV_BIZ_STEPS].sort()).toEqual([...steps.enum].sort());
});
