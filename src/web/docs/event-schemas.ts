import { TEST_EVENT_TYPE } from '../../delivery/webhook/schema.ts';
import { EVENT_ENTITY_TYPES } from '../../log/event/table.ts';
import { EVENT_DOCS, sentenceOf } from './events.ts';

interface ObjectSchema {
  properties: Record<string, object>;
  required: string[];
}

const nothing = { type: 'null' };

/** Schemas that only webhooks use, derived from schemas of the API. */
export function webhookSchemas(schemas: Record<string, ObjectSchema>): Record<string, object> {
  const [operation, event, query] = [
    schemas['Operation']!,
    schemas['Event']!,
    schemas['EpcisQueryDocument']!,
  ];
  const { '@context': context, schemaVersion, creationDate } = query.properties;
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
        eventType: { type: 'string', enum: [TEST_EVENT_TYPE, ...Object.keys(EVENT_DOCS)] },
        sequenceNumber: nothing,
        operationId: nothing,
        entityType: { type: 'string', enum: ['WEBHOOK', ...EVENT_ENTITY_TYPES] },
      },
    },
    EpcisDocument: {
      type: 'object',
      required: ['@context', 'type', 'schemaVersion', 'creationDate', 'epcisBody'],
      properties: {
        '@context': context,
        type: { type: 'string', const: 'EPCISDocument' },
        schemaVersion,
        creationDate,
        epcisBody: {
          type: 'object',
          required: ['eventList'],
          properties: {
            eventList: {
              type: 'array',
              items: {
                anyOf: ['EpcisObjectEvent', 'EpcisAggregationEvent'].map((name) => ({
                  $ref: `#/components/schemas/${name}`,
                })),
              },
            },
          },
        },
      },
    },
  };
}

/** The schema name of an event type: `ManifestUpdatedEvent`. */
export const eventName = (eventType: string): string => `${sentenceOf(eventType)}Event`;

/** The schema `Event`: a union by `eventType`, with the common members and the data of each type. */
function eventSchemas(event: ObjectSchema): Record<string, object> {
  const { eventType: _, entityType, data, error, ...base } = event.properties;
  const own = ['eventType', 'entityType', 'data', 'error'];
  const types = Object.entries(EVENT_DOCS);
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
      types.map(([type, doc]) => [
        eventName(type),
        {
          allOf: [
            { $ref: '#/components/schemas/EventBase' },
            {
              type: 'object',
              required: own,
              properties: {
                eventType: { type: 'string', const: type },
                entityType: oneOrMore(doc.entityType),
                data: doc.data === null ? nothing : dataSchema(doc.data),
                error: doc.failed ? { ...error, type: 'object' } : nothing,
              },
            },
          ],
        },
      ]),
    ),
  };
}

const oneOrMore = (types: string | readonly string[]) =>
  typeof types === 'string' ? { type: 'string', const: types } : { type: 'string', enum: types };

function dataSchema(names: string | readonly string[]): object {
  const references = [names].flat().map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return references.length === 1 ? references[0]! : { anyOf: references };
}
