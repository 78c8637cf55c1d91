import { zonedIn } from './zone.ts';

/** A value in the file of a table. A date is an instant. A number is a quantity: the number of a thing is a text. */
export type Plain = string | number | Date | null;

/** A file of a table that is written in parts, in this order. */
export interface TableFile {
  head(labels: readonly string[]): string | Uint8Array;
  rows(rows: readonly (readonly Plain[])[]): string | Uint8Array;
  end(): string | Uint8Array;
}

/** The byte order mark. Spreadsheets use it to recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** A CSV file. */
export class CsvFile implements TableFile {
  readonly #zone: string;

  constructor(zone: string) {
    this.#zone = zone;
  }

  head(labels: readonly string[]): string {
    return BYTE_ORDER_MARK + this.rows([labels]);
  }

  rows(rows: readonly (readonly Plain[])[]): string {
    return rows.map((row) => csvLine(row, this.#zone)).join('');
  }

  end(): string {
    return '';
  }
}

/**
 * Matches each point of a text where a spreadsheet program could see the start of a formula (OWASP, CSV injection).
 * Such a point is at the start of the text, or after `;`, `,`, a tab, `|` or a line end. A program may take any of
 * these as separator. Invisible characters and quotation marks are skipped, as programs drop them. The match ends
 * before the formula's first character, and includes apostrophes before it.
 */
const BEGINNING = /(?<=^|[;,|\t\r\n])([\p{Z}\p{Cf}\v\f"]*'*)(?=[=+\-@＝＋－＠\t]|\r(?!\n))/gu;

/**
 * A line of a CSV file (RFC 4180), with every cell in quotation marks. An apostrophe before each formula keeps it text,
 * whichever separator the reader uses. An apostrophe before a text with blanks at its ends or invisible characters keeps
 * these. Instants are written in the time zone, with their offset.
 */
export const csvLine = (values: readonly Plain[], zone: string): string =>
  `${values.map((value) => `"${cell(value, zone).replaceAll('"', '""')}"`).join(',')}\r\n`;

/**
 * The text of a cell without the apostrophes that `csvLine` put into it. Such an apostrophe also shows that the text was
 * exported with every character: see `isGuarded`.
 */
export function unguarded(text: string): string {
  if (!text.includes("'")) return text;
  const plain = text.replace(BEGINNING, (beginning) => beginning.replace("'", ''));
  const isEdgeGuarded =
    text.startsWith("'") && text.search(BEGINNING) !== 0 && REMOVABLE.test(plain.slice(1));
  return isEdgeGuarded ? plain.slice(1) : plain;
}

/**
 * The text of a cell of a workbook. Readers of lists take away marks of people and CSV files, such as apostrophes. A text
 * that would lose characters gets the same apostrophes as in a CSV file.
 */
export const sheetText = (text: string): string =>
  REMOVABLE.test(text) || isGuarded(text) || /^\s*=/.test(text) ? guarded(text) : text;

/** Whether `csvLine` put apostrophes into the text of a cell. */
export const isGuarded = (text: string): boolean => unguarded(text) !== text;

/**
 * Matches a text with characters that readers of identifiers remove: blanks at its ends, invisible ones, and an
 * apostrophe before a number.
 */
const REMOVABLE =
  /^'+(?=[\d\s()]+$)|^'*[\p{Z}\p{Cc}]|[\p{Z}\p{Cc}]$|[\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\t\r\n]/u;

function cell(value: Plain, zone: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return zonedIn(zone, value.getTime());
  return guarded(value);
}

function guarded(text: string): string {
  const guard = REMOVABLE.test(text) && text.search(BEGINNING) !== 0 ? "'" : '';
  return guard + text.replace(BEGINNING, "$1'");
}
