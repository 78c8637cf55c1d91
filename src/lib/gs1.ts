/**
 * Whether a text is a GS1 key of so many digits with the right check digit (General Specifications, section 7.9): weights
 * 3 and 1 in turn from the right, and what the sum lacks to the next ten.
 */
function isKey(text: string, digits: number): boolean {
  if (text.length !== digits || !/^\d+$/.test(text)) return false;
  return checkDigit(text.slice(0, -1)) === text.at(-1);
}

/** The check digit behind these digits. */
export function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Whether a text is the number of a logistic unit (SSCC). */
export const isSscc = (text: string): boolean => isKey(text, 18);

/** Whether a text is the number of a place (GLN). */
export const isGln = (text: string): boolean => isKey(text, 13);

/** The groups in which people read an SSCC, the last of which tells pallets of one sender apart; of any other text nothing. */
export const ssccGroups = (id: string): string[] | undefined =>
  /^(\d{4})(\d{4})(\d{4})(\d{2})(\d{4})$/.exec(id)?.slice(1);
