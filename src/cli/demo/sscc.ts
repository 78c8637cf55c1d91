/** GS1 reserves prefix 952 for examples. No real pallet has these numbers. */
const EXTENSION_DIGIT = '3';
const COMPANY_PREFIX = '9521234';
/** Extension digit, company prefix and serial reference: all but the check digit. */
const DATA_DIGITS = 17;
const ORDER_DIGITS = 5;
const PRODUCT_DIGITS = 4;

/**
 * The check digit of GS1 keys (General Specifications, section 7.9). The digits have the weights 3 and 1 in turn, from
 * the right. The check digit makes their sum a multiple of ten.
 */
export function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/**
 * The SSCC-18 of an extension digit, a company prefix and a serial reference, which is padded to the remaining digits.
 * @throws RangeError for a part that is not digits, or a serial reference that does not fit
 */
export function sscc(extension: string, companyPrefix: string, serial: string): string {
  const room = DATA_DIGITS - extension.length - companyPrefix.length;
  if (!/^\d$/.test(extension) || !/^\d{4,12}$/.test(companyPrefix) || !/^\d+$/.test(serial)) {
    throw new RangeError(`Not the parts of an SSCC: ${extension}, ${companyPrefix}, ${serial}`);
  }
  if (serial.length > room) throw new RangeError(`Serial reference ${serial} has more than ${room} digits`);
  const data = extension + companyPrefix + serial.padStart(room, '0');
  return data + checkDigit(data);
}

/** Whether a text is an SSCC-18 with the right check digit. */
export function isSscc(text: string): boolean {
  return /^\d{18}$/.test(text) && checkDigit(text.slice(0, -1)) === text.at(-1);
}

/**
 * The SSCC for the pallet of an order line. One line has the same number in every run.
 * @throws RangeError for ids that are not numbers, or too long to share a serial reference
 */
export function palletSscc(orderId: string, productId: string): string {
  const serial = fixed(orderId, ORDER_DIGITS) + fixed(productId, PRODUCT_DIGITS);
  return sscc(EXTENSION_DIGIT, COMPANY_PREFIX, serial);
}

/** Padded to a fixed length. Otherwise two lines could have the same number. */
function fixed(id: string, digits: number): string {
  const number = /^0*(\d+)$/.exec(id)?.[1];
  if (number === undefined || number.length > digits) {
    throw new RangeError(`Not a number of at most ${digits} digits: ${id}`);
  }
  return number.padStart(digits, '0');
}
