import { encodeQR } from 'qr';

/** Width and height of a version 1 symbol, in modules. */
export const MODULES = 21;
/** White modules that a QR Code needs on every side (ISO/IEC 18004, section 6.3.8). */
export const QUIET_MODULES = 4;

/**
 * The modules of a marker code's symbol: 21 rows of 21, true is dark. It is a QR Code Model 2
 * (ISO/IEC 18004), version 1, level H, numeric mode. Level H holds 17 digits; 2^53-1 has 16. The
 * mask is fixed, so a library that scores masks differently draws the same symbol. Pixels, vectors
 * and printer dots all use these modules.
 * @param code 1 to 2^53-1.
 * @throws RangeError when the code is not such an integer.
 */
export function markerModules(code: number): boolean[][] {
  if (!Number.isSafeInteger(code) || code < 1) {
    throw new RangeError(`A marker code is an integer from 1 to 2^53-1, not ${code}.`);
  }
  // qr does not allow a border of 0. So it draws one module of quiet zone, which is removed here.
  const drawn = encodeQR(String(code), 'raw', {
    version: 1,
    ecc: 'high',
    encoding: 'numeric',
    mask: 4,
    border: 1,
  });
  return drawn.slice(1, -1).map((row) => row.slice(1, -1));
}

/** The runs of dark modules in a row: start and length of each. */
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
