import type { OpenApiDocument } from '../../core/http/openapi.ts';

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
export const typedSchemas = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      eachSchema(schema, (part) => withFormat(withoutDefault(part))),
    ]),
  );

/** Adapt a parameter to code generators. Its schema does not repeat its description. */
export function typedParameter(parameter: Schema): Schema {
  const { description, ...schema } = eachSchema(parameter.schema, withFormat);
  const { required, ...said } = parameter;
  return { ...said, ...(required ? { required } : {}), schema };
}
