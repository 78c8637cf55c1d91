import { createHash } from 'node:crypto';
import type { z } from '@hono/zod-openapi';
import { canonicalJson } from '../lib/hash.ts';
import { ERRORS_MAXIMUM } from '../lib/problem.ts';

/** How many items of a long list are handled in one turn. Other requests are served between two turns. */
const PORTION_ITEMS = 1_000;

/** Does a piece of work in the turn of its request. */
type Turn = <T>(piece: () => T) => Promise<T>;

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > PORTION_ITEMS;

/** The starts of the portions of a list. */
const startsOf = (list: readonly unknown[]): number[] =>
  Array.from({ length: Math.ceil(list.length / PORTION_ITEMS) }, (_, portion) => portion * PORTION_ITEMS);

/**
 * Validate a body whose member `name` is a list, in portions of the list. The schema must check each item without the others.
 * A list with more than `maximum` items is refused as a whole.
 */
export async function parseInPortions(
  parse: (input: unknown) => z.ZodSafeParseResult<unknown>,
  input: unknown,
  { name, maximum }: { name: string; maximum: number },
  turn: Turn,
): Promise<{ data: unknown; issues: readonly z.core.$ZodIssue[] }> {
  const list = (input as Record<string, unknown> | null)?.[name];
  const isInPortions = isLong(list) && list.length <= maximum;
  const issues: z.core.$ZodIssue[] = [];
  const items: unknown[] = [];
  let whole: unknown;
  for (const start of isInPortions ? startsOf(list) : [0]) {
    const portion = isInPortions
      ? { ...(input as object), [name]: list.slice(start, start + PORTION_ITEMS) }
      : input;
    const { data, error } = await turn(() => parse(portion));
    for (const issue of error?.issues ?? []) {
      const [member, index, ...rest] = issue.path;
      if (member === name && typeof index === 'number')
        issues.push({ ...issue, path: [member, index + start, ...rest] });
      else if (start === 0) issues.push(issue);
    }
    if (issues.length > ERRORS_MAXIMUM) break;
    if (start === 0) whole = data;
    for (const item of ((data as Record<string, unknown> | undefined)?.[name] ?? []) as unknown[])
      items.push(item);
  }
  return {
    data: isInPortions && issues.length === 0 ? { ...(whole as object), [name]: items } : whole,
    issues,
  };
}

/** SHA-256 (hex) of a text and the canonical JSON of a body behind it. The long lists of the body are written in portions. */
export async function digestInPortions(text: string, body: unknown, turn: Turn): Promise<string> {
  const hash = createHash('sha256').update(text);
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || !Object.values(body).some(isLong))
    return turn(() => hash.update(canonicalJson(body)).digest('hex'));
  let separator = '{';
  for (const [name, value] of Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    if (!isLong(value)) hash.update(canonicalJson(value));
    else {
      for (const start of startsOf(value)) {
        const portion = value.slice(start, start + PORTION_ITEMS);
        await turn(() => hash.update(`${start === 0 ? '[' : ','}${canonicalJson(portion).slice(1, -1)}`));
      }
      hash.update(']');
    }
  }
  return hash.update('}').digest('hex');
}
