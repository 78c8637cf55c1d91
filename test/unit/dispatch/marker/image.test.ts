import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import UPNG from 'upng-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { markerBase64, renderMarker } from '../../../../src/dispatch/marker/image.ts';

const SIZE = 600;
const MAXIMUM = Number.MAX_SAFE_INTEGER;

/** A code of every length, and the first and last code of some lengths. */
const CODES = [
  1,
  9,
  10,
  99,
  100,
  1234,
  65_536,
  999_999,
  1_000_000,
  87_654_321,
  100_000_000,
  1_000_000_000,
  4_294_967_296,
  98_765_432_109,
  123_456_789_012,
  1_000_000_000_000,
  31_415_926_535_897,
  271_828_182_845_904,
  1_000_000_000_000_000,
  9_000_000_000_000_000,
  MAXIMUM,
];

const anyCode = fc.oneof(
  fc.integer({ min: 1, max: MAXIMUM }),
  // Of evenly drawn codes nearly all have 16 digits. So draw the length first in some cases.
  fc
    .integer({ min: 1, max: 15 })
    .chain((digits) => fc.integer({ min: 10 ** (digits - 1), max: 10 ** digits - 1 })),
);

interface Chunk {
  type: string;
  data: Uint8Array;
}

/** Read the chunks of a PNG. Checks the signature, every CRC and the exact end. */
function readChunks(png: Uint8Array): Chunk[] {
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  let offset = 8;
  while (offset < png.length) {
    const length = view.getUint32(offset);
    const type = String.fromCharCode(...png.subarray(offset + 4, offset + 8));
    const data = png.subarray(offset + 8, offset + 8 + length);
    expect(data.length).toBe(length);
    expect(view.getUint32(offset + 8 + length), `CRC of ${type}`).toBe(
      crc32(png.subarray(offset + 4, offset + 8 + length)),
    );
    chunks.push({ type, data });
    offset += 12 + length;
  }
  expect(offset).toBe(png.length);
  return chunks;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

/** The pixels of a PNG of 600 x 600 with one bit of grey, row by row. 1 is white. */
function readPixels(png: Uint8Array): Uint8Array {
  const idat = readChunks(png).filter((chunk) => chunk.type === 'IDAT');
  const filtered = inflateSync(Buffer.concat(idat.map((chunk) => chunk.data)));
  const rowBytes = SIZE / 8;
  expect(filtered.length).toBe(SIZE * (rowBytes + 1));
  const pixels = new Uint8Array(SIZE * SIZE);
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < SIZE; y += 1) {
    const filter = filtered[y * (rowBytes + 1)];
    const row = Uint8Array.from(filtered.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1)));
    for (let i = 0; i < rowBytes; i += 1) {
      const a = i === 0 ? 0 : row[i - 1]!;
      const b = above[i]!;
      const c = i === 0 ? 0 : above[i - 1]!;
      if (filter === 1) row[i]! += a;
      else if (filter === 2) row[i]! += b;
      else if (filter === 3) row[i]! += (a + b) >> 1;
      else if (filter === 4) row[i]! += paeth(a, b, c);
      else if (filter !== 0) throw new Error(`unexpected filter type ${filter}`);
    }
    for (let x = 0; x < SIZE; x += 1) pixels[y * SIZE + x] = (row[x >> 3]! >> (7 - (x & 7))) & 1;
    above = row;
  }
  return pixels;
}

describe('PNG', () => {
  test.each(CODES)('the marker PNG of %d is grayscale of bit depth 1, 600 x 600, not interlaced', (code) => {
    const chunks = readChunks(renderMarker(code));
    expect(chunks.map((chunk) => chunk.type)).toEqual(['IHDR', 'sRGB', 'IDAT', 'IEND']);
    // Width, height, bit depth, colour type, compression, filter and interlace method.
    expect([...chunks[0]!.data]).toEqual([0, 0, 2, 88, 0, 0, 2, 88, 1, 0, 0, 0, 0]);
    expect(chunks[3]!.data.length).toBe(0);
  });

  test('rendering a marker leaves the encoder as it was', () => {
    const { compress } = UPNG.encode;
    renderMarker(1);
    expect(UPNG.encode.compress).toBe(compress);
    // For two opaque colours, upng-js alone would write a palette (colour type 3).
    const rgba = Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 255);
    expect(new Uint8Array(UPNG.encode([rgba.buffer], 2, 1, 0))[25]).toBe(3);
  });
});

