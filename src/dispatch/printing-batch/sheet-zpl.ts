import type { Block } from '../marker/rules.ts';
import { MODULES, markerModules } from '../marker/symbol.ts';
import type { Resolution } from './rules.ts';

// A label is 100 mm wide and 148 mm long, so it fits common label sizes: 4 x 6 inches or A6. Lengths
// are in millimetres. All are whole dots at 8, 12 and 24 dots per millimetre.
const LABEL = { width: 100, length: 148 };
const MODULE_SIZE = 2.5;
const SYMBOL = { left: (LABEL.width - MODULES * MODULE_SIZE) / 2, top: 12 };
const DIGITS = { top: 76, size: 9 };
const BARCODE = { left: 4, top: 90, width: 92, height: 54, line: 0.25 };

/** The largest graphic of one ^GF, in bytes (ZPL II Programming Guide). */
const GRAPHIC_BYTES_MAXIMUM = 99_999;
/** How many labels are rendered before other requests of the isolate continue. */
const LABELS_A_PART = 20;

/** The labels as ZPL II, in pieces. */
export async function* zplSheet(block: Block, resolution: Resolution): AsyncGenerator<string> {
  const { firstMarkerCode, lastMarkerCode } = block;
  for (let first = firstMarkerCode; first <= lastMarkerCode; first += LABELS_A_PART) {
    const last = Math.min(first + LABELS_A_PART - 1, lastMarkerCode);
    let part = '';
    for (let code = first; code <= last; code += 1) part += zplLabel(code, resolution);
    yield part;
  }
}

/**
 * One label: the marker as a graphic, the code in digits, and an empty frame for the barcode of the
 * WMS. The marker is a graphic, because with ^BQ (the QR code command of ZPL) the printer itself
 * chooses the version and the mask.
 */
function zplLabel(code: number, resolution: Resolution): string {
  const dots = (millimetres: number): number => Math.round(millimetres * resolution);
  return [
    zplStart(dots(LABEL.width), dots(LABEL.length)),
    ...symbolFields(code, dots(MODULE_SIZE), { left: dots(SYMBOL.left), top: dots(SYMBOL.top) }),
    `^FO0,${dots(DIGITS.top)}^A0N,${dots(DIGITS.size)},${dots(DIGITS.size)}` +
      `^FB${dots(LABEL.width)},1,0,C^FD${code}^FS`,
    `^FO${dots(BARCODE.left)},${dots(BARCODE.top)}` +
      `^GB${dots(BARCODE.width)},${dots(BARCODE.height)},${dots(BARCODE.line)}^FS`,
    '^XZ\n',
  ].join('\n');
}

/**
 * The start of a label of this size in dots. A printer keeps the settings of the job before. So each label sets everything
 * that moves or turns it: dots as units (^MU), no turned or mirrored label (^PO, ^PM), no inverse print (^LR), no turned
 * fields (^FW), and no offset (^LH, ^LS, ^LT).
 */
export const zplStart = (width: number, length: number): string =>
  `^XA^MUD^PON^PMN^LRN^FWN^LH0,0^LS0^LT0^PW${width}^LL${length}`;

/**
 * The symbol as graphic fields below each other. Their number follows from the largest graphic
 * size.
 */
export function symbolFields(code: number, moduleSize: number, at: { left: number; top: number }): string[] {
  const modules = markerModules(code);
  const rowBytes = Math.ceil((MODULES * moduleSize) / 8);
  const rowsAField = Math.floor(GRAPHIC_BYTES_MAXIMUM / (rowBytes * moduleSize));
  const fields: string[] = [];
  for (let row = 0; row < MODULES; row += rowsAField) {
    const rows = modules.slice(row, row + rowsAField);
    const bytes = rows.length * moduleSize * rowBytes;
    const data = rows.map((dark) => graphicRows(dark, moduleSize, rowBytes)).join('');
    fields.push(`^FO${at.left},${at.top + row * moduleSize}^GFA,${bytes},${bytes},${rowBytes},${data}^FS`);
  }
  return fields;
}

/**
 * A row of modules as rows of dots. The first row is compressed hexadecimal. The others are `:`,
 * which repeats it. Modules are taken in pairs, because a pair is a whole number of digits at every
 * resolution.
 */
function graphicRows(dark: readonly boolean[], moduleSize: number, rowBytes: number): string {
  let digits = '';
  for (let module = 0; module < MODULES; module += 2) {
    digits += pairDigits(dark[module] === true, dark[module + 1] === true, moduleSize);
  }
  return compressDigits(digits.slice(0, rowBytes * 2)) + ':'.repeat(moduleSize - 1);
}

/** The cache of `pairDigits`: four entries for each resolution. */
const pairs = new Map<string, string>();

/** The dots of two neighbouring modules in hexadecimal, leftmost first; dark is 1. */
function pairDigits(left: boolean, right: boolean, moduleSize: number): string {
  const key = `${left}${right}${moduleSize}`;
  const known = pairs.get(key);
  if (known !== undefined) return known;
  const bits = [left, right].map((dark) => (dark ? '1' : '0').repeat(moduleSize)).join('');
  const digits = bits.replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16).toUpperCase());
  pairs.set(key, digits);
  return digits;
}

/**
 * Compress hexadecimal digits as in ZPL II graphics: the count comes before the digit. G to Y count 1
 * to 19; g to z count 20 to 400 in steps of 20. If both kinds of letter are used, their counts are
 * added.
 */
function compressDigits(digits: string): string {
  return digits.replace(/(.)\1+/g, (run, digit: string) => {
    const [twenties, ones] = [Math.floor(run.length / 20), run.length % 20];
    return (
      (twenties > 0 ? String.fromCharCode('f'.charCodeAt(0) + twenties) : '') +
      (ones > 0 ? String.fromCharCode('F'.charCodeAt(0) + ones) : '') +
      digit
    );
  });
}
