import { z } from '@hono/zod-openapi';
import {
  ERRORS_MAXIMUM,
  PROBLEMS,
  ProblemError,
  type ProblemItem,
  type Refusal,
  refusal,
  refusalStatus,
} from '../lib/problem.ts';
import { isUnavailable } from '../lib/store.ts';
import { isoDate } from '../lib/time.ts';
import { sentNumber } from './exact-numbers.ts';
import { int32 } from './schema.ts';
import { type AppContext, origin } from './types.ts';
import { plainMessage } from './validation-messages.ts';

z.config({ customError: plainMessage });

/** The default Retry-After of a 503, in seconds. */
export const RETRY_AFTER_S = '2';

/** An error of the API: RFC 9457 problem details. */
export const problemSchema = z
  .object({
    type: z.string().describe('URL of the explanation of `code`'),
    title: z.string(),
    status: int32,
    detail: z.string(),
    instance: z.string().describe('Path of the request'),
    code: z.enum(Object.keys(PROBLEMS) as [string, ...string[]]),
    requestId: z.string(),
    timestamp: z.iso.datetime(),
    errors: z
      .array(
        z.object({
          field: z.string().describe('Path of the failing item, such as `assets[2]`'),
          code: z.string(),
          message: z.string(),
          rejectedValue: z.unknown(),
          allowedValues: z.array(z.string()).optional(),
        }),
      )
      .max(ERRORS_MAXIMUM)
      .describe(
        `Every failing item. If there are more than ${ERRORS_MAXIMUM}, only the first ${ERRORS_MAXIMUM}; \`detail\` says so`,
      ),
    allowedValues: z.array(z.string()).optional(),
  })
  .openapi('Problem', {
    example: {
      type: 'https://dispatch.example.com/docs/errors#manifestNotFound',
      title: PROBLEMS.manifestNotFound[1],
      status: 404,
      detail: 'Manifest "ORDER-10248" does not exist.',
      instance: '/integration/rest/api/v1/manifest/ORDER-10248',
      code: 'manifestNotFound',
      requestId: 'wms-20261121-0815',
      timestamp: '2026-11-21T08:15:30.123Z',
      errors: [],
    },
  });

/** Answer with a refusal as `application/problem+json`. */
export function problemResponse(
  c: AppContext,
  refused: Refusal,
  headers: Record<string, string> = {},
): Response {
  const status = refusalStatus(refused);
  const body = {
    type: `${origin(c)}/docs/errors#${refused.code}`,
    title: PROBLEMS[refused.code][1],
    status,
    detail: refused.detail,
    instance: new URL(c.req.url).pathname,
    code: refused.code,
    requestId: c.get('requestId'),
    timestamp: isoDate(Date.now()),
    errors: (refused.errors ?? []).map((item) => ({ ...item, rejectedValue: item.rejectedValue ?? null })),
    ...(refused.allowedValues ? { allowedValues: refused.allowedValues } : {}),
  };
  const retry: Record<string, string> = status === 503 ? { 'Retry-After': RETRY_AFTER_S } : {};
  return c.body(JSON.stringify(body), status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...retry,
    ...headers,
  });
}

/** The answer to any thrown error: a problem unchanged, a failing store as 503, anything else as an opaque 500. */
export function problemOf(c: AppContext, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // Log only the pattern of the path, because the path of a link contains its token.
  const request = { requestId: c.get('requestId'), method: c.req.method, route: c.get('route') ?? null };
  if (isUnavailable(error)) {
    console.warn(JSON.stringify({ ...request, store: String(error) }));
    return new ProblemError(
      refusal('temporarilyUnavailable', 'The database did not answer. Send the same request again.'),
    );
  }
  console.error(JSON.stringify({ ...request, error: (error as Error).stack }));
  return new ProblemError(
    refusal('internalError', 'An error in the service stopped the request. Report it with the requestId.'),
  );
}

/** The error handler for Hono. */
export function handleError(error: unknown, c: AppContext): Response {
  const problem = problemOf(c, error);
  return problemResponse(c, problem.refusal, problem.headers);
}

const LONGEST_ECHO = 300;
const LEVELS_NAMED_MAXIMUM = 100;
/** Fields whose values are never repeated in an answer, because problems are copied to logs and tickets. */
const SECRET_FIELDS: ReadonlySet<PropertyKey> = new Set(['password', 'customHeaders', 'url']);

/** A caller's text for use in problems, without lone surrogates, which strict JSON parsers refuse (RFC 7493, 2.1). */
const shortened = (text: string): string =>
  (text.length > LONGEST_ECHO ? `${text.slice(0, LONGEST_ECHO)}…` : text).toWellFormed();

/**
 * The issues without limits of a number that a tighter limit of the same number makes redundant. A whole number has the
 * limits of exact integers besides its own.
 */
