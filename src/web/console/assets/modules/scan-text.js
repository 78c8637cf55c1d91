/** A symbology identifier (ISO/IEC 15424), which some scanners send before the text. */
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: FNC1 is read as group separator
const SEPARATORS = /[\u001d\u00e8]/g;
/**
 * An SSCC with application identifier 00: in parentheses as printed for people, or bare as scanners send it.
 */
const PRINTED = /\(00\)\s*((?:\d\s*){18})(?!\d)/;
const BARE = /^00(\d{18})/;
const CODE = /^[1-9]\d{0,15}$/;

/**
 * Reads a scanned or typed text. `ids`: possible ids of a pallet, the likeliest first. `marker`: the code of
 * a marker, or null. Finds the SSCC in GS1 element strings, with or without parentheses and symbology
 * identifier.
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

/**
 * An SSCC without parentheses. Without a symbology identifier the text must be exactly `00` and 18 digits.
 */
function bare(plain, isElementString) {
  const found = BARE.exec(plain);
  return found && (isElementString || plain.length === 20) ? found[1] : undefined;
}

/** An SSCC in groups of digits, as labels print it. */
function grouped(plain) {
  const digits = plain.replace(/\s/g, '');
  return /^\d{18}$/.test(digits) ? digits : undefined;
}
