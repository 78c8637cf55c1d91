import type { NumberFormat } from './xlsx-format.ts';

/** Why a workbook cannot be read. */
export class UnreadableError extends Error {
  readonly reason: 'broken' | 'large';
  constructor(reason: 'broken' | 'large') {
    super(`The workbook is ${reason}.`);
    this.reason = reason;
  }
}

/** The number of a column in a reference: 28 in `AB7`. */
export function columnOf(reference: string): number {
  const [letters = 'A'] = /^[A-Z]+/.exec(reference) ?? [];
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/**
 * The text of a cell in one line of the list. A cell that needs it is in quotation marks. `format` is the number format
 * of the cell.
 */
export function textOf(
  type: string,
  stored: string,
  shared: readonly string[],
  format?: NumberFormat,
): string {
  const value =
    type === 's'
      ? sharedText(shared, stored)
      : type === 'n'
        ? numberText(stored, format)
        : type === 'b'
          ? String(stored === '1').toUpperCase()
          : stored;
  const text = value.replace(/_x([\dA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const line = text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' ');
  return /^ *"|\t|^\s|\s$/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
}

function sharedText(shared: readonly string[], index: string): string {
  const text = shared[Number(index)];
  if (text === undefined) throw new UnreadableError('broken');
  return text;
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
