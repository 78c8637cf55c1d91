import { checkDigit } from '../../../src/pallet/gs1.ts';

/** The SSCC with a number. */
export function sscc(number: number): string {
  const digits = `3952123${String(number).padStart(10, '0')}`;
  return digits + checkDigit(digits);
}
