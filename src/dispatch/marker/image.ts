import { Buffer } from 'node:buffer';
import UPNG from 'upng-js';
import { PUBLIC } from '../../core/http/middleware.ts';
import { enterToDraw, streamedInTurns } from '../../core/http/permit.ts';
import { hasCurrent } from '../../core/http/read.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import type { Block } from './rules.ts';
import { markerImageUrl } from './store.ts';
import { MODULES, markerModules } from './symbol.ts';

// The bytes for a marker code never change, because labels and caches compare them. A change here must
// keep the golden hashes in the tests. This also holds for new versions of qr, upng-js and its
// pako.

/** The size of a module in pixels. */
const MODULE_SIZE = 20;
/** Pixels from the edge of the image to the symbol: 4.5 modules. The standard requires 4. */
const MARGIN = 90;
/** Width and height of the image in pixels. */
const IMAGE_SIZE = 2 * MARGIN + MODULES * MODULE_SIZE;
/** Bytes of a scanline at one bit for each pixel. */
const ROW_BYTES = IMAGE_SIZE / 8;

/**
 * The image as scanlines of one bit for each pixel. The leftmost pixel is the high bit; 1 is white.
 */
function scanlines(modules: boolean[][]): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(IMAGE_SIZE * ROW_BYTES).fill(0xff);
  modules.forEach((row, y) => {
    const start = (MARGIN + y * MODULE_SIZE) * ROW_BYTES;
    const line = pixels.subarray(start, start + ROW_BYTES);
    row.forEach((dark, x) => {
      if (!dark) return;
      const left = MARGIN + x * MODULE_SIZE;
      for (let pixel = left; pixel < left + MODULE_SIZE; pixel += 1) {
        line[pixel >> 3]! &= ~(0x80 >> (pixel & 7));
      }
    });
    for (let copy = 1; copy < MODULE_SIZE; copy += 1) pixels.set(line, start + copy * ROW_BYTES);
  });
  return pixels;
}

/**
 * Pack scanlines as a PNG of colour type 0 (grayscale) and bit depth 1 (PNG specification, section
 * 11.2.1 "IHDR").
 * upng-js accepts RGBA only and writes two colours as a palette. Its `encode.compress` chooses
 * colour type and depth. This call replaces it by a function that returns the finished scanlines.
 * The call is synchronous, so no other code sees the replaced function.
 */
function encodePng(pixels: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { compress } = UPNG.encode;
  UPNG.encode.compress = () => ({
    ctype: 0,
    depth: 1,
    plte: [],
    gotAlpha: false,
    frames: [
      {
        rect: { x: 0, y: 0, width: IMAGE_SIZE, height: IMAGE_SIZE },
        img: pixels,
        bpl: ROW_BYTES,
        bpp: 1,
        blend: 0,
        dispose: 0,
      },
    ],
  });
  try {
    // With `compress` replaced, only the length of this buffer matters: the size of the output
    // follows from it.
    return new Uint8Array(UPNG.encode([pixels.buffer], IMAGE_SIZE, IMAGE_SIZE, 0));
  } finally {
    UPNG.encode.compress = compress;
  }
}

/**
 * The label image of a marker code: a PNG of 600 x 600 pixels with the QR Code of the decimal code.
 * It is grayscale with bit depth 1. A module is 20 px, and the symbol covers 90..509 on both axes.
 * The rest is white. The same code always gives the same bytes: about 450 bytes, in under half a
 * millisecond.
 * @param code 1 to 2^53-1.
 * @throws RangeError when the code is not such an integer.
 */
export function renderMarker(code: number): Uint8Array<ArrayBuffer> {
  return encodePng(scanlines(markerModules(code)));
}

/**
 * The bytes of `renderMarker` in base64 (RFC 4648, section 4, padded, no line breaks).
 * @param code 1 to 2^53-1.
 * @throws RangeError when the code is not such an integer.
 */
export function markerBase64(code: number): string {
  return Buffer.from(renderMarker(code)).toString('base64');
}

/** How many entries are rendered before other requests of the isolate continue. */
const ENTRIES_A_PART = 10;

/** The image of an entry, inline or as a URL. */
export function markerImage(links: string, markerCode: number, delivery: 'BASE64' | 'URL') {
  return delivery === 'BASE64'
    ? { markerCode, markerImage: markerBase64(markerCode) }
    : { markerCode, markerImageUrl: markerImageUrl(links, markerCode) };
}

/** Get a permit for the images of so many codes before the codes are allocated. @throws 503 if too many requests wait */
export async function enterForImages(
  c: AppContext,
  quantity: number,
  delivery: 'BASE64' | 'URL',
): Promise<void> {
  if (delivery === 'BASE64') await enterToDraw(c, quantity);
}

/**
 * `{"entries":[…]}` of a block, rendered while the client reads it. So thousands of images neither fill the memory nor
 * block other requests of the isolate.
 */
export const streamEntries = (
  c: AppContext,
  block: Block,
  delivery: 'BASE64' | 'URL',
): Promise<ReadableStream<Uint8Array>> => streamedInTurns(c, () => entriesOf(origin(c), block, delivery));

async function* entriesOf(
  links: string,
  { firstMarkerCode, lastMarkerCode }: Block,
  delivery: 'BASE64' | 'URL',
): AsyncGenerator<string> {
  for (let first = firstMarkerCode; first <= lastMarkerCode; first += ENTRIES_A_PART) {
    const codes = Array.from(
      { length: Math.min(ENTRIES_A_PART, lastMarkerCode - first + 1) },
      (_, index) => first + index,
    );
    const entries = codes.map((code) => JSON.stringify(markerImage(links, code, delivery)));
    yield `${first === firstMarkerCode ? '{"entries":[' : ','}${entries.join(',')}`;
  }
  yield ']}';
}

/** The public image. The bytes for a marker code never change, so the code is the entity tag. */
export function markerImageResponse(c: AppContext, markerCode: number): Response {
  const tag = `"${markerCode}"`;
  const headers = { 'Content-Type': 'image/png', 'Cache-Control': PUBLIC, ETag: tag };
  if (hasCurrent(c, tag)) return c.body(null, 304, headers);
  return c.body(renderMarker(markerCode), 200, headers);
}
