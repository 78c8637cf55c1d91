import { encodeQR } from 'qr';

/** Modules a side of a version 1 symbol. */
export const MODULES = 21;
/** Modules of white that a QR Code needs on every side (ISO/IEC 18004, section 6.3.8). */
export const QUIET_MODULES = 4;

/**
 * The modules of a marker code's symbol, 21 rows of 21, true is dark: QR Code Model 2 (ISO/IEC 18004), version 1,
 * level H, numeric mode. Level H holds 17 digits, 2^53-1 has 16. The mask is pinned, so that a library that scores
 * masks differently draws the same symbol. Whatever shows a marker, as pixels, vectors or printer's dots, shows these.
 *
 * @param code 1 to 2^53-1.
 * @throws RangeError when the code is not such an integer.
 */
export function markerModules(code: number): boolean[][] {
  if (!Number.isSafeInteger(code) || code < 1) {
    throw new RangeError(`A marker code is an integer from 1 to 2^53-1, not ${code}.`);
  }
  // qr refuses a border of 0, so it draws one module of quiet zone, which is cut off again.
  const drawn = encodeQR(String(code), 'raw', {
    version: 1,
    ecc: 'high',
    encoding: 'numeric',
    mask: 4,
    border: 1,
  });
  return drawn.slice(1, -1).map((row) => row.slice(1, -1));
}

/** A row's runs of dark modules: where each begins, and how many modules it has. */
export function darkRuns(row: readonly boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = [];
  row.forEach((dark, start) => {
    if (!dark) return;
    const last = runs.at(-1);
    if (last && last.start + last.length === start) last.length += 1;
    else runs.push({ start, length: 1 });
  });
  return runs;
}
