import { LEVELS_MAXIMUM } from '../../core/http/body.ts';
import { type Budget, declareReader } from '../../core/lib/reader.ts';

const MIB = 1024 * 1024;

/** Reads a line of an export: the JSON of the line, and the JSON in its columns. */
export const lineReader = declareReader('line of an export', {
  /** A row has at most 2 MB. Its text is escaped, JSON twice. */
  bytes: 5 * MIB,
  /** Members and elements of a line; a row has fewer than 50 columns. */
  members: 1_000,
  /** Members and elements of the first line, which has the totals of all lists, or of all JSON columns of a row. */
  values: 100_000,
});
export type LineBudget = Budget<'bytes' | 'members' | 'values'>;

/** `"` `\` `,` `:` `[` `{` `]` `}` */
const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x7b, 0x5d, 0x7d,
];

/**
 * The JSON of a line; undefined for bytes that are not JSON in UTF-8. `kind` says how its members and elements are paid.
 * @throws `OverBudget`
 */
export function parseLine(bytes: Uint8Array, budget: LineBudget, kind: 'members' | 'values'): unknown {
  const text = utf8(bytes);
  return text === undefined ? undefined : parsed(text, budget, kind);
}

/** The JSON in a column; undefined for a text that is not JSON, or has too many levels. @throws `OverBudget` */
export const parseCell = (text: string, budget: LineBudget): unknown =>
  parsed(text, budget, 'values', LEVELS_MAXIMUM);

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Pay for the members and elements of a JSON text, and parse it. */
function parsed(
  text: string,
  budget: LineBudget,
  kind: 'members' | 'values',
  levelsMaximum = Number.POSITIVE_INFINITY,
): unknown {
  const { parts, levels } = sizeOf(text);
  budget.charge(kind, parts);
  if (levels > levelsMaximum) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The number of members and elements of a JSON text, and of its levels, counted outside its strings. This is much cheaper
 * than parsing a text that has millions of them.
 */
function sizeOf(text: string): { parts: number; levels: number } {
  let [parts, depth, levels] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === COLON) parts += 1;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      parts += 1;
      depth += 1;
      levels = Math.max(levels, depth);
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
  }
  return { parts, levels };
}

/** Where the string that starts at a quotation mark ends. Without an end it is not JSON, which parsing notices at once. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
