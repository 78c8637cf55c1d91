/**
 * Whether a text is a GS1 key with this number of digits and a valid check digit (General Specifications, section 7.9).
 * Weights 3 and 1 alternate from the right, and the check digit completes the sum to a multiple of ten.
 */
function isKey(text: string, digits: number): boolean {
  if (text.length !== digits || !/^\d+$/.test(text)) return false;
  return checkDigit(text.slice(0, -1)) === text.at(-1);
}

export function checkDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) sum += Number(digits[i]) * ((digits.length - i) % 2 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

/** Whether a text is an SSCC, the number of a logistic unit. */
export const isSscc = (text: string): boolean => isKey(text, 18);

/** Whether a text is a GLN, the number of a location. */
export const isGln = (text: string): boolean => isKey(text, 13);

/**
 * The SSCC that a text is in one of its three spellings: 18 digits, `00` + 18 digits, or `(00)` + 18 digits. Undefined
 * for any other text, also for a wrong check digit.
 */
export function ssccOf(text: string): string | undefined {
  const digits = /^(?:\(00\)|00)?(\d{18})$/.exec(text)?.[1];
  return digits !== undefined && isSscc(digits) ? digits : undefined;
}

/** The spellings of an SSCC under which a pallet may be stored, the plain one first. */
export const ssccSpellings = (sscc: string): string[] => [sscc, `00${sscc}`, `(00)${sscc}`];

/**
 * The groups in which an SSCC is displayed. The last group distinguishes pallets of one sender. Undefined for any other
 * text.
 */
export const ssccGroups = (id: string): string[] | undefined =>
  /^(\d{4})(\d{4})(\d{4})(\d{2})(\d{4})$/.exec(id)?.slice(1);
