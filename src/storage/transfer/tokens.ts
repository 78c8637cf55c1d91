const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `,` `:` `[` `{` */
const TOKENS = new Set([0x2c, 0x3a, 0x5b, 0x7b]);

/** The JSON of a line; undefined for a text that is not JSON in UTF-8, or that has too many members and elements. */
export function parseLine(bytes: Uint8Array, tokensMaximum: number): unknown {
  if (!hasFewTokens(bytes, tokensMaximum)) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/**
 * Whether a JSON text has at most this many members and elements, counted outside its strings. This is much cheaper than
 * parsing a text that has millions of them.
 */
function hasFewTokens(bytes: Uint8Array, maximum: number): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      // Without an end it is not JSON, which parsing notices at once.
      if (at < 0) return true;
    } else if (TOKENS.has(byte)) {
      count += 1;
      if (count > maximum) return false;
    }
  }
  return true;
}

/** Where the string that starts at a quotation mark ends; -1 for nowhere. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
