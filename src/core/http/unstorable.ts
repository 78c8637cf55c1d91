import type { z } from '@hono/zod-openapi';
import { isStorable } from '../lib/text.ts';

/** The reason to refuse a text that cannot be stored and returned unchanged. */
export const TEXT_FAULT = 'Text has to be well-formed Unicode without NUL.';
const KEY_FAULT = 'The name of a field has to be well-formed Unicode without NUL.';
/** The reason to refuse a number that `JSON.parse` reads as infinite. */
export const NUMBER_FAULT = 'A number must be finite: at most 1.7976931348623157e308.';

/**
 * Find the values of a parsed JSON body, at any depth, that cannot be stored or returned unchanged. These are numbers
 * beyond the range of a double, which `JSON.parse` reads as Infinity, and texts and keys that are not well-formed Unicode
 * or contain NUL. The schema of an operation does not check the fields that it ignores. The search ends when `found`
 * returns false. The body must not be nested deep (`readJson`).
 */
export function findUnstorable(json: unknown, found: (issue: z.core.$ZodIssue) => boolean): void {
  search(json, [], (message, path) => found({ code: 'custom', message, path: [...path], input: undefined }));
}

/** Search a value. `path` is changed in place, so that a path is made only for a fault. Returns whether to continue. */
function search(
  value: unknown,
  path: (string | number)[],
  found: (message: string, path: readonly (string | number)[]) => boolean,
): boolean {
  if (typeof value === 'number') return Number.isFinite(value) || found(NUMBER_FAULT, path);
  if (typeof value === 'string') return isStorable(value) || found(TEXT_FAULT, path);
  if (value === null || typeof value !== 'object') return true;
  const at = path.length;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path[at] = index;
      if (!search(value[index], path, found)) return false;
    }
  } else {
    for (const name in value) {
      path[at] = name;
      if (!isStorable(name) && !found(KEY_FAULT, path)) return false;
      if (!search((value as Record<string, unknown>)[name], path, found)) return false;
    }
  }
  path.length = at;
  return true;
}
