/** What symbology identifiers (ISO/IEC 15424) scanners may put before what they read, and the separator within. */
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: FNC1 is read as group separator
const SEPARATORS = /[\u001d\u00e8]/g;
/** Application identifier 00: an SSCC, with parentheses as people print them, or bare as scanners type it. */
const PRINTED = /\(00\)\s*((?:\d\s*){18})(?!\d)/;
const BARE = /^00(\d{18})/;
const CODE = /^[1-9]\d{0,15}$/;

/**
 * What somebody scanned or typed: a pallet by one of these ids, the likeliest first, or the marker of this code. Takes the
 * SSCC of GS1 element strings, with application identifiers in parentheses or without, and the symbology identifier.
 */
export function readScan(text) {
  const trimmed = text.trim();
  const plain = trimmed.replace(SYMBOLOGY, '').replace(SEPARATORS, '').trim();
  const isElementString = plain !== trimmed;
  const sscc = PRINTED.exec(plain)?.[1].replace(/\s/g, '') ?? bare(plain, isElementString);
  const ids = [...new Set([sscc, grouped(plain), plain, trimmed].filter(Boolean))];
  const marker = CODE.test(plain) && Number(plain) <= Number.MAX_SAFE_INTEGER ? Number(plain) : null;
  return { ids, marker };
}

/** Without a symbology identifier only the whole of `00` and 18 digits is meant to be one. */
function bare(plain, isElementString) {
  const found = BARE.exec(plain);
  return found && (isElementString || plain.length === 20) ? found[1] : undefined;
}

/** An SSCC as labels print it, in groups. */
function grouped(plain) {
  const digits = plain.replace(/\s/g, '');
  return /^\d{18}$/.test(digits) ? digits : undefined;
}
