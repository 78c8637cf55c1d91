import type { ENTITY_TYPES, EVENT_TYPES } from '../event/table.ts';
import { TEST_EVENT_TYPE } from '../webhook/schema.ts';

type EventType = (typeof EVENT_TYPES)[number];
type EntityType = (typeof ENTITY_TYPES)[number];

interface ObjectSchema {
  properties: Record<string, object>;
}

interface Told {
  summary: string;
  description: string;
  entityType: EntityType;
  /** Schema that `data` has; null where it may be missing too. */
  data: string | null;
  failed?: true;
}

/** When an event of each type is sent, and what its `data` is. */
const EVENTS: Record<EventType, Told> = {
  COUPLING_SUCCEEDED: {
    summary: 'A coupling in the background succeeded',
    description:
      'Of `couple` and `get-and-couple` with `async=true`; `operationId` is that of their answer 202.',
    entityType: 'TRACK',
    data: 'Track',
  },
  COUPLING_FAILED: {
    summary: 'A coupling in the background failed',
    description:
      'Meanwhile something else was coupled to the pallet or the marker: `error` says which. A code that was allocated ' +
      'for it stays allocated.',
    entityType: 'TRACK',
    data: null,
    failed: true,
  },
  OPERATION_COMPLETED: {
    summary: 'An operation in the background has ended',
    description: 'Whatever came of it; `results` is null where there are more than 500 of them.',
    entityType: 'OPERATION',
    data: 'OperationEnded',
  },
  MANIFEST_STATUS_CHANGED: {
    summary: 'A manifest has another status',
    description: 'By itself or with its shipment; also when it was created.',
    entityType: 'MANIFEST',
    data: 'Manifest',
  },
  MANIFEST_UPDATED: {
    summary: 'A manifest was changed',
    description: 'Its assets, gate, custom fields or shipment; also when it was deleted.',
    entityType: 'MANIFEST',
    data: 'Manifest',
  },
  SHIPMENT_STATUS_CHANGED: {
    summary: 'A shipment has another status',
    description: 'Also when it was created (TO_DO) or deleted.',
    entityType: 'SHIPMENT',
    data: 'Shipment',
  },
  ASSET_LOADING_STATUS_CHANGED: {
    summary: 'A pallet was loaded, unloaded or taken off',
    description: 'By a scan or by hand; one event for each loading record.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  UNAUTHORIZED_LOADING_ADDED: {
    summary: 'A pallet was loaded that does not belong there',
    description: 'Its record is WRONGLY_LOADED, or UNKNOWN_LOADING where nobody knows the marker.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  UNAUTHORIZED_LOADING_RESOLVED: {
    summary: 'The record of such a pallet was removed',
    description: '`data` is the record as it was before.',
    entityType: 'ASSET_LOADING',
    data: 'AssetLoading',
  },
  GATE_STATUS_CHANGED: {
    summary: 'A gate has another status',
    description: 'LOADING from the first manifest that is in progress there until the last one is closed.',
    entityType: 'GATE',
    data: 'Gate',
  },
  ALERT_RAISED: {
    summary: 'An alert was raised',
    description: 'Somebody has to look at something.',
    entityType: 'ALERT',
    data: 'AlertEvent',
  },
  STORE_REWOUND: {
    summary: 'The store was put back to an earlier state',
    description:
      'What was written after that state is lost, and numbers go on behind it: `data` has the last number of the audit ' +
      'log that there is (`lastSequenceNumber`), the last that there was (`lostSequenceNumber`, or a later one) and the ' +
      'code that is handed out next (`nextMarkerCode`).',
    entityType: 'ORGANIZATION',
    data: 'StoreRewind',
  },
};

const TEST: Omit<Told, 'entityType'> = {
  summary: 'A test',
  description: 'Asked for by `POST …/webhook/{uuid}/test`: signed like every delivery; nothing happened.',
  data: null,
};

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
} as const;

const RESPONSES = {
  '2XX': { description: 'Received. Answer within 15 seconds, and work afterwards.' },
  '410': { description: 'Nobody is there any more: the webhook is switched off, and an alert says so.' },
  '429': { description: 'Sent again, as late as `Retry-After` asks, up to a day.' },
  default: { description: 'Sent again by the schedule: anything else, also a redirect.' },
};

/** Schemas that only webhooks need, made of those of the API. */
export function webhookSchemas(schemas: Record<string, ObjectSchema>): Record<string, ObjectSchema> {
  const [operation, event] = [schemas['Operation']!, schemas['Event']!];
  const nothing = { type: 'null' };
  return {
    OperationEnded: {
      ...operation,
      properties: {
        ...operation.properties,
        results: { ...operation.properties['results'], type: ['array', 'null'] },
      },
    },
    StoreRewind: {
      type: 'object',
      required: ['lastSequenceNumber', 'lostSequenceNumber', 'nextMarkerCode'],
      properties: {
        lastSequenceNumber: { type: 'integer' },
        lostSequenceNumber: { type: 'integer' },
        nextMarkerCode: { type: ['integer', 'null'] },
      },
    } as ObjectSchema,
    TestEvent: {
      ...event,
      properties: {
        ...event.properties,
        eventType: { type: 'string', const: TEST_EVENT_TYPE },
        sequenceNumber: nothing,
        operationId: nothing,
        entityType: { type: 'string', const: 'WEBHOOK' },
        data: nothing,
        error: nothing,
      },
    },
  };
}

/** The webhooks of the contract. `examples` are payloads, by event type. */
export function webhooksOf(examples: Record<string, object>) {
  const told: [string, Omit<Told, 'entityType'>, object][] = [
    ...Object.entries(EVENTS).map(([type, event]): [string, Told, object] => [
      type,
      event,
      payload(type, event),
    ]),
    [TEST_EVENT_TYPE, TEST, { $ref: '#/components/schemas/TestEvent' }],
  ];
  return Object.fromEntries(
    told.map(([eventType, { summary, description }, schema]) => [
      eventType,
      {
        post: {
          operationId: `receive${eventType.replace(/_?([A-Z])([A-Z]*)/g, (_, first, rest) => first + rest.toLowerCase())}`,
          tags: ['Webhook'],
          summary,
          description,
          security: [],
          parameters: Object.entries(HEADERS).map(([name, [meaning, type]]) => ({
            name,
            in: 'header',
            required: true,
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

/** An event of a type: what `Event` says, and more exactly. */
function payload(eventType: string, { entityType, data, failed }: Told): object {
  return {
    allOf: [
      { $ref: '#/components/schemas/Event' },
      {
        type: 'object',
        properties: {
          eventType: { type: 'string', const: eventType },
          entityType: { type: 'string', const: entityType },
          ...(data === null ? {} : { data: { $ref: `#/components/schemas/${data}` } }),
          ...(failed ? { error: { type: 'object' } } : {}),
        },
      },
    ],
  };
}
