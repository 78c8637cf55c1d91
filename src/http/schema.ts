import { z } from '@hono/zod-openapi';
import { isStorable } from '../lib/text.ts';

/** Text of `minimum..maximum` Unicode characters (code points), without NUL and lone surrogates. */
export function text(minimum: number, maximum: number) {
  return z
    .string()
    .refine((value) => isStorable(value), 'Text has to be well-formed Unicode without NUL.')
    .refine((value) => {
      const length = value.length <= minimum || value.length > maximum ? [...value].length : value.length;
      return length >= minimum && length <= maximum;
    }, `Text has to have ${minimum} to ${maximum} characters.`)
    .openapi({ minLength: minimum, maxLength: maximum });
}

/** An identifier of a caller or of this service in a path. */
export const identifier = text(1, 255);

/** A UUID in a query or body; any version, either case. */
export const uuid = z.uuid().toLowerCase();

/** A UUID in a path, in either case. What is none names nothing, and is answered as what is not there. */
export const uuidName = identifier.transform((name) => name.toLowerCase()).openapi({ type: 'string' });

/** A date going out: ISO 8601 in UTC with milliseconds. */
export const dateTime = z.iso.datetime().openapi({ example: '2026-11-21T08:15:30.123Z' });

/** A date coming in as a filter: epoch milliseconds or ISO 8601. Becomes epoch milliseconds. */
export const dateFilter = z
  .string()
  .transform((value, context) => {
    const milliseconds = /^-?\d{1,16}$/.test(value) ? Number(value) : isoMilliseconds(value);
    if (Number.isSafeInteger(milliseconds)) return milliseconds;
    context.addIssue({ code: 'custom', message: 'A date is epoch milliseconds or ISO 8601.' });
    return z.NEVER;
  })
  .openapi({ type: 'string' });

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Milliseconds of an ISO 8601 date or date and time, in UTC where it names no offset; NaN for any other text. */
function isoMilliseconds(value: string): number {
  const [, year, month, day, offset] = ISO_DATE.exec(value) ?? [];
  // Date.parse takes the 30th of February for the 2nd of March.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (day === undefined || Number(day) > days) return Number.NaN;
  return Date.parse(value.includes('T') && offset === undefined ? `${value}Z` : value);
}

/** A query flag: `true` or `false`. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** The most values one filter takes. */
export const FILTER_VALUES_MAXIMUM = 100;

/** A filter of several values: the parameter repeated, or values separated by commas. */
export function several<T extends z.ZodType<unknown, string>>(item: T) {
  const values = item instanceof z.ZodEnum ? { enum: item.options as string[] } : {};
  return z
    .union([z.string(), z.array(z.string())])
    .transform((value) => (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(',')))
    .pipe(z.array(item).min(1).max(FILTER_VALUES_MAXIMUM))
    .openapi({ type: 'array', items: { type: 'string', ...values }, maxItems: FILTER_VALUES_MAXIMUM });
}

/** A resource or null. `.nullable()` would make the named component nullable wherever it stands. */
export function orNull<T extends z.ZodType>(resource: T) {
  return z.union([resource, z.null()]);
}

/** Stands in what does not show all that there is. */
export const truncated = z.literal(true).optional();

/** What every stored resource shows. */
export const common = {
  uuid: z.uuid().describe('UUID version 7'),
  createDate: dateTime,
  updateDate: dateTime,
  deepLink: z.url().describe('Opens the resource in the operations application'),
  truncated: truncated.describe(
    'Where a list in it ends earlier than it could: in lists, events and answers of writes. Its own GET shows more',
  ),
};

/** The answer of an operation that has nothing to tell. */
export const emptySchema = z.object({}).openapi('Empty');
