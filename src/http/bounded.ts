import { type AppContext, origin } from './types.ts';

/** Bytes of JSON that one answer holds; with what is around it an answer stays below 10 MB. */
export const ANSWER_BYTES = 9_500_000;
/** The same for one of 100 on a page. */
const ITEM_BYTES = ANSWER_BYTES / 100;

const encoder = new TextEncoder();
/** Bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => encoder.encode(text).length;

/**
 * A resource as JSON of at most so many bytes: the longest of its lists ends earlier where it would be larger, and it says
 * `truncated: true`. What else a resource has is bounded by itself.
 */
export function fitting(shown: object, maximum = ITEM_BYTES): string {
  const whole = JSON.stringify(shown);
  // No character takes more than three bytes a code unit.
  if (whole.length * 3 <= maximum || bytesOf(whole) <= maximum) return whole;
  const cut = { ...JSON.parse(whole), truncated: true };
  const lists = listsOf(cut).map((list) => ({ list, bytes: bytesOf(JSON.stringify(list)) }));
  let over = bytesOf(JSON.stringify(cut)) - maximum;
  for (const { list } of lists.sort((one, two) => two.bytes - one.bytes)) {
    while (over > 0 && list.length > 0) over -= bytesOf(JSON.stringify(list.pop())) + 1;
  }
  return JSON.stringify(cut);
}

/** The lists that stand within a value, but for those within lists. */
function listsOf(value: unknown): unknown[][] {
  if (Array.isArray(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsOf) : [];
}

/** The first of these texts, at least one, that fit an answer together. */
export function firstFitting(texts: Iterable<string>): { texts: string[]; all: boolean } {
  const taken: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    bytes += bytesOf(text) + 1;
    if (bytes > ANSWER_BYTES && taken.length > 0) return { texts: taken, all: false };
    taken.push(text);
  }
  return { texts: taken, all: true };
}

/** Answer JSON that is text already. */
export const jsonText = (c: AppContext, text: string): Response =>
  c.body(text, 200, { 'Content-Type': 'application/json' });

/** Name where a list goes on, in the header `Link`; `position` takes the place of where it began. */
export function linkNext(c: AppContext, position: { name: string; value: string; instead?: string }): void {
  const url = new URL(c.req.url);
  if (position.instead) url.searchParams.delete(position.instead);
  url.searchParams.set(position.name, position.value);
  c.header('Link', `<${origin(c)}${url.pathname}${url.search}>; rel="next"`);
}
