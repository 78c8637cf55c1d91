import { zonedIn } from './zone.ts';

/** A value in a CSV file; a date stands for an instant. */
export type Plain = string | number | Date | null;

/**
 * Texts that a spreadsheet would take for a formula, also behind white space and in full width (OWASP, CSV injection).
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * A line of a file (RFC 4180). A text that a spreadsheet would take for a formula has an apostrophe before it; instants
 * are written in the time zone with their offset.
 */
export const csvLine = (values: readonly Plain[], zone: string): string =>
  `${values.map((value) => cell(value, zone)).join(',')}\r\n`;

function cell(value: Plain, zone: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return zonedIn(zone, value.getTime());
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
