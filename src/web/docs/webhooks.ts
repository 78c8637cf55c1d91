import { TEST_EVENT_TYPE } from '../../delivery/webhook/schema.ts';
import { eventName } from './event-schemas.ts';
import { EPCIS, EVENTS, type EventDoc, sentenceOf, TEST } from './events.ts';

/** Headers of a delivery: Standard Webhooks. */
const HEADERS = {
  'webhook-id': ['The `eventIdentifier`: the same in every delivery of the event.', 'string'],
  'webhook-timestamp': [
    'When this attempt was sent, in seconds since 1970. Refuse what is minutes off.',
    'string',
  ],
  'webhook-signature': [
    '`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`; one for each valid secret, ' +
      'separated by spaces.',
    'string',
  ],
  traceparent: [
    'Where the request that the event came of was part of a trace (W3C Trace Context): a span of its own in it.',
    'string',
  ],
} as const;

const RESPONSES = {
  '2XX': { description: 'Received. Answer within 15 seconds, and work afterwards.' },
  '410': { description: 'Nobody is there any more: the webhook is switched off, and an alert says so.' },
  '429': { description: 'Sent again, as late as `Retry-After` asks, up to a day.' },
  default: { description: 'Sent again by the schedule: anything else, also a redirect.' },
};

const test = { $ref: '#/components/schemas/TestEvent' };

/** The webhooks of the contract. `examples` are payloads, by event type. */
export function webhooksOf(examples: Record<string, object>) {
  const docs: [string, Omit<EventDoc, 'entityType'>, object][] = [
    ...Object.entries(EVENTS).map(([type, event]): [string, EventDoc, object] => [
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
