import { SECOND_MS } from '../../../core/lib/time.ts';
import { UnreadableError } from './unreadable.ts';
import { decodeText } from './xml.ts';

/** How a spreadsheet shows the numbers of a cell. Undefined: as they are. */
type NumberFormat = ((value: number) => string) | undefined;

/** A number with leading zeros, and texts around it: `00000`, `"LPN-"000000`. */
const ZEROS = /^((?:"[^"]*"|\\.|[-/ ])*)(0+)((?:"[^"]*"|\\.|[-/ ])*)$/;
/** Parts of a format that are not shown as codes: texts, escaped characters, and colours or languages. */
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g;

/** Numbers of the built-in formats of dates and times in all languages (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** The most characters of a format. Spreadsheets allow 255. */
const CODE_MAXIMUM = 255;
/** The most formats of a workbook. Spreadsheets allow about 250. */
const FORMATS_MAXIMUM = 2_000;

/** The formats of the styles of cells. `is1904`: days count from 1904, as in old files of the Mac. */
export class NumberFormats {
  readonly #is1904: boolean;
  readonly #codes = new Map<string, string>();
  readonly #styles: string[] = [];
  /** The formats that cells have used, by their number. */
  readonly #made = new Map<string, NumberFormat>();
  #isOfCells = false;

  constructor(is1904: boolean) {
    this.#is1904 = is1904;
  }

  /** A tag of the styles begins. */
  open(name: string, attribute: (name: string) => string | undefined): void {
    if (name === 'cellXfs') this.#isOfCells = true;
    else if (name === 'xf' && this.#isOfCells) this.#styles.push(attribute('numFmtId') ?? '0');
    else if (name === 'numFmt') {
      if (this.#codes.size === FORMATS_MAXIMUM) throw new UnreadableError('large');
      this.#codes.set(attribute('numFmtId') ?? '', (attribute('formatCode') ?? '').slice(0, CODE_MAXIMUM));
    }
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#isOfCells = false;
  }

  /** The format of the cells with a style. */
  at(style: number): NumberFormat {
    const id = this.#styles[style];
    if (id === undefined) return undefined;
    if (!this.#made.has(id)) this.#made.set(id, formatOf(Number(id), this.#codes.get(id), this.#is1904));
    return this.#made.get(id);
  }
}

function formatOf(id: number, code: string | undefined, is1904: boolean): NumberFormat {
  if (code === undefined) return isBuiltInDate(id) ? (value) => dateText(value, is1904) : undefined;
  const [positive = ''] = code.split(';');
  const [, before = '', zeros, after = ''] = ZEROS.exec(positive) ?? [];
  if (zeros !== undefined) {
    const [start, end] = [plain(before), plain(after)];
    if (zeros.length === 1 && start + end === '') return undefined;
    return (value) =>
      value < 0 ? String(value) : start + String(Math.round(value)).padStart(zeros.length, '0') + end;
  }
  return /[ymdhs]/i.test(positive.replace(LITERALS, '').replace(/general/i, ''))
    ? (value) => dateText(value, is1904)
    : undefined;
}

const plain = (literals: string): string => literals.replace(/"([^"]*)"|\\(.)/g, '$1$2');

const DAY_SECONDS = 86_400;
/** 1 January 1970 as a day of a spreadsheet. The calendar from 1900 wrongly contains 29 February 1900. */
const EPOCH_DAY = 25_569;
const DAYS_BETWEEN_CALENDARS = 1_462;
/** The last day of a spreadsheet, in the year 9999. */
const DAY_MAXIMUM = 2_958_466;

/** A date in ISO 8601 without an offset, with the time if there is one, and with its seconds unless they are 0. A number that is no date stays a number. */
function dateText(value: number, is1904: boolean): string {
  const day = is1904 ? value + DAYS_BETWEEN_CALENDARS : value;
  if (!(day >= 0 && day < DAY_MAXIMUM)) return String(value);
  const exact = day < 60 && !is1904 ? day + 1 : day;
  const text = new Date(Math.round((exact - EPOCH_DAY) * DAY_SECONDS) * SECOND_MS).toISOString();
  if (day < 1) return text.slice(11, 16);
  return Number.isInteger(value) ? text.slice(0, 10) : text.slice(0, 19).replace(/:00$/, '');
}

/** The number of a column in a reference: 28 in `AB7`. Undefined without a reference. @throws `UnreadableError` */
export function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined;
  let column = 0;
  let at = 0;
  for (
    let code = reference.charCodeAt(0);
    code >= 65 && code <= 90 && at < 4;
    code = reference.charCodeAt(at)
  ) {
    column = column * 26 + code - 64;
    at += 1;
  }
  if (at === 0 || at > 3) throw new UnreadableError('broken');
  return column;
}

/** The text of a cell that does not refer to a shared text. `format` is the number format of the cell. */
export function ownText(type: string, stored: string, format: NumberFormat): string {
  if (type === 'n') return numberText(stored, format);
  return type === 'b' ? String(stored === '1').toUpperCase() : stored;
}

/** The text of a cell as it is written in one line of the list. A cell that needs it is in quotation marks. */
export function lineOf(value: string): string {
  if (!/[\s"_\u0085]/.test(value)) return value;
  const text = value.includes('_x')
    ? value.replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;
  const line = text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' ');
  return /^ *"|\t|^\s|\s$/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

/** A spreadsheet keeps this many digits of a number. */
const DIGITS_KEPT = 1e15;

/**
 * A number as text. A spreadsheet replaces the digits of long numbers by zeros. Such a number is written with an
 * exponent, so that the reader of lists refuses it.
 */
function numberText(stored: string, format: NumberFormat): string {
  const number = Number(stored);
  if (stored === '' || !Number.isFinite(number)) return stored;
  // A program has written all digits.
  if (/^\d{16,}$/.test(stored) && !stored.endsWith('000')) return stored;
  const isRounded = Number.isInteger(number) && Math.abs(number) >= DIGITS_KEPT;
  if (isRounded) return number.toExponential().toUpperCase();
  return format ? format(number) : String(number);
}

/** Collects the text of a cell: of `v`, or of all `t` outside of phonetic guides (`rPh`). */
export class TextOfCell {
  readonly #budget: { charge(kind: 'characters', amount: number): void };
  #text = '';
  #isOpen = false;
  #isGuide = false;

  constructor(budget: { charge(kind: 'characters', amount: number): void }) {
    this.#budget = budget;
  }

  open(name: string): void {
    if (name === 'rPh') this.#isGuide = true;
    this.#isOpen = (name === 't' && !this.#isGuide) || name === 'v';
  }

  /** @throws `OverBudget` before the text is decoded */
  add(piece: string): void {
    if (!this.#isOpen) return;
    this.#budget.charge('characters', piece.length);
    this.#text += decodeText(piece);
  }

  close(name: string): void {
    if (name === 'rPh') this.#isGuide = false;
    this.#isOpen = false;
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    this.#isOpen = false;
    this.#isGuide = false;
    return text;
  }
}
