import { z } from '@hono/zod-openapi';
import { rotateSchema } from '../../access/credential/schema.ts';
import { common, dateTime, input, int32, list, nameText, text } from '../../core/http/schema.ts';
import { ALERT_TYPES } from '../../dispatch/alert/table.ts';
import { EVENT_TYPES } from '../../log/event/table.ts';
import { isCustomHeader } from './rules.ts';
import { DELIVERY_STATUSES, DISABLED_REASONS, FORMATS } from './table.ts';

/** Maximum number of webhooks of an organization. */
export const WEBHOOKS_MAXIMUM = 50;
/** Maximum number of own headers of a webhook. */
export const HEADERS_MAXIMUM = 20;
const URL_MAXIMUM = 2_000;
/** Maximum number of events that one request replays. */
const REPLAY_MAXIMUM = 10_000;
/** Event type of a test. No real event has it. */
export const TEST_EVENT_TYPE = 'WEBHOOK_TEST';
/** Event type of the e-mail that asks its recipient for confirmation. No real event has it. */
export const CONFIRMATION_EVENT_TYPE = 'EMAIL_CONFIRMATION';

const eventTypes = list(z.enum(EVENT_TYPES), 0, EVENT_TYPES.length)
  .refine((types) => new Set(types).size === types.length, 'An event type is listed twice.')
  .describe('Event types to send; empty for all types, including future types');

const alertTypes = list(z.enum(ALERT_TYPES), 0, ALERT_TYPES.length)
  .refine((types) => new Set(types).size === types.length, 'An alert type is listed twice.')
  .describe('Types of the alerts that ALERT_RAISED is sent for; empty for all types, including future types');

const headerName = text(1, 100)
  .refine(isCustomHeader, 'You cannot use this header name. It is not valid, or the service sets it itself.')
  .openapi({ example: 'Authorization' });
/** Visible ASCII characters with spaces between them (RFC 9110 section 5.5). */
const headerValue = text(1, 1_000).regex(
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
  'A value may have only visible ASCII characters, and spaces between them.',
);

const headerList = <T extends z.ZodType<{ name: string }>>(header: T) =>
  list(header, 0, HEADERS_MAXIMUM).refine(
    (headers) => new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length,
    'A header is listed twice.',
  );

const url = text(1, URL_MAXIMUM).describe(
  'https on port 443, without a user, with a public address or name. Redirects are not followed. ' +
    'With the format `EMAIL`: `mailto:` and one plain address',
);

const format = z
  .enum(FORMATS)
  .describe(
    'EVENT: events as in `GET /event`. EPCIS_2_0: an EPCISDocument for each event that has a ' +
      'counterpart in EPCIS. SLACK and TEAMS: a message of the chat service for each raised alert and ' +
      'completed shipment. `EMAIL`: the same as an e-mail. `eventTypes` may then list only ALERT_RAISED and SHIPMENT_STATUS_CHANGED',
  );

/** A webhook as the API shows it. */
export const webhookSchema = z
  .object({
    ...common,
    name: z.string(),
    url: z.string(),
    eventTypes,
    alertTypes,
    format,
    active: z.boolean().describe('false pauses the webhook: its events wait'),
    confirmation: z
      .enum(['PENDING', 'CONFIRMED'])
      .nullable()
      .describe(
        'Of an e-mail webhook. PENDING: it sends nothing until the recipient confirms the address, and events until ' +
          'then are not sent. null for other formats, and after the recipient has stopped the e-mails',
      ),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        'Why the service disabled the webhook: the receiver answered 410 (Slack also: 404 `no_service`), failed for five days, or has stopped the e-mails',
      ),
    disabledDate: dateTime.nullable(),
    failingSince: dateTime.nullable().describe('Date of the first failure since the last success'),
    customHeaders: z.array(z.object({ name: z.string(), value: z.null().describe('Never shown') })),
    secretOverlapEndDate: dateTime.nullable().describe('Earlier secrets also sign until this date'),
  })
  .openapi('Webhook');

/** Body of POST /webhook. */
export const webhookCreateSchema = input(webhookSchema, {
  name: nameText(255),
  url,
  eventTypes: eventTypes.nullable().optional(),
  alertTypes: alertTypes.nullable().optional(),
  format: format.nullable().optional().describe('Default: EVENT'),
  active: z.boolean().nullable().optional().describe('Default: true'),
  customHeaders: headerList(z.strictObject({ name: headerName, value: headerValue }))
    .nullable()
    .optional()
    .describe('Sent with every delivery. Values are stored encrypted and never shown'),
}).openapi('WebhookCreate');