function tightest(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const kept = new Map<unknown, z.core.$ZodIssue>();
  for (const issue of issues) {
    const isLimit =
      (issue.code === 'too_big' || issue.code === 'too_small') && !['string', 'array'].includes(issue.origin);
    const key = isLimit ? JSON.stringify([issue.code, issue.path]) : issue;
    const before = kept.get(key);
    if (before?.code === 'too_big' && issue.code === 'too_big' && before.maximum <= issue.maximum) continue;
    if (before?.code === 'too_small' && issue.code === 'too_small' && before.minimum >= issue.minimum)
      continue;
    kept.set(key, issue);
  }
  return [...kept.values()];
}

/** The issues of a schema as problem items. */
export function problemItems(issues: readonly z.core.$ZodIssue[], input: unknown): ProblemItem[] {
  return tightest(issues).flatMap((issue): ProblemItem[] => {
    const field = fieldPath(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: fieldPath([...issue.path, key]),
        code: 'unknownField',
        message: 'This field is not part of the operation.',
      }));
    }
    const isSecret = issue.path.length === 0 || issue.path.some((part) => SECRET_FIELDS.has(part));
    const rejectedValue = isSecret ? null : echo(valueAt(input, issue.path));
    const item = { field, message: issue.message, rejectedValue };
    if (issue.code === 'invalid_value') {
      const code = /status$/i.test(field) ? 'unknownStatus' : 'validationFailed';
      return [{ ...item, code, allowedValues: issue.values.map(String) }];
    }
    return [
      {
        ...item,
        code: isEmptyList(issue, valueAt(input, issue.path)) ? 'manifestsEmpty' : 'validationFailed',
      },
    ];
  });
}

/**
 * An error whose items repeat query parameters as the caller sent them: `007`, not 7. The code that finds a fault may
 * know only the parsed value.
 */
export function asSent(error: unknown, query: Record<string, string | string[]>): unknown {
  const isParsed = ({ field, rejectedValue }: ProblemItem) =>
    Object.hasOwn(query, field) && typeof rejectedValue !== 'string';
  if (!(error instanceof ProblemError) || !error.refusal.errors?.some(isParsed)) return error;
  const errors = error.refusal.errors.map((item) =>
    isParsed(item) ? { ...item, rejectedValue: echo(query[item.field]) } : item,
  );
  return new ProblemError({ ...error.refusal, errors }, error.headers);
}

/** Problem items for unknown query parameters. Their values are not repeated, because they may be secrets. */
export function unknownParameters(query: object, known: readonly string[]): ProblemItem[] {
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: shortened(name),
      code: 'unknownParameter',
      message: 'This query parameter is not part of the operation.',
      allowedValues: known,
    }));
}

/** Whether the issue is a missing or empty list of manifests. This has its own code. */
function isEmptyList({ code, path }: z.core.$ZodIssue, value: unknown): boolean {
  const missing =
    code === 'too_small' || (code === 'invalid_type' && (value === null || value === undefined));
  return missing && path.length === 1 && path[0] === 'manifests';
}

/** An item as one text. The path of the whole body is empty. */
const inWords = ({ field, message }: ProblemItem): string => `${field || 'The body'}: ${message}`;

/** One refusal for all items, with their common code or `validationFailed`. */
export function validationRefusal(errors: ProblemItem[]): Refusal {
  const codes = new Set(errors.map((item) => item.code));
  const [first] = errors;
  const allowed = first!.allowedValues;
  return refusal(
    codes.size === 1 ? first!.code : 'validationFailed',
    errors.length === 1
      ? inWords(first!)
      : `${errors.length} items of the request are not valid. The first: ${inWords(first!)}`,
    {
      errors,
      ...(allowed && errors.every(({ allowedValues }) => String(allowedValues) === String(allowed))
        ? { allowedValues: allowed }
        : {}),
    },
  );
}

/**
 * The name of a path in problems. It is cut after its first levels, because a body may have hundreds of thousands of
 * levels.
 */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.slice(0, LEVELS_NAMED_MAXIMUM).reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text ? `${text}.${shortened(String(part))}` : shortened(String(part));
  }, '');
}

/** The value at a path. A filter with several values may have been sent as one text with commas. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (typeof value === 'string') return typeof part === 'number' ? value.split(',')[part] : undefined;
    return (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  }, input);
}

/** A value as it was sent. A long text is shortened. A long list or object, or one with a secret, is left out. */
function echo(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  const budget = { rest: LONGEST_ECHO };
  const copy = copyOf(value, budget);
  return budget.rest < 0 ? null : (copy ?? null);
}

/** A copy with texts that strict JSON parsers take. It is not complete if the budget of characters is below zero. */
function copyOf(value: unknown, budget: { rest: number }): unknown {
  budget.rest -= typeof value === 'string' ? value.length : 1;
  if (typeof value === 'string') return value.toWellFormed();
  const number = sentNumber(value);
  if (number !== undefined || typeof value !== 'object' || value === null) return number ?? value;
  const copies: [name: string, copy: unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    budget.rest -= SECRET_FIELDS.has(name) ? Number.POSITIVE_INFINITY : name.length;
    if (budget.rest < 0) return undefined;
    copies.push([name.toWellFormed(), copyOf(item, budget)]);
  }
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies);
}
