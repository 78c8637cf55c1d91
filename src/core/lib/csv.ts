import { zonedIn } from './zone.ts';

/** A value in a CSV file; a date stands for an instant. */
export type Plain = string | number | Date | null;

/**
 * The places of a text where a cell begins for programs that take `;`, `,`, a tab, `|` or a line end for a separator, and
 * where its first visible character would make it a formula (OWASP, CSV injection): up to that character, with the
 * apostrophes before it. Invisible characters and quotation marks do not count, as programs drop them.
 */
const BEGINNING = /(?<=^|[;,|\t\r\n])([\p{Z}\p{Cf}\v\f"]*'*)(?=[=+\-@＝＋－＠\t]|\r(?!\n))/gu;

/**
 * A line of a file (RFC 4180), every cell in quotation marks. An apostrophe guards every formula in a text, so that it
 * is text by whichever separator the file is read. Instants are written in the time zone with their offset.
 */
export const csvLine = (values: readonly Plain[], zone: string): string =>
  `${values.map((value) => `"${cell(value, zone).replaceAll('"', '""')}"`).join(',')}\r\n`;

/** The text of a cell without the apostrophes that `csvLine` put into it. */
export const unguarded = (text: string): string =>
  text.replace(BEGINNING, (beginning) => beginning.replace("'", ''));

function cell(value: Plain, zone: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return zonedIn(zone, value.getTime());
  return value.replace(BEGINNING, "$1'");
}
