import { pathParams } from './routing.ts';
import type { AppContext } from './types.ts';

/** Bytes as a URL writes them. */
const ESCAPED = /(?:%[0-9a-f]{2})+/gi;
/** In the place of bytes that are not UTF-8: what is no text either, so that whatever takes text refuses it. */
const NO_TEXT = '\ud800';

function textOf(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return NO_TEXT;
  }
}

/** What a query says, in its order: names and values, a lone surrogate where they are not UTF-8. */
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

/** Query parameters: a string, or all values of one that is repeated. */
export function queryOf(c: AppContext): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of pairsOf(c)) {
    const before = values.get(name);
    values.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(values);
}

/** Names in the path, a lone surrogate where they are not UTF-8: Hono leaves those bytes as they are written. */
export function namesOf(c: AppContext): Record<string, string> {
  const names = pathParams(c);
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
