/**
 * Case folding for uniqueness and searches, where case does not count: NFC, upper case, lower case, NFC.
 * `É` = `é` (either normal form) and `ß` = `ss`. SQLite folds ASCII only, so folded text is stored.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Those of these texts that are not empty, in one line. */
export const listed = (...texts: readonly (string | false | null | undefined)[]): string =>
  texts.filter(Boolean).join(', ');

/** Whether a text has only printable ASCII characters (RFC 20). */
export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * A text with its ASCII letters in lower case, to compare what identifies somebody: e-mail addresses and slugs. `fold`
 * takes different domains for the same (`faß.de` and `fass.de`), so it is for uniqueness and searches only.
 */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The folded text to store beside a text, where `lower()` of SQLite would not fold it fully; else null. */
export function foldedBeyondAscii(text: string): string | null {
  const folded = fold(text);
  return folded === lowerAscii(text) ? null : folded;
}

/** Whether a text can be stored and returned unchanged: it has no NUL and no lone surrogate (RFC 3629 section 3). */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
