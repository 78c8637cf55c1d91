/**
 * Case folding for uniqueness and searches that ignore case: NFC, upper case, lower case, NFC. `É` = `é` (either normal
 * form) and `ß` = `ss`. SQLite folds only ASCII, so the folded text is stored.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** A text in NFC without white space at its ends. Each run of white space in it is one blank. */
export const singleBlanks = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ');

/** The non-empty texts, joined by commas. */
export const listed = (...texts: readonly (string | false | null | undefined)[]): string =>
  texts.filter(Boolean).join(', ');

/** A text without slashes at its end. A pattern would look at each run of slashes once for each of its slashes. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** Whether a text has so many characters. They are counted only if needed: a character has one or two code units. */
export function hasLength(text: string, minimum: number, maximum: number): boolean {
  if (text.length > 2 * maximum) return false;
  const isExact = text.length >= 2 * minimum && text.length <= maximum;
  const length = isExact ? text.length : [...text].length;
  return length >= minimum && length <= maximum;
}

/** Whether a text has only printable ASCII characters (RFC 20). */
export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * A text with its ASCII letters in lower case, to compare identifiers such as e-mail addresses and slugs. `fold` treats
 * different domains as equal (`faß.de` and `fass.de`). So it is only for uniqueness and searches.
 */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The folded text to store beside a text; null if `lower()` of SQLite already folds it fully. */
export function foldedBeyondAscii(text: string): string | null {
  const folded = fold(text);
  return folded === lowerAscii(text) ? null : folded;
}

/** Whether a text can be stored and returned unchanged: it has no NUL and no lone surrogate (RFC 3629 section 3). */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
