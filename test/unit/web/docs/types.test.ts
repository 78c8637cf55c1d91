import { expect, it } from 'vitest';
import type { Document } from '../../../contract/schema.ts';
import { document, placed, source } from './document.ts';

const BYTES_MAXIMUM = 600_000;

/** Every schema of the document with its location. */
function* schemasOf(part: Document, at: string): Generator<{ at: string; schema: Document }> {
  if (part === null || typeof part !== 'object') return;
  if (part.type || part.$ref || part.anyOf || part.oneOf || part.allOf) yield { at, schema: part };
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    yield* schemasOf(property, `${at}.${name}`);
  }
  for (const kind of ['items', 'additionalProperties']) yield* schemasOf(part[kind], `${at}.${kind}`);
  for (const kind of ['anyOf', 'oneOf', 'allOf']) {
    for (const [index, inner] of (part[kind] ?? []).entries())
      yield* schemasOf(inner, `${at}.${kind}${index}`);
  }
}

const parameters = placed.flatMap(({ operation }) =>
  operation.parameters.map((parameter: Document) => ({
    at: `${operation.operationId} ${parameter.name}`,
    ...parameter,
  })),
);
const headers = [
  document['x-answer-headers'],
  ...placed.flatMap(({ operation }) =>
    Object.values<Document>(operation.responses).map((response) => response.headers ?? {}),
  ),
].flatMap((named) => Object.entries<Document>(named));
const schemas = [
  ...Object.entries<Document>(document.components.schemas).flatMap(([name, schema]) => [
    ...schemasOf(schema, name),
  ]),
  ...parameters.flatMap(({ at, schema }) => [...schemasOf(schema, at)]),
  ...headers.flatMap(([name, { schema, $ref }]) => ($ref ? [] : [...schemasOf(schema, name)])),
  ...Object.entries<Document>(document.components.headers ?? {}).flatMap(([name, { schema }]) => [
    ...schemasOf(schema, name),
  ]),
];

it('the document is short enough for code generators', () => {
  expect(source.length).toBeLessThan(BYTES_MAXIMUM);
});

it('every answer and body of the document is a named component', () => {
  const contents = placed.flatMap(({ operation: { operationId, requestBody, responses } }) =>
    [['body', requestBody], ...Object.entries<Document>(responses)].flatMap(([what, part]) =>
      Object.entries<Document>(part?.content ?? {}).map(([type, { schema }]) => ({
        at: `${operationId} ${what}`,
        type,
        schema,
      })),
    ),
  );
  const json = contents.filter(({ type }) => /[/+]json$/.test(type));
  const nameless = json.filter(({ schema }) => !schema.$ref).map(({ at }) => at);
  expect(nameless, "name its schema: .openapi('Name')").toEqual([]);
  expect(json.length).toBeGreaterThan(500);
});

it('the document gives every integer a format', () => {
  const integers = schemas.filter(({ schema }) => [schema.type].flat().includes('integer'));
  expect(integers.filter(({ schema }) => !/^int(32|64)$/.test(schema.format)).map(({ at }) => at)).toEqual(
    [],
  );
  expect(integers.length).toBeGreaterThan(50);
  const formats = [
    document.components.schemas.Track.properties.markerCode,
    document.components.schemas.Manifest.properties.tracksCount,
    document.components.schemas.Shipment.properties.tracksCount,
    document.components.schemas.TrackPage.properties.totalElements,
  ].map(({ format }) => format);
  expect(formats).toEqual(['int64', 'int32', 'int64', 'int32']);
});

it('the document types booleans as boolean', () => {
  const words = schemas.filter(({ schema }) => schema.enum?.some((value: unknown) => value === 'true'));
  expect(words.map(({ at }) => at)).toEqual([]);
  expect(parameters.find(({ at }) => at === 'coupleTrack async').schema).toEqual({
    type: 'boolean',
    default: false,
  });
});

it('every default of the document has the type of its field and is not required', () => {
  const withDefault = parameters.filter(({ schema }) => 'default' in schema);
  const foreign = withDefault.filter(({ schema }) => {
    const { default: value, type, enum: options } = schema;
    const own = type === 'integer' ? 'number' : type;
    return typeof value !== own || (options && !options.includes(value));
  });
  expect(foreign.map(({ at }) => at)).toEqual([]);
  expect(withDefault.length).toBeGreaterThan(20);
  const defaults = Object.entries<Document>(document.components.schemas)
    .flatMap(([name, schema]) => [...schemasOf(schema, name)])
    .filter(({ schema }) => 'default' in schema);
  expect(defaults.map(({ at }) => at)).toEqual([]);
});

it('the document describes events as one of their types', () => {
  const { Event } = document.components.schemas;
  expect(Event.discriminator.propertyName).toBe('eventType');
  expect(Object.values(Event.discriminator.mapping)).toEqual(Event.oneOf.map(({ $ref }: Document) => $ref));
  const [, own] = document.components.schemas.ManifestUpdatedEvent.allOf;
  expect([own.properties.eventType.const, own.properties.data.$ref]).toEqual([
    'MANIFEST_UPDATED',
    '#/components/schemas/Manifest',
  ]);
});
