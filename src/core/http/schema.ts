import { z } from '@hono/zod-openapi';
import { DOTS_FAULT, isDots } from '../lib/dots.ts';
import { isUuid } from '../lib/id.ts';
import { ERRORS_MAXIMUM } from '../lib/problem.ts';
import { hasLength, isStorable } from '../lib/text.ts';
import { TEXT_FAULT } from './unstorable.ts';

/** Text of `minimum..maximum` Unicode characters (code points), without NUL and lone surrogates. */
export function text(minimum: number, maximum: number) {
  const length = z.refine<string>(
    (value) => hasLength(value, minimum, maximum),
    `The text must have ${minimum} to ${maximum} characters.`,
  );
  // Documents and forms read the bounds. zod's own check counts UTF-16 units.
  length._zod.onattach.push(({ _zod: { bag } }) => Object.assign(bag, { minimum, maximum }));
  return z
    .string()
    .refine((value) => isStorable(value), TEXT_FAULT)
    .check(length);
}

interface ListDef extends z.core.$ZodArrayDef {
  maximum: number;
}

/** An array that is not validated further after its items have more faults than a refusal lists. */
export const List = z.core.$constructor<z.ZodArray, ListDef>('List', (inst, def) => {
  z.ZodArray.init(inst as z.ZodArray, def);
  const { parse } = inst._zod;
  inst._zod.parse = (payload, context) => {
    const input: unknown = payload.value;
    // Zod refuses anything but an array, and an array with too many items, without a look at the items.
    if (!Array.isArray(input) || input.length > def.maximum) return parse(payload, context);
    const values: unknown[] = [];
    payload.value = values;
    for (let index = 0; index < input.length && payload.issues.length <= ERRORS_MAXIMUM; index += 1) {
      const item = def.element._zod.run({ value: input[index], issues: [] }, context) as z.core.ParsePayload;
      for (const issue of z.core.util.prefixIssues(index, item.issues)) payload.issues.push(issue);
      values.push(item.value);
    }
    return payload;
  };
});

/**
 * A list of `minimum..maximum` items in a request. It is counted before an item is validated. After `ERRORS_MAXIMUM`
 * faults, the other items are not validated. `tooFew` and `tooMany` are the messages for a wrong number of items.
 */
export function list<T extends z.ZodType>(
  item: T,
  minimum: number,
  maximum: number,
  messages: Partial<Record<'tooFew' | 'tooMany', { error: () => string }>> = {},
): z.ZodArray<T> {
  const items = new List({ type: 'array', element: item, maximum }) as unknown as z.ZodArray<T>;
  const whole = items.max(maximum, messages.tooMany);
  return minimum > 0 ? whole.min(minimum, messages.tooFew) : whole;
}

/** An identifier in a path, chosen by the caller or by this service. */
export const identifier = text(1, 255);

/** An identifier that the request creates, and that is part of paths. */
export const newIdentifier = identifier.refine((name) => !isDots(name), DOTS_FAULT);

/** A name for people: text of up to `maximum` characters, with at least one character that is not white space. */
export function nameText(maximum: number, minimum = 1) {
  return text(minimum, maximum).regex(
    // Empty text passes here, because its length is refused.
    /^$|[^\s\u0085]/,
    'A name has at least one character that is not white space.',
  );
}

/** A member of a body that cannot be set. Any value is accepted and ignored. Documented as `readOnly`. */
const shownOnly = z.unknown().optional().openapi({ readOnly: true });

/**
 * A body that accepts the members of `shape`, and ignores the other members of answers (`shown`), so that a caller can
 * send back what it has read. Unknown members are refused. The parsed body has only the members of `shape`.
 */
export function input<S extends z.ZodRawShape>(shown: z.ZodObject, shape: S): z.ZodObject<S, z.core.$strict> {
  const ignored = Object.keys(shown.shape).filter((key) => !(key in shape));
  const others = Object.fromEntries(ignored.map((key) => [key, shownOnly]));
  const known = (body: object): never => {
    const isKnown = ([key]: [string, unknown]) => !Object.hasOwn(others, key);
    // Most bodies have no such members, and a body may have 160,000 objects.
    const isWhole = !ignored.some((key) => Object.hasOwn(body, key));
    return (isWhole ? body : Object.fromEntries(Object.entries(body).filter(isKnown))) as never;
  };
  const whole = z.strictObject({ ...shape, ...others }).overwrite(known);
  return whole as unknown as z.ZodObject<S, z.core.$strict>;
}

/** An optional member of a body. `null` means absent. */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** An optional member of a body with a default. `null` means absent. */
export const optionalOr = <T extends z.ZodType>(
  schema: T,
  fallback: z.output<T> & (string | number | boolean | object),
) =>
  schema
    .nullish()
    .transform((value): z.output<T> => value ?? fallback)
    .openapi({ default: fallback });

/** A UUID in a query or body: any version, either case. */
export const uuid = z.uuid().toLowerCase();

/** A UUID in a path, in either case. Any other text is kept unchanged and gets 404, like an unknown UUID. */
export const uuidName = identifier
  .transform((name) => (isUuid(name.toLowerCase()) ? name.toLowerCase() : name))
  .openapi({ type: 'string', minLength: 1, maxLength: 255 });

/** A date in a response: ISO 8601 in UTC with milliseconds. */
export const dateTime = z.iso.datetime().openapi({ example: '2026-11-21T08:15:30.123Z' });

/** A query flag: `true` or `false`, in any case. */
export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false']))
  .transform((value) => value === 'true')
  .openapi({ type: 'boolean' });

/** The same; false by default. */
export const flagOff = flag.default(false).openapi({ type: 'boolean', default: false });

/** A small number in a response, such as a count or a status. */
export const int32 = z.int().openapi({ format: 'int32' });

/** The maximum number of values per filter. */
export const FILTER_VALUES_MAXIMUM = 100;

/** A filter with several values. A single parameter is split at commas; a repeated one is not. */
export function several<T extends z.ZodType<unknown, string>>(item: T) {
  const values = item instanceof z.ZodEnum ? { enum: item.options as string[] } : {};
  return z
    .union([z.string(), z.custom<string[]>(Array.isArray)])
    .transform((value) => (Array.isArray(value) ? value : value.split(',')))
    .pipe(list(item, 1, FILTER_VALUES_MAXIMUM))
    .openapi({ type: 'array', items: { type: 'string', ...values }, maxItems: FILTER_VALUES_MAXIMUM });
}

/** A resource or null. `.nullable()` would make the named component nullable everywhere. */
export function orNull<T extends z.ZodType>(resource: T) {
  return z.union([resource, z.null()]);
}

/** Marks a resource with a list that is cut. */
export const truncated = z.literal(true).optional();

/** The members that every stored resource has. */
export const common = {
  uuid: z.uuid().describe('UUID version 7'),
  createDate: dateTime,
  updateDate: dateTime,
  deepLink: z.url().describe('URL that opens the resource in the operations application'),
  truncated: truncated.describe(
    'Present if a list of the resource is cut. The GET of the resource shows more',
  ),
};

/** The response of an operation without a result. */
export const emptySchema = z.object({}).openapi('Empty');
