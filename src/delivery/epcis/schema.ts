import { z } from '@hono/zod-openapi';
import { dateFilter } from '../../core/http/dates.ts';
import { wholeNumber } from '../../core/http/list.ts';
import { dateTime, several, text } from '../../core/http/schema.ts';
import { BIZ_STEPS, bareBizStep, CBV_BIZ_STEPS, epcFault } from './rules.ts';

const EVENTS_MAXIMUM = 1_000;
const EVENTS_DEFAULT = 100;
const TOKEN_LENGTH_MAXIMUM = 2_000;
const EPC_LENGTH_MAXIMUM = 4_000;

/** The URI of a pallet. */
const epc = text(1, EPC_LENGTH_MAXIMUM).superRefine((value, context) => {
  const message = epcFault(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** A business step by its name or URI. */
const bizStep = z.string().transform(bareBizStep).pipe(z.enum(CBV_BIZ_STEPS));

/** Query of GET …/epcis/events, with the parameter names of EPCIS 2.0. */
export const epcisQuery = z.object({
  GE_eventTime: dateFilter.optional(),
  LT_eventTime: dateFilter.optional(),
  GE_recordTime: dateFilter.optional(),
  LT_recordTime: dateFilter.optional(),
  EQ_bizStep: several(bizStep)
    .optional()
    .openapi({ items: { type: 'string', enum: CBV_BIZ_STEPS } }),
  MATCH_epc: several(epc)
    .optional()
    .openapi({ items: { type: 'string', format: 'uri' } }),
  perPage: wholeNumber(1, EVENTS_MAXIMUM, EVENTS_DEFAULT),
  nextPageToken: z.string().max(TOKEN_LENGTH_MAXIMUM).optional(),
});
export type EpcisQuery = z.output<typeof epcisQuery>;

const id = z.object({ id: z.url() });

const common = {
  eventID: z
    .url()
    .describe('The same in every response. In an error declaration: the `eventID` of the wrong event'),
  eventTime: dateTime.describe('When it happened'),
  eventTimeZoneOffset: z
    .string()
    .regex(/^[+-]\d{2}:\d{2}$/)
    .describe("The offset of the organization's time zone at `eventTime`")
    .openapi({ example: '+01:00' }),
  recordTime: dateTime.describe('When it was committed'),
  bizStep: z.enum(BIZ_STEPS),
  readPoint: id.optional().describe('The gate: its GLN, or else a URI of this host'),
};

const objectEvent = z
  .object({
    type: z.literal('ObjectEvent'),
    ...common,
    action: z.literal('OBSERVE'),
    disposition: z.enum(['damaged', 'conformant']).optional(),
    epcList: z.array(z.url()).describe('The pallet: its SSCC, or else a URI of this host'),
    errorDeclaration: z
      .object({ declarationTime: dateTime, reason: z.literal('did_not_occur') })
      .optional()
      .describe('The pallet was marked NOT_LOADED: the event with this `eventID` did not happen'),
  })
  .openapi('EpcisObjectEvent');

const aggregationEvent = z
  .object({
    type: z.literal('AggregationEvent'),
    ...common,
    action: z.literal('ADD'),
    disposition: z.literal('in_transit'),
    parentID: z.url().describe('The shipment, or the manifest that left without a shipment'),
    childEPCs: z.array(z.url()).describe('Pallets on the truck at completion, up to 50,000'),
  })
  .openapi('EpcisAggregationEvent');

/** First members of every document. */
export const HEAD = {
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  schemaVersion: '2.0',
} as const;

/** Response of GET …/epcis/events. */
export const epcisDocumentSchema = z
  .object({
    '@context': z.array(z.url()),
    type: z.literal('EPCISQueryDocument'),
    schemaVersion: z.literal('2.0'),
    creationDate: dateTime,
    epcisBody: z.object({
      queryResults: z.object({
        queryName: z.literal('SimpleEventQuery'),
        resultsBody: z.object({ eventList: z.array(z.union([objectEvent, aggregationEvent])) }),
      }),
    }),
  })
  .openapi('EpcisQueryDocument');

export type ObjectEvent = z.output<typeof objectEvent>;
export type AggregationEvent = z.output<typeof aggregationEvent>;
