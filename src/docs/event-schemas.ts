import { TEST_EVENT_TYPE } from '../webhook/schema.ts';
import { EVENTS, words } from './events.ts';

interface ObjectSchema {
  properties: Record<string, object>;
  required: string[];
}

const nothing = { type: 'null' };

/** Schemas that only webhooks need, made of those of the API. */
export function webhookSchemas(schemas: Record<string, ObjectSchema>): Record<string, object> {
  const [operation, event] = [schemas['Operation']!, schemas['Event']!];
  return {
    ...eventSchemas(event),
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
    },
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

/** What events of a type are called: `ManifestUpdatedEvent`. */
export const eventName = (eventType: string): string => `${words(eventType)}Event`;

/** `Event` as one of its types, by `eventType`: what all of them have, and what each one is about. */
function eventSchemas(event: ObjectSchema): Record<string, object> {
  const { eventType: _, entityType, data, error, ...base } = event.properties;
  const own = ['eventType', 'entityType', 'data', 'error'];
  const types = Object.entries(EVENTS);
  const mapping = types.map(([type]) => [type, `#/components/schemas/${eventName(type)}`]);
  return {
    EventBase: {
      ...event,
      properties: base,
      required: event.required.filter((name) => !own.includes(name)),
    },
    Event: {
      oneOf: mapping.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'eventType', mapping: Object.fromEntries(mapping) },
    },
    ...Object.fromEntries(
      types.map(([type, told]) => [
        eventName(type),
        {
          allOf: [
            { $ref: '#/components/schemas/EventBase' },
            {
              type: 'object',
              required: own,
              properties: {
                eventType: { type: 'string', const: type },
                entityType: { type: 'string', const: told.entityType },
                data: told.data === null ? nothing : { $ref: `#/components/schemas/${told.data}` },
                error: told.failed ? { ...error, type: 'object' } : nothing,
              },
            },
          ],
        },
      ]),
    ),
  };
}
