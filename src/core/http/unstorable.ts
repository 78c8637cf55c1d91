import type { z } from '@hono/zod-openapi';
import { isStorable } from '../lib/text.ts';

/** The reason to refuse a text that cannot be stored and returned unchanged. */
export const TEXT_FAULT = 'Text has to be well-formed Unicode without NUL.';
const KEY_FAULT = 'The name of a field has to be well-formed Unicode without NUL.';
/** The reason to refuse a number that `JSON.parse` reads as infinite. */
export const NUMBER_FAULT = 'A number must be finite: at most 1.7976931348623157e308.';

/** The path of a value in a body, as a linked list from the inside out. */
interface BodyPath {
  outer: BodyPath | null;
  part: string | number;
}

/**
 * The values of a parsed JSON body, at any depth, that cannot be stored or returned unchanged. These are numbers beyond
 * the range of a double, which `JSON.parse` reads as Infinity, and texts and keys that are not well-formed Unicode or
 * contain NUL. The schema of an operation does not check the fields that it ignores.
 */
export function unstorableIssues(json: unknown): z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = [];
  const report = (message: string, path: BodyPath | null) =>
    issues.push({ code: 'custom', message, path: partsOf(path), input: undefined });
  // A queue instead of recursion: a body may be nested deeper than the call stack.
  const queue: { value: unknown; path: BodyPath | null }[] = [{ value: json, path: null }];
  for (const { value, path } of queue) {
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) report(NUMBER_FAULT, path);
    } else if (typeof value === 'string') {
      if (!isStorable(value)) report(TEXT_FAULT, path);
    } else if (Array.isArray(value)) {
      for (const [part, item] of value.entries()) queue.push({ value: item, path: { outer: path, part } });
    } else if (value !== null && typeof value === 'object') {
      for (const [part, item] of Object.entries(value)) {
        const inner = { outer: path, part };
        if (!isStorable(part)) report(KEY_FAULT, inner);
        queue.push({ value: item, path: inner });
      }
    }
  }
  return issues;
}

function partsOf(path: BodyPath | null): (string | number)[] {
  const parts: (string | number)[] = [];
  for (let at: BodyPath | null = path; at !== null; at = at.outer) parts.push(at.part);
  return parts.reverse();
}
