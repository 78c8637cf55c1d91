import type { z } from '@hono/zod-openapi';
import { isStorable } from '../lib/text.ts';

/** Why a text is refused that cannot be stored and returned unchanged. */
export const TEXT_FAULT = 'Text has to be well-formed Unicode without NUL.';
const KEY_FAULT = 'The name of a field has to be well-formed Unicode without NUL.';
const NUMBER_FAULT = 'A number has to be finite: of at most 1.7976931348623157e308.';

/** Where a value is in a body, from the inside out. */
interface Place {
  outer: Place | null;
  part: string | number;
}

/**
 * The values of a parsed JSON body that cannot be stored or repeated unchanged, at any depth: numbers beyond the range
 * of a double, which `JSON.parse` reads as Infinity, and texts and keys that are not well-formed Unicode or contain NUL.
 * The schema of an operation does not look into the fields that it ignores.
 */
export function unstorableIssues(json: unknown): z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = [];
  const report = (message: string, place: Place | null) =>
    issues.push({ code: 'custom', message, path: pathOf(place), input: undefined });
  // A queue instead of recursion: a body may be nested deeper than the call stack.
  const queue: { value: unknown; place: Place | null }[] = [{ value: json, place: null }];
  for (const { value, place } of queue) {
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) report(NUMBER_FAULT, place);
    } else if (typeof value === 'string') {
      if (!isStorable(value)) report(TEXT_FAULT, place);
    } else if (Array.isArray(value)) {
      for (const [part, item] of value.entries()) queue.push({ value: item, place: { outer: place, part } });
    } else if (value !== null && typeof value === 'object') {
      for (const [part, item] of Object.entries(value)) {
        const inner = { outer: place, part };
        if (!isStorable(part)) report(KEY_FAULT, inner);
        queue.push({ value: item, place: inner });
      }
    }
  }
  return issues;
}

function pathOf(place: Place | null): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at !== null; at = at.outer) path.push(at.part);
  return path.reverse();
}
