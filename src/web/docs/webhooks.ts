import { TEST_EVENT_TYPE } from '../../delivery/webhook/schema.ts';
import { eventName } from './event-schemas.ts';
import { EPCIS, EVENT_DOCS, type EventDoc, sentenceOf, TEST } from './events.ts';

/** Headers of a delivery: Standard Webhooks. */
const HEADERS = {
  'webhook-id': ['The `eventIdentifier`: the same in every delivery of the event.', 'string'],
  'webhook-timestamp': [
    'Time of this attempt, in seconds since 1970. Refuse a timestamp that is minutes off.',
    'string',
  ],
  'webhook-signature': [
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. There is ' +
      'one for each valid secret, separated by spaces.',
    'string',
  ],
  traceparent: [
    'W3C Trace Context. If the request that caused the event was part of a trace: a new span in ' +
      'that trace.',
    'string',
  ],
} as const;

const RESPONSES = {
  '2XX': { description: 'Received. Respond within 15 seconds, and work afterwards.' },
  '410': { description: 'The endpoint is gone: the webhook is disabled, and an alert is raised.' },
  '429': {
    description: 'Sent again by the retry schedule, but not before the time in `Retry-After`, up to a day.',
  },
  default: { description: 'Any other response, also a redirect: sent again by the retry schedule.' },
};

const test = { $ref: '#/components/schemas/TestEvent' };

/** The webhooks of the contract. `examples` are payloads, by event type. */
export function webhooksOf(examples: Record<string, object>) {
  const docs: [string, Omit<EventDoc, 'entityType'>, object][] = [
    ...Object.entries(EVENT_DOCS).map(([type, event]): [string, EventDoc, object] => [
      type,
      event,
      { anyOf: [{ $ref: `#/components/schemas/${eventName(type)}` }, test] },
    ]),
    [TEST_EVENT_TYPE, TEST, test],
    ['EPCIS_2_0', EPCIS, { $ref: '#/components/schemas/EpcisDocument' }],
  ];
  return Object.fromEntries(
    docs.map(([eventType, { summary, description }, schema]) => [
      eventType,
      {
        post: {
          operationId: `receive${sentenceOf(eventType)}`,
          tags: ['Webhook'],
          summary,
          description,
          security: [],
          parameters: Object.entries(HEADERS).map(([name, [meaning, type]]) => ({
            name,
            in: 'header',
            ...(name === 'traceparent' ? {} : { required: true }),
            description: meaning,
            schema: { type },
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema,
                ...(examples[eventType] ? { examples: { delivered: { value: examples[eventType] } } } : {}),
              },
            },
          },
          responses: RESPONSES,
        },
      },
    ]),
  );
}
