/**
 * Case folding for uniqueness and searches that ignore case: NFC, upper case, lower case, NFC. `É` = `é` (either normal
 * form) and `ß` = `ss`. SQLite folds only ASCII, so the folded text is stored.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The non-empty texts, joined by commas. */
export const listed = (...texts: readonly (string | false | null | undefined)[]): string =>
  texts.filter(Boolean).join(', ');

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