/** Body of PUT /webhook/{uuid}. */
export const webhookUpdateSchema = input(webhookSchema, {
  name: nameText(255).nullable().optional(),
  url: url.nullable().optional(),
  eventTypes: eventTypes.nullable().optional(),
  alertTypes: alertTypes.nullable().optional(),
  format: format.nullable().optional(),
  active: z.boolean().nullable().optional(),
  customHeaders: headerList(
    z.strictObject({
      name: headerName,
      value: headerValue.nullable().optional().describe('Omitted or null: unchanged'),
    }),
  )
    .nullable()
    .optional()
    .describe('Replaces the whole list'),
}).openapi('WebhookUpdate');

/** A webhook with its secret, which is shown only once. */
export const issuedWebhookSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .nullable()
      .describe('`whsec_` + base64 (Standard Webhooks). Shown once; null in a replayed response'),
  })
  .openapi('IssuedWebhook');

/** The event types that a test may simulate. */
const TESTED_TYPES = [...EVENT_TYPES, TEST_EVENT_TYPE] as const;
export type TestedType = (typeof TESTED_TYPES)[number];

/** The event types of deliveries. */
export const DELIVERED_TYPES = [...TESTED_TYPES, CONFIRMATION_EVENT_TYPE] as const;
export type DeliveredType = (typeof DELIVERED_TYPES)[number];

/** Body of POST …/test. */
export const testSchema = z
  .strictObject({
    eventType: z
      .enum(TESTED_TYPES)
      .nullable()
      .optional()
      .describe('Default: WEBHOOK_TEST. With another type, `data` is an example'),
  })
  .openapi('WebhookTest');

/** Body of POST …/rotate-secret. */
export const rotateSecretSchema = rotateSchema;

const sequenceNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Body of POST …/replay. */
export const replaySchema = z
  .strictObject({
    sequenceNumberFrom: sequenceNumber.describe('First event'),
    sequenceNumberTo: sequenceNumber.describe(`Last event; at most ${REPLAY_MAXIMUM} events in all`),
  })
  .refine(({ sequenceNumberFrom, sequenceNumberTo }) => sequenceNumberFrom <= sequenceNumberTo, {
    path: ['sequenceNumberTo'],
    message: 'sequenceNumberTo must not be below sequenceNumberFrom.',
  })
  .refine(
    ({ sequenceNumberFrom, sequenceNumberTo }) => sequenceNumberTo - sequenceNumberFrom < REPLAY_MAXIMUM,
    { path: ['sequenceNumberTo'], message: `A request replays at most ${REPLAY_MAXIMUM} events.` },
  )
  .openapi('WebhookReplay');

/** Response of POST …/replay. */
export const replayedSchema = z
  .object({
    sequenceNumberFrom: z.int(),
    sequenceNumberTo: z.int(),
    deliveriesCount: int32.describe(
      'Number of events in the range that are in the log and match `eventTypes`',
    ),
  })
  .openapi('WebhookReplayed');

const attempt = {
  statusCode: int32.nullable().describe('null if there was no response'),
  durationMs: int32.nullable(),
  response: z.string().nullable().describe('First 1,000 characters'),
  error: z.string().nullable().describe('Reason for the failure, in words'),
};

/** A delivery as the API shows it. */
export const deliverySchema = z
  .object({
    ...common,
    webhookUuid: z.uuid(),
    eventIdentifier: z.uuid().describe('Sent as `webhook-id`'),
    eventType: z
      .enum(DELIVERED_TYPES)
      .describe('`EMAIL_CONFIRMATION`: the e-mail that asks its recipient for confirmation'),
    sequenceNumber: z.int().nullable().describe('null for a test'),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe(
        'SKIPPED: no request for this event. The format has no message for it, or the message of another delivery lists it',
      ),
    attemptsCount: int32,
    nextAttemptDate: dateTime.nullable().describe('null during an attempt, and when the delivery is settled'),
    ...attempt,
    attempts: z
      .array(z.object({ attemptDate: dateTime, ...attempt, durationMs: int32 }))
      .describe('The last 20 attempts, latest last. The latest is also in the fields above'),
  })
  .openapi('WebhookDelivery');
