import type { AppContext } from './types.ts';

/** Percent-encoded bytes. */
const ESCAPED = /(?:%[0-9a-f]{2})+/gi;
/** Replaces bytes that are not UTF-8. A lone surrogate is not valid text either, so every text schema refuses it. */
const NO_TEXT = '\ud800';

function textOf(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return NO_TEXT;
  }
}

/** The names and values of a query in order. Bytes that are not UTF-8 become a lone surrogate. */
function pairsOf(c: AppContext): [name: string, value: string][] {
  const decoded = (part: string) => part.replaceAll('+', ' ').replace(ESCAPED, textOf);
  const [address] = c.req.url.split('#', 1);
  const start = address!.indexOf('?');
  if (start === -1) return [];
  return address!
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, ...value] = pair.split('=');
      return [decoded(name!), decoded(value.join('='))];
    });
}

/** The query parameters: a string, or all values of a repeated parameter. */
export function queryOf(c: AppContext): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of pairsOf(c)) {
    const before = values.get(name);
    // Change the list in place: a query may repeat one parameter thousands of times.
    if (Array.isArray(before)) before.push(value);
    else values.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(values);
}

/** The path parameters. Bytes that are not UTF-8 become a lone surrogate; Hono would leave them encoded. */
export function parameterNamesOf(c: AppContext): Record<string, string> {
  const names = c.req.param();
  if (!c.req.url.includes('%')) return names;
  const escapes = new URL(c.req.url).pathname.match(ESCAPED) ?? [];
  if (!escapes.some((bytes) => textOf(bytes) === NO_TEXT)) return names;
  return Object.fromEntries(
    Object.entries(names).map(([name, value]) => [
      name,
      value.replace(ESCAPED, (bytes) => (textOf(bytes) === NO_TEXT ? NO_TEXT : bytes)),
    ]),
  );
}
