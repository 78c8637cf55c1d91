/** A schema of the OpenAPI document, with the parts of JSON Schema that the service uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  nullable?: boolean;
  readOnly?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read as JSON
export type Document = any;

const FORMATS: Record<string, (text: string) => boolean> = {
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)),
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text),
  uri: (text) => URL.canParse(text),
};

/** The part that a reference points to, or the part itself if it is not a reference. */
export function named(document: Document, part: Document): Document {
  if (part?.$ref === undefined) return part;
  const found = part.$ref
    .slice('#/'.length)
    .split('/')
    .reduce((outer: Document, key: string) => outer?.[key], document);
  if (!found) throw new Error(`the document does not contain ${part.$ref}`);
  return found;
}

/** A copy of the document in which the references to parameters and answers are replaced. */
export function spelledOut(document: Document): Document {
  const operation = (declared: Document): Document => ({
    ...declared,
    parameters: (declared.parameters ?? []).map((parameter: Document) => named(document, parameter)),
    responses: Object.fromEntries(
      Object.entries<Document>(declared.responses).map(([status, response]) => [
        status,
        named(document, response),
      ]),
    ),
  });
  const paths = Object.entries<Document>(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries<Document>(item).map(([method, declared]) => [method, operation(declared)]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Schemas that were resolved before. The tests check the bodies of all answers, and documents do not change. */
const known = new WeakMap<Schema, Schema>();

/** The schema that a reference points to, or the schema itself, with the parts of `allOf` merged. */
export function resolved(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined && !schema.allOf) return schema;
  const found = known.get(schema) ?? merged(document, schema);
  known.set(schema, found);
  return found;
}

function merged(document: Document, schema: Schema): Schema {
  if (schema.allOf) {
    const { allOf, ...own } = schema;
    const whole: Schema = { properties: {}, required: [] };
    for (const part of [...allOf, own].map((given) => resolved(document, given))) {
      const { properties, required = [], ...rest } = part;
      Object.assign(whole, rest);
      Object.assign(whole.properties!, properties);
      whole.required!.push(...required);
    }
    return whole;
  }
  return resolved(document, named(document, schema));
}

/**
 * The faults of a value against a schema, one per line. Stricter than JSON Schema in one point: an
 * undocumented property is a fault, because callers cannot know of it.
 */
export function faults(document: Document, given: Schema, value: unknown, at = '$'): string[] {
  const schema = resolved(document, given);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const found = alternatives.map((part) => faults(document, part, value, at));
    if (found.every((list) => list.length > 0))
      return [`${at}: none of the alternatives (${found.flat().join(' | ')})`];
  }
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => hasType(type, value))) {
    return [`${at}: ${JSON.stringify(value)} is not ${types.join(' or ')}`];
  }
  if (schema.enum && !schema.enum.includes(value) && !(value === null && types.includes('null'))) {
    return [`${at}: ${JSON.stringify(value)} is not one of ${schema.enum.join(', ')}`];
  }
  if ('const' in schema && schema.const !== value) return [`${at}: is not ${schema.const}`];
  return valueFaults(document, schema, value, at);
}

function valueFaults(document: Document, schema: Schema, value: unknown, at: string): string[] {
  if (typeof value === 'string') {
    const format = schema.format && FORMATS[schema.format];
    return format && !format(value) ? [`${at}: ${value} is not a ${schema.format}`] : [];
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    return value < minimum || value > maximum ? [`${at}: ${value} is out of range`] : [];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.flatMap((item, index) => faults(document, items, item, `${at}[${index}]`)) : [];
  }
  if (value === null || typeof value !== 'object' || !schema.properties) return [];
  const { properties, required = [], additionalProperties } = schema;
  return [
    ...required.filter((key) => !(key in value)).map((key) => `${at}.${key}: is missing`),
    ...Object.entries(value).flatMap(([key, item]) => {
      const named = properties[key];
      if (named) return faults(document, named, item, `${at}.${key}`);
      return additionalProperties ? [] : [`${at}.${key}: is not documented`];
    }),
  ];
}

/** The JSON types that a schema allows; empty if it allows any. */
export function typesOf(schema: Schema): string[] {
  const alternatives = schema.anyOf?.map(typesOf);
  if (alternatives) return alternatives.some((types) => types.length === 0) ? [] : alternatives.flat();
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return schema.nullable && types.length > 0 ? [...types, 'null'] : types;
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