describe('pixels', () => {
  test('the marker pixels are white around the symbol and dark at three corners', () => {
    const pixels = readPixels(renderMarker(MAXIMUM));
    let [left, top, right, bottom] = [SIZE, SIZE, -1, -1];
    pixels.forEach((pixel, index) => {
      if (pixel === 1) return;
      const [x, y] = [index % SIZE, Math.floor(index / SIZE)];
      [left, top, right, bottom] = [
        Math.min(left, x),
        Math.min(top, y),
        Math.max(right, x),
        Math.max(bottom, y),
      ];
    });
    expect([left, top, right, bottom]).toEqual([90, 90, 509, 509]);
    const corners = [
      [90, 90],
      [509, 90],
      [90, 509],
    ] as const;
    expect(corners.map(([x, y]) => pixels[y * SIZE + x])).toEqual([0, 0, 0]);
  });
});

describe('readers', () => {
  beforeAll(() => {
    const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    prepareZXingModule({ overrides: { wasmBinary: readFileSync(path).buffer as ArrayBuffer } });
  });

  /** Read the PNG itself. zxing-wasm decodes it with its own reader. */
  async function expectZxingReads(code: number): Promise<void> {
    const results = await readBarcodes(renderMarker(code), { formats: ['QRCodeModel2'], tryInvert: false });
    // Symbology identifier Q1 is Model 2 without ECI. UEC is the unused share of the error correction.
    expect(results).toMatchObject([{ isValid: true, text: String(code), symbologyIdentifier: ']Q1' }]);
    expect(JSON.parse(results[0]!.extra)).toEqual({ DataMask: 4, UEC: 1, Version: '1', ECLevel: 'H' });
  }

  test.each(CODES)('zxing-wasm reads the marker of %d', expectZxingReads);

  test('zxing-wasm reads the marker of any code', async () => {
    await fc.assert(fc.asyncProperty(anyCode, expectZxingReads), { numRuns: 40 });
  });
});

describe('bytes', () => {
  // Callers have stored and printed these bytes, so they must never change. If an update of qr, upng-js or
  // pako changes a hash, do not accept it as it is.
  test.each([
    [1, '038321a2d7401e063a125615e8501304a706423c3682ad1ab6843a820e5e925c'],
    [9, 'fef30078033c762a225c2e55381488f5c23907fb08b38cdc4efe3b176a096967'],
    [10, '91f929892069deea1621ca7e5e2ff919c08572cd268c785a56e7102573c8884a'],
    [1234, 'f29f351377c2da7b7049c3a9c64e08e5e7c4737194f5f1640d187251cb12a079'],
    [65_536, '8cec0fc8aafdcbe5255850eea863611f8b33b5804fc36b8e2fdd889a726359e6'],
    [1_000_000_000, 'b41468a3177a0b2723d8aca2301b41e8046a6f2ed8c30f1db12bd837a31267f2'],
    [98_765_432_109, '2a7c3477cb4dc3b2d6f8a63e91740b755fe551fca7fade75bcc3b16ced432acf'],
    [31_415_926_535_897, '704bf6c4992298cee144f8b2d00f090983684696ab7ab874ecaa771ab9d55f9e'],
    [9_000_000_000_000_000, 'e3e44bc8332f260758368f8622d40104f5373bc1763a7a68bba57c94514fdfad'],
    [MAXIMUM, 'ce770524044a9ec3062aac00b25dfbbc344b16cd62f5d92442911ef274aab09c'],
  ])('the marker bytes of %d never change', (code, hash) => {
    expect(createHash('sha256').update(renderMarker(code)).digest('hex')).toBe(hash);
  });

  test('the marker bytes do not depend on codes rendered before', () => {
    const first = renderMarker(10);
    renderMarker(MAXIMUM);
    expect(renderMarker(10)).toEqual(first);
  });

  test.each(CODES)('the marker bytes of %d in base64 are the same', (code) => {
    const text = markerBase64(code);
    expect(text).toMatch(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
    expect(new Uint8Array(Buffer.from(text, 'base64'))).toEqual(renderMarker(code));
  });
});

describe('range', () => {
  test.each([0, -0, -1, 0.5, 1.5, 2 ** 53, -(2 ** 53), NaN, Infinity, -Infinity])(
    'the marker renderer refuses %d',
    (code) => {
      expect(() => renderMarker(code)).toThrow(RangeError);
      expect(() => markerBase64(code)).toThrow(RangeError);
    },
  );
});
