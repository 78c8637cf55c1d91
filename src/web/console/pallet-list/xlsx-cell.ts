import { UnreadableError } from './unreadable.ts';
import type { NumberFormat } from './xlsx-format.ts';
import { decoded } from './xml.ts';

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
    this.#text += decoded(piece);
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
