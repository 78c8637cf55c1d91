import { zonedIn } from './zone.ts';

/** A value in a CSV file. A date is an instant. */
export type Plain = string | number | Date | null;

/**
 * Matches each point of a text where a spreadsheet program could see the start of a formula (OWASP, CSV injection).
 * Such a point is at the start of the text, or after `;`, `,`, a tab, `|` or a line end. A program may take any of
 * these as separator. Invisible characters and quotation marks are skipped, as programs drop them. The match ends
 * before the formula's first character, and includes apostrophes before it.
 */
const BEGINNING = /(?<=^|[;,|\t\r\n])([\p{Z}\p{Cf}\v\f"]*'*)(?=[=+\-@＝＋－＠\t]|\r(?!\n))/gu;

/**
 * A line of a CSV file (RFC 4180), with every cell in quotation marks. An apostrophe before each formula keeps it text,
 * whichever separator the reader uses. Instants are written in the time zone, with their offset.
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
