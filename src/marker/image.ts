import encodeQR from 'qr';
import UPNG from 'upng-js';
import { MARKER_CODE_MAXIMUM } from './rules.ts';

/** Width and height of the image, pixels. */
const SIZE_PX = 600;
/** Width and height of a module of the symbol, pixels. */
const MODULE_PX = 20;
/** First pixel of the symbol, in both axes; what is around it is the quiet zone. */
const SYMBOL_START_PX = 90;
const ROW_BYTES = SIZE_PX / 8;

/**
 * The image of a marker code: QR Code Model 2, version 1 (21×21 modules), error correction level H, numeric
 * mode, mask 4, of the code in decimal (ISO/IEC 18004; version 1-H holds 17 digits, 2^53−1 has 16), as a PNG
 * of 600×600 pixels, grayscale of bit depth 1 (PNG specification, section 11.2.1). The bytes of a code are
 * the same for ever.
 * @throws RangeError for what is no integer from 1 to 2^53−1.
 */
export function renderMarker(code: number): Uint8Array {
  if (!Number.isSafeInteger(code) || code < 1 || code > MARKER_CODE_MAXIMUM) {
    throw new RangeError('a marker code is an integer from 1 to 2^53-1');
  }
  const symbol = encodeQR(String(code), 'raw', {
    ecc: 'high',
    encoding: 'numeric',
    version: 1,
    mask: 4,
    border: 1,
  });
  return encodeBits(pixelRows(symbol.slice(1, -1).map((modules) => modules.slice(1, -1))));
}

/** The same bytes in base64 (RFC 4648 section 4). */
export function markerBase64(code: number): string {
  return btoa(String.fromCharCode(...renderMarker(code)));
}

/** Packed rows of the image: a bit a pixel, 1 is white. */
function pixelRows(symbol: boolean[][]): Uint8Array {
  const image = new Uint8Array(ROW_BYTES * SIZE_PX).fill(0xff);
  symbol.forEach((modules, moduleY) => {
    const top = SYMBOL_START_PX + moduleY * MODULE_PX;
    const first = image.subarray(top * ROW_BYTES, (top + 1) * ROW_BYTES);
    modules.forEach((dark, moduleX) => {
      if (!dark) return;
      const left = SYMBOL_START_PX + moduleX * MODULE_PX;
      for (let x = left; x < left + MODULE_PX; x += 1) first[x >> 3]! &= ~(0x80 >> (x & 7));
    });
    for (let y = top + 1; y < top + MODULE_PX; y += 1) image.set(first, y * ROW_BYTES);
  });
  return image;
}

/** upng-js never chooses grayscale of depth 1 by itself: its choice is replaced for this one synchronous call. */
function encodeBits(img: Uint8Array): Uint8Array {
  const chosen = UPNG.encode.compress;
  const rect = { x: 0, y: 0, width: SIZE_PX, height: SIZE_PX };
  const frame = { rect, img, bpl: ROW_BYTES, bpp: 1, blend: 0, dispose: 0 };
  UPNG.encode.compress = () => ({ ctype: 0, depth: 1, plte: [], gotAlpha: false, frames: [frame] });
  try {
    // The buffer only tells the encoder how much room the file may need.
    return new Uint8Array(UPNG.encode([img.buffer as ArrayBuffer], SIZE_PX, SIZE_PX, 0));
  } finally {
    UPNG.encode.compress = chosen;
  }
}
