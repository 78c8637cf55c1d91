import { z } from '@hono/zod-openapi';
import { ERRORS_MAXIMUM, ProblemError, type ProblemItem, type Refusal, refusal } from '../lib/problem.ts';
import { sentNumber } from './exact-numbers.ts';
import { plainMessage } from './validation-messages.ts';

z.config({ customError: plainMessage });

const LONGEST_ECHO = 300;
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

/**
 * The issues that are no consequences of another one. A value of the wrong type has only this issue, and an empty text has
 * only its first. An empty text is no time zone either.
 */
function causes(issues: readonly z.core.$ZodIssue[], input: unknown): z.core.$ZodIssue[] {
  const keyOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String));
  const first = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const key = keyOf(issue);
    const isFirstOfEmpty = valueAt(input, issue.path) === '' && !first.has(key);
    if (issue.code === 'invalid_type' || isFirstOfEmpty) first.set(key, issue);
  }
  return issues.filter(
    (issue) => issue.code === 'unrecognized_keys' || (first.get(keyOf(issue)) ?? issue) === issue,
  );
}

/**
 * The issues of a schema as problem items, one more than a refusal lists at most. `sent` is the input with its numbers as
 * they were sent. It is made only to repeat a value with a number.
 */
export function problemItems(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  sent = () => input,
): ProblemItem[] {
  const items: ProblemItem[] = [];
  for (const issue of causes(tightest(issues), input)) {
    for (const item of itemsOf(issue, input, sent)) {
      items.push(item);
      if (items.length > ERRORS_MAXIMUM) return items;
    }
  }
  return items;
}

function* itemsOf(issue: z.core.$ZodIssue, input: unknown, sent: () => unknown): Generator<ProblemItem> {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      yield {
        field: fieldPath([...issue.path, key]),
        code: 'unknownField',
        message: 'This field is not part of the operation.',
      };
    }
    return;
  }
  const field = fieldPath(issue.path);
  const value = valueAt(input, issue.path);
  const isSecret = issue.path.length === 0 || issue.path.some((part) => SECRET_FIELDS.has(part));
  const mayHaveNumber = typeof value === 'number' || (typeof value === 'object' && value !== null);
  const rejectedValue = isSecret ? null : echo(mayHaveNumber ? valueAt(sent(), issue.path) : value);
  const item = { field, message: issue.message, rejectedValue };
  if (issue.code === 'invalid_value') {
    const code = /status$/i.test(field) ? 'unknownStatus' : 'validationFailed';
    yield { ...item, code, allowedValues: issue.values.map(String) };
  } else {
    yield { ...item, code: isEmptyList(issue, value) ? 'manifestsEmpty' : 'validationFailed' };
  }
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

/**
 * Problem items for unknown query parameters, one more than a refusal lists at most. Their values are not repeated,
 * because they may be secrets.
 */
export function unknownParameters(query: object, known: readonly string[]): ProblemItem[] {
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .slice(0, ERRORS_MAXIMUM + 1)
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

/** The number of items. Nobody counts further than a refusal lists. */
const counted = ({ length }: ProblemItem[]): string =>
  length > ERRORS_MAXIMUM ? `More than ${ERRORS_MAXIMUM}` : `${length}`;

/** One refusal for all items, with their common code or `validationFailed`. It lists the first `ERRORS_MAXIMUM` items. */
export function validationRefusal(errors: ProblemItem[]): Refusal {
  const codes = new Set(errors.map((item) => item.code));
  const [first] = errors;
  const allowed = first!.allowedValues;
  return refusal(
    codes.size === 1 ? first!.code : 'validationFailed',
    errors.length === 1
      ? inWords(first!)
      : `${counted(errors)} items of the request are not valid. The first: ${inWords(first!)}`,
    {
      errors,
      ...(allowed && errors.every(({ allowedValues }) => String(allowedValues) === String(allowed))
        ? { allowedValues: allowed }
        : {}),
    },
  );
}

/** The name of a path in problems. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
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

/** The sent value, unchanged. A long text is shortened. A long list or object, or one with a secret, is left out. */
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
  // The members are read one by one, because a list may have 340,000 items.
  const names: Iterable<string | number> = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of names) {
    const name = String(key);
    budget.rest -= SECRET_FIELDS.has(name) ? Number.POSITIVE_INFINITY : name.length;
    if (budget.rest < 0) return undefined;
    copies.push([name.toWellFormed(), copyOf((value as Record<string, unknown>)[name], budget)]);
  }
  return Array.isArray(value) ? copies.map(([, copy]) => copy) : Object.fromEntries(copies);
}
