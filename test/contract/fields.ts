import { document, type Operation } from './document.ts';
import { resolved, type Schema, typesOf } from './schema.ts';

/** A field of a body, and how to read and set it there. */
export interface Field {
  /** Its name in errors, such as `attachments[0].link`. */
  name: string;
  schema: Schema;
  types: string[];
  /** A copy of the body with another value in this field. */
  set(json: unknown, value: unknown): unknown;
  /** The value of this field in a body. */
  at(json: unknown): unknown;
}

/**
 * Every field of an operation's body that can be set, also in items of its lists. With `readOnly`, also the
 * fields that cannot be set.
 */
export function fieldsOf({ body }: Operation, readOnly = false): Field[] {
  return (body ? walk(body, '', []) : []).filter(({ schema }) => readOnly || !schema.readOnly);
}

function walk(given: Schema, name: string, path: (string | number)[]): Field[] {
  const schema = resolved(document, given);
  const own: Field[] =
    path.length === 0
      ? []
      : [
          {
            name,
            schema,
            types: typesOf(schema),
            set: (json, value) => replaced(json, path, value),
            at: (json) => valueAt(json, path),
          },
        ];
  const properties = Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
    walk(part, name === '' ? key : `${name}.${key}`, [...path, key]),
  );
  const items = schema.items ? walk(schema.items, `${name}[0]`, [...path, 0]) : [];
  return [...own, ...properties, ...items];
}

const valueAt = (json: unknown, path: (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | null)?.[key], json);

function replaced(json: unknown, path: (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = (json as Record<string | number, unknown> | undefined)?.[key];
  if (typeof key === 'string') return { ...(json as object), [key]: replaced(inner, rest, value) };
  return [replaced(inner, rest, value), ...((json as unknown[] | undefined) ?? []).slice(1)];
}

export interface Parameter {
  name: string;
  schema: Schema;
}

export function queryOf({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

const BAD_DATES = [
  '',
  'yesterday',
  '2026-13-01',
  '2026-02-30',
  '2026-01-01T25:00:00Z',
  '1e3',
  '0x10',
  '-9223372036854775809',
  '9223372036854775808',
  'NaN',
];
const BAD_NUMBERS = ['', '0', '-1', '1.5', '1e9', 'abc', '1000000000', '9007199254740993', ' 1', '0x1', '٣'];

/** Invalid values of a query parameter. */
export function badValues(name: string, schema: Schema): string[] {
  if (/(Date(After|Before)|Time)$/.test(name)) return BAD_DATES;
  if (schema.enum) return ['', 'NOPE', String(schema.enum[0]).toLowerCase().concat(' '), "' OR 1=1 --"];
  if (schema.type === 'boolean') return ['', 'NOPE', '1', 'true ', 'yes'];
  if (typesOf(schema).includes('integer')) {
    const { minimum = 1, maximum = 1_000_000 } = schema;
    const numbers = BAD_NUMBERS.filter(
      (text) => !/^\d+$/.test(text) || Number(text) < minimum || Number(text) > maximum,
    );
    return [...numbers, ...(maximum < Number.MAX_SAFE_INTEGER ? [String(maximum + 1)] : [])];
  }
  const texts = ['a\u0000b', 'x'.repeat((schema.maxLength ?? 5_000) + 1)];
  switch (name) {
    case 'cursor':
      return ['', 'abc', 'e30', 'bnVsbA', btoa('["createDate","ASC",1,"x",2]'), ...texts];
    case 'trackStatus':
    case 'manifestStatus':
      return [
        '',
        'NOPE',
        'ACTIVE,',
        'active',
        'PLANNED,NOPE',
        'ACTIVE,NOPE',
        Array(101).fill('ACTIVE').join(),
      ];
    case 'status':
    case 'scannerType':
    case 'agentType':
      return ['', 'NOPE', 'online', 'fixed', 'ONLINE,', 'FIXED,', 'ONLINE,NOPE', 'FIXED,NOPE', 'PRINTER '];
    case 'localManagerUuid':
      return ['', 'x', 'a,b', crypto.randomUUID().slice(1), `${crypto.randomUUID()},`, 'a\u0000b'];
    case 'customField':
      return ['', 'nocolon', ':value', 'a\u0000:b', `${'x'.repeat(1_102)}:`];
    case 'clientId':
    case 'gateExternalId':
    case 'manifestExternalIds':
    case 'role':
      return [
        '',
        'a,,b',
        'x'.repeat(256),
        'a\u0000b',
        Array.from({ length: 101 }, (_, index) => `X${index}`).join(),
      ];
    default:
      return texts;
  }
}
