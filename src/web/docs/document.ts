import type { Env } from '../../core/env.ts';
import type { OpenApiDocument } from '../../core/http/openapi.ts';
import { PAYLOADS } from '../../delivery/event-format/formats.ts';
import { TEST_EVENT_TYPE } from '../../delivery/webhook/schema.ts';
import { eventName, webhookSchemas } from './event-schemas.ts';
import { EPCIS, EVENT_DOCS, type EventDoc, sentenceOf, TEST } from './events.ts';
import { INFO, SERVERS, TAGS } from './guide.ts';
import { PARAMETERS } from './parameters.ts';
import { eachOperation, shareParts } from './shared.ts';

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
function webhooksOf(examples: Record<string, object>) {
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

/** A recorded request with its answer. */
export interface Exchange {
  /** Its position in the day, from 1. Absent for examples written by hand. */
  order?: number;
  /** The position of the exchange that issued its credential. */
  credential?: number;
  /** A short title. */
  summary: string;
  /** Path and query parameters as they were sent. */
  params: Record<string, string>;
  query: Record<string, string>;
  body?: unknown;
  status: number;
  answer?: unknown;
}

/** Exchanges by operation. */
export type Exchanges = Readonly<Record<string, readonly Exchange[]>>;

/**
 * One recorded dispatch day: requests and answers by operation. A test plays the day again and compares
 * (test/e2e/docs). Dates, uuids, secrets and hashes are replaced by distinct placeholders. The day is a file of the
 * assets, because the script of the service would be larger with it.
 */
async function readExchanges({ ASSETS }: Pick<Env, 'ASSETS'>): Promise<Exchanges> {
  const answer = await ASSETS.fetch('https://assets/assets/docs/examples.json');
  if (!answer.ok) throw new Error(`the examples were answered ${answer.status}`);
  return answer.json();
}

type Operation = OpenApiDocument['paths'][string];

/** Add the recorded requests and answers to an operation as examples. */
function withExamples(operation: Operation, recorded: Exchanges): Operation {
  const exchanges = recorded[operation.operationId] ?? [];
  const [first] = exchanges;
  if (!first) return operation;
  const bodies = exchanges.filter(({ body }) => body !== undefined);
  return {
    ...operation,
    parameters: operation.parameters?.map((parameter: Operation) =>
      parameter.in === 'path' && first.params[parameter.name] !== undefined
        ? { ...parameter, example: typed(parameter.schema, first.params[parameter.name]!) }
        : parameter,
    ),
    ...(operation.requestBody && bodies.length > 0
      ? {
          requestBody: {
            ...operation.requestBody,
            content: exampled(operation.requestBody.content, bodies, 'body'),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries<Operation>(operation.responses).map(([status, response]) => {
        const matching = exchanges.filter(
          (exchange) => exchange.status === Number(status) && 'answer' in exchange,
        );
        const shown = matching.length > 0 && response.content;
        return [
          status,
          shown ? { ...response, content: exampled(response.content, matching, 'answer') } : response,
        ];
      }),
    ),
  };
}

/** A content with examples at its first media type. */
function exampled(content: Operation, exchanges: Exchange[], part: 'body' | 'answer'): Operation {
  const [[type, media]] = Object.entries<Operation>(content) as [[string, Operation]];
  const examples = exchanges
    .slice(0, EXAMPLES_MAXIMUM)
    .map((exchange) => [
      exchange.summary,
      { value: part === 'answer' ? brief(exchange.answer) : exchange.body },
    ]);
  return { ...content, [type]: { ...media, examples: Object.fromEntries(examples) } };
}

const ITEMS_MAXIMUM = 1;
/** The maximum number of examples of a body or an answer. */
const EXAMPLES_MAXIMUM = 3;

/** An answer with at most `ITEMS_MAXIMUM` items in each list. Lists of numbers stay whole, because they may be points. */
function brief(value: unknown): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAXIMUM).map(brief);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, brief(part)]));
}

const typed = (schema: Operation, value: string): string | number =>
  schema?.type === 'integer' ? Number(value) : value;

type Schema = OpenApiDocument['paths'][string];

const INT32_MAXIMUM = 2_147_483_647;

/** Map each schema within a schema, innermost first. */
function eachSchema(schema: Schema, replace: (schema: Schema) => Schema): Schema {
  const inner = (part: Schema) => eachSchema(part, replace);
  const mapped = { ...schema };
  if (schema.properties) {
    mapped.properties = Object.fromEntries(
      Object.entries<Schema>(schema.properties).map(([name, property]) => [name, inner(property)]),
    );
  }
  for (const kind of ['anyOf', 'oneOf', 'allOf']) {
    if (schema[kind]) mapped[kind] = schema[kind].map(inner);
  }
  for (const kind of ['items', 'additionalProperties']) {
    if (typeof schema[kind] === 'object') mapped[kind] = inner(schema[kind]);
  }
  return replace(mapped);
}

/** Add the size to integers: 64 bits, unless the maximum fits into 32. */
function withFormat(schema: Schema): Schema {
  if (![schema.type].flat().includes('integer') || schema.format) return schema;
  return { ...schema, format: schema.maximum <= INT32_MAXIMUM ? 'int32' : 'int64' };
}

/**
 * Move a default into the description: in a schema it makes generators treat the member as always present, also in
 * requests.
 */
function withoutDefault({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema;
  const note = `Default: \`${JSON.stringify(value)}\``;
  return { ...schema, description: schema.description ? `${schema.description}. ${note}` : note };
}

/** Adapt the schemas of the document to code generators. */
const typedSchemas = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      eachSchema(schema, (part) => withFormat(withoutDefault(part))),
    ]),
  );

/** Adapt a parameter to code generators. Its schema does not repeat its description. */
function typedParameter(parameter: Schema): Schema {
  const { description, ...schema } = eachSchema(parameter.schema, withFormat);
  const { required, ...said } = parameter;
  return { ...said, ...(required ? { required } : {}), schema };
}

type Part = OpenApiDocument['paths'][string];

/** Complete the document of the declared routes to a readable contract: guide, tags, webhooks, examples. */
export async function completeDocument(
  declared: OpenApiDocument,
  env: Pick<Env, 'ASSETS'>,
): Promise<OpenApiDocument> {
  const exchanges = await readExchanges(env);
  const { openapi, paths, components, ...rest } = declared;
  const { webhooks: _, ...others } = rest;
  return shareParts({
    openapi,
    ...others,
    info: INFO,
    servers: SERVERS,
    tags: TAGS,
    paths: eachOperation(paths, (operation) => withExamples(described(operation), exchanges)),
    webhooks: webhooksOf(PAYLOADS),
    components: {
      ...components,
      schemas: typedSchemas({ ...components['schemas'], ...webhookSchemas(components['schemas']) }),
    },
  });
}

/** Add missing descriptions to the parameters of an operation. */
function described(operation: Part): Part {
  return {
    ...operation,
    parameters: operation.parameters?.map((parameter: Part) => {
      const description = parameter.description ?? PARAMETERS[parameter.in]?.[parameter.name];
      return typedParameter(description ? { ...parameter, description } : parameter);
    }),
  };
}
