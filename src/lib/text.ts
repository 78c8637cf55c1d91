/**
 * Case folding for every comparison that ignores case: NFC, upper case, lower case, NFC.
 * `É` = `é` (either normal form) and `ß` = `ss`. SQLite folds ASCII only, so folded text is stored.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Those of these texts that are not empty, in one line. */
export const listed = (...texts: readonly (string | false | null | undefined)[]): string =>
  texts.filter(Boolean).join(', ');

/** The folded text to store beside a text, where `lower()` of SQLite would not fold it fully; else null. */
export function foldedBeyondAscii(text: string): string | null {
  const folded = fold(text);
  return folded === text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ? null : folded;
}

/** Whether a text can be stored and returned unchanged: it has no NUL and no lone surrogate (RFC 3629 section 3). */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
