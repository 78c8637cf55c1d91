/**
 * Case folding for every comparison that ignores case: NFC, upper case, lower case, NFC.
 * `É` = `é` (either normal form) and `ß` = `ss`. SQLite folds ASCII only, so folded text is stored.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** What there is of some texts, in one line. */
export const listed = (...texts: readonly (string | false | null | undefined)[]): string =>
  texts.filter(Boolean).join(', ');

/** What to store beside a text that is folded by `lower()` of SQLite where that is enough: null, or the folded text. */
export function foldedBeyondAscii(text: string): string | null {
  const folded = fold(text);
  return folded === text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) ? null : folded;
}

/** Whether text can be stored and returned exactly: no NUL and no lone surrogate (RFC 3629 section 3). */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
