import type { z } from '@hono/zod-openapi';
import { NUMBER_FAULT } from './unstorable.ts';

/** The types of zod in words. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'This is not an e-mail address.',
  url: 'This is not a URL.',
  uuid: 'This is not a UUID.',
};

/** A limit of a text, a list or a number. An exclusive limit of a number is not allowed itself. */
function limit({ origin, inclusive }: z.core.$ZodRawIssue, word: 'least' | 'most', bound: number): string {
  const plural = bound === 1 ? '' : 's';
  if (origin === 'string') return `The text must have at ${word} ${bound} character${plural}.`;
  if (origin === 'array') return `The list must have at ${word} ${bound} item${plural}.`;
  if (inclusive === false) return `The number must be ${word === 'least' ? 'more' : 'less'} than ${bound}.`;
  return `The number must be at ${word} ${bound}.`;
}

/**
 * The message of an issue whose schema has no message of its own. It never repeats the input, which may be a secret.
 * @returns undefined for rare issues, which keep the message of zod.
 */
export function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (typeof issue.input === 'number' && !Number.isFinite(issue.input)) return NUMBER_FAULT;
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'This is required.';
      // Also a query parameter that appears more than once.
      if (issue['expected'] === 'string' && Array.isArray(issue.input))
        return 'This must be one text, not several.';
      const type = TYPES[String(issue['expected'])];
      return type === undefined ? undefined : `This must be ${type}.`;
    }
    case 'too_small':
      return limit(issue, 'least', Number(issue['minimum']));
    case 'too_big':
      return limit(issue, 'most', Number(issue['maximum']));
    case 'invalid_value':
      return `Use ${(issue['values'] as unknown[]).length === 1 ? '' : 'one of: '}${(issue['values'] as unknown[]).join(', ')}.`;
    case 'invalid_format':
      return FORMATS[String(issue['format'])] ?? 'This has the wrong format.';
    case 'invalid_union':
      return 'This value has a type or format that is not allowed here.';
    default:
      return undefined;
  }
}
