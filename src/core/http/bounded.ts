import { type AppContext, origin } from './types.ts';

/** The maximum bytes of JSON items in one answer. With the rest, an answer stays below 10 MB. */
export const ANSWER_BYTES = 9_500_000;
/** The maximum bytes of a page of events with more than one event. */
export const PAGE_BYTES = 4_000_000;
/** The bytes of rows that D1 returns at once: in the first call, and in each further one. */
export const FIRST_BYTES = 256 * 1024;
export const PORTION_BYTES = 1024 * 1024;
/** The memory that making an answer takes that needs more than one call: the answer and one portion. */
export const LARGE_ANSWER_BYTES = 18 * 1024 * 1024;
/** The maximum for one of 100 items on a page. */
const ITEM_BYTES = ANSWER_BYTES / 100;

const encoder = new TextEncoder();
/** The length of a text in bytes of UTF-8. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/**
 * Serialise a resource in at most `maximum` bytes. If it is larger, its longest list is cut, and it gets `truncated:
 * true`. All other members of a resource are bounded already.
 */
export function fitting(shown: object, maximum = ITEM_BYTES): string {
  const whole = JSON.stringify(shown);
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (whole.length * 3 <= maximum || bytesOf(whole) <= maximum) return whole;
  const cut = { ...JSON.parse(whole), truncated: true };
  const lists = listsOf(cut).map((list) => ({ list, bytes: bytesOf(JSON.stringify(list)) }));
  let over = bytesOf(JSON.stringify(cut)) - maximum;
  for (const { list } of lists.sort((one, two) => two.bytes - one.bytes)) {
    while (over > 0 && list.length > 0) over -= bytesOf(JSON.stringify(list.pop())) + 1;
  }
  return JSON.stringify(cut);
}

/** The lists within a value, without the lists inside them. */
function listsOf(value: unknown): unknown[][] {
  if (Array.isArray(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsOf) : [];
}

/** Answer with JSON that is already serialised. */
export const jsonText = (c: AppContext, text: string): Response =>
  c.body(text, 200, { 'Content-Type': 'application/json' });

/**
 * Set the `Link` header to the next part of a list. `position` is the parameter for its start; it replaces the
 * parameter `instead`.
 */
export function linkNext(c: AppContext, position: { name: string; value: string; instead?: string }): void {
  const url = new URL(c.req.url);
  if (position.instead) url.searchParams.delete(position.instead);
  url.searchParams.set(position.name, position.value);
  c.header('Link', `<${origin(c)}${url.pathname}${url.search}>; rel="next"`);
}
