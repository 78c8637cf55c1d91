import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PARTS_MAXIMUM } from '../../../../src/dispatch/photo/image-parts-rules.ts';
import { cleanImage } from '../../../../src/dispatch/photo/image-rules.ts';
import {
  extendedChunk,
  jpegFrame,
  jpegOf,
  jpegScan,
  jpegWith,
  LOSSLESS_WEBP,
  noisyJpeg,
  png,
  pngChunk,
  pngHeader,
  pngOf,
  segment,
  WEBP,
  webp,
  webpChunk,
} from '../../../images.ts';

const NONE = Buffer.alloc(0);
const table = (...bytes: number[]): Buffer => segment(0xc4, Buffer.from(bytes));
/** The counts of a Huffman table with so many codes of one bit, and none of more bits. */
const codes = (count: number): number[] => [count, ...Array<number>(15).fill(0)];
const quantization = (id: number, bytes: number): Buffer =>
  segment(0xdb, Buffer.concat([Buffer.from([id]), Buffer.alloc(bytes, 1)]));
const COLOURED = [1, 2, 3].map((id) => [id, 0x11, 0]);
const channels = (...factors: number[]) => factors.map((factor, index) => [index + 1, factor, 0]);
const progressive = (...spectrum: [number, number, number]): Buffer =>
  jpegOf([jpegFrame(16, 16, { marker: 0xc2 }), jpegScan([[1, 0]], spectrum)]);

/** A name, a file, and the reason of its refusal. */
type Case = [string, Buffer, string];

describe('a JPEG that no browser shows', () => {
  it.each<Case>([
    ['no pixels: width 0', jpegOf([jpegFrame(0, 16), jpegScan()]), 'has no pixels.'],
    ['no pixels: height 0', jpegOf([jpegFrame(16, 0), jpegScan()]), 'has no pixels.'],
    ['an empty frame before the frame', jpegWith(jpegFrame(0, 0)), 'has no pixels.'],
    ['no scan', jpegOf([jpegFrame(16, 16)], NONE), 'has no pixels.'],
    ['a second frame', jpegWith(jpegFrame(16, 8)), 'has more than one frame header.'],
    [
      'a second frame after the pixels',
      jpegOf([jpegFrame(16, 16), jpegScan(), Buffer.alloc(64), jpegFrame(1, 1)], NONE),
      'has more than one frame header.',
    ],
    ['16 bits', jpegOf([jpegFrame(16, 16, { precision: 16 }), jpegScan()]), 'has 16 bits in each colour'],
    ['12 bits', jpegOf([jpegFrame(16, 16, { precision: 12 }), jpegScan()]), 'has 12 bits in each colour'],
    ...[0, 2, 5, 255].map(
      (count) =>
        [
          `${count} channels`,
          jpegOf([jpegFrame(16, 16, { components: channels(...Array(count).fill(0x11)) }), jpegScan()]),
          `has ${count} colour channels. Browsers show 1, 3 or 4.`,
        ] as Case,
    ),
    ...[0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf].map(
      (marker) =>
        [
          `the frame ${marker.toString(16)}`,
          jpegOf([jpegFrame(16, 16, { marker }), jpegScan()]),
          'is not a JPEG file that browsers show.',
        ] as Case,
    ),
    [
      'a frame of five bytes',
      jpegOf([segment(0xc0, Buffer.alloc(5)), jpegScan()]),
      'its frame header is too short.',
    ],
    [
      'a frame with a byte too many',
      jpegOf([segment(0xc0, Buffer.from([8, 0, 16, 0, 16, 1, 1, 0x11, 0, 0])), jpegScan()]),
      'its frame header has a wrong length.',
    ],
    ...[0x01, 0x10, 0x51, 0x15].map(
      (factor) =>
        [
          `the sampling factor ${factor.toString(16)}`,
          jpegOf([jpegFrame(16, 16, { components: channels(factor) }), jpegScan()]),
          'a sampling factor is wrong.',
        ] as Case,
    ),
    ...[
      [0x31, 0x21, 0x11],
      [0x44, 0x11, 0x11],
      [0x22, 0x22, 0x22],
    ].map(
      (factors) =>
        [
          `the sampling factors ${factors}`,
          jpegOf([jpegFrame(16, 16, { components: channels(...factors) }), jpegScan()]),
          'has sampling factors that browsers do not show.',
        ] as Case,
    ),
    [
      'a channel without a quantization table',
      jpegOf([jpegFrame(16, 16, { components: [[1, 0x11, 1]] }), jpegScan()]),
      'has no quantization table for its pixels.',
    ],
    ['a DC code without a table', jpegOf([jpegFrame(16, 16), jpegScan([[1, 0x10]])]), 'has no Huffman table'],
    [
      'an AC code without a table',
      jpegOf([jpegFrame(16, 16), jpegScan([[1, 0x01]])]),
      'has no Huffman table',
    ],
    ['a quantization table 4', jpegWith(quantization(4, 64)), 'a quantization table is wrong.'],
    ['a short quantization table', jpegWith(quantization(0, 63)), 'a quantization table is wrong.'],
    ['a Huffman table 4', jpegWith(table(4, ...codes(1), 0)), 'a Huffman table is wrong.'],
    ['a Huffman table of class 2', jpegWith(table(0x20, ...codes(1), 0)), 'a Huffman table is wrong.'],
    ['two codes of one bit', jpegWith(table(0, ...codes(2), 0, 1)), 'a Huffman table is wrong.'],
    ['fewer symbols than codes', jpegWith(table(0, ...codes(1))), 'a Huffman table is wrong.'],
    ['a DC symbol of 16', jpegWith(table(0, ...codes(1), 16)), 'a Huffman table is wrong.'],
    ['half a Huffman table', jpegWith(table(0, 1, 0)), 'a Huffman table is wrong.'],
    [
      'a restart interval of one byte',
      jpegWith(segment(0xdd, Buffer.from([1]))),
      'its restart interval is wrong.',
    ],
    [
      'a scan before the frame',
      jpegOf([jpegScan(), jpegFrame(16, 16)]),
      'a scan comes before the frame header.',
    ],
    ['a scan without channels', jpegOf([jpegFrame(16, 16), jpegScan([])]), 'the header of a scan is wrong.'],
    [
      'a scan of five channels',
      jpegOf([jpegFrame(16, 16), jpegScan(channels(0, 0, 0, 0, 0))]),
      'the header of a scan is wrong.',
    ],
    [
      'a scan of an unknown channel',
      jpegOf([jpegFrame(16, 16), jpegScan([[9, 0]])]),
      'a scan has an unknown colour channel.',
    ],
    [
      'a scan that has a channel twice',
      jpegOf([
        jpegFrame(16, 16, { components: COLOURED }),
        jpegScan([
          [1, 0],
          [1, 0],
        ]),
      ]),
      'a scan has an unknown colour channel.',
    ],
    [
      'a channel without pixels',
      jpegOf([
        jpegFrame(16, 16, { components: COLOURED }),
        jpegScan([
          [1, 0],
          [2, 0],
        ]),
      ]),
      'a colour channel has no pixels.',
    ],
    ['a progressive scan of all coefficients', progressive(0, 63, 0), 'the header of a scan is wrong.'],
    ['a progressive scan that ends before it begins', progressive(5, 4, 0), 'the header of a scan is wrong.'],
    ['a progressive scan of 14 bits', progressive(0, 0, 14), 'the header of a scan is wrong.'],
    ['a progressive scan that skips a bit', progressive(0, 0, 0x20), 'the header of a scan is wrong.'],
    ['a progressive file without its first scan', progressive(1, 63, 0), 'has no pixels.'],
    [
      '25 megapixels of 60,000 zero bytes',
      jpegOf([jpegFrame(5_000, 5_000), jpegScan()], Buffer.alloc(60_000)),
      'is truncated.',
    ],
    [
      '25 megapixels of a few progressive bytes',
      jpegOf([jpegFrame(5_000, 5_000, { marker: 0xc2 }), jpegScan([[1, 0]], [0, 0, 0])], Buffer.alloc(9_000)),
      'is truncated.',
    ],
  ])('an image is refused: %s', (_, file, reason) => {
    expect(() => cleanImage(file, 'image/jpeg')).toThrow(reason);
  });

  it('unusual JPEG files that browsers show are stored unchanged', () => {
    const shown = [
      noisyJpeg(333, 217),
      // Each channel in its own scan, and channels with one number.
      jpegOf([
        jpegFrame(8, 8, { components: COLOURED }),
        ...[1, 2].flatMap((id) => [jpegScan([[id, 0]]), Buffer.from([0])]),
        jpegScan([[3, 0]]),
      ]),
      jpegOf([
        jpegFrame(16, 16, { components: COLOURED.map(([, ...rest]) => [1, ...rest]) }),
        jpegScan([
          [1, 0],
          [1, 0],
          [1, 0],
        ]),
      ]),
      // CMYK, colours at a quarter of the width, 16-bit quantization, and a scan that refines another one.
      jpegOf([
        jpegFrame(16, 16, { components: channels(0x11, 0x11, 0x11, 0x11) }),
        jpegScan([1, 2, 3, 4].map((id) => [id, 0])),
      ]),
      jpegOf([
        jpegFrame(16, 16, { components: channels(0x41, 0x11, 0x11) }),
        jpegScan([1, 2, 3].map((id) => [id, 0])),
      ]),
      jpegWith(quantization(0x10, 128)),
      jpegOf([
        jpegFrame(16, 16, { marker: 0xc2 }),
        jpegScan([[1, 0]], [0, 0, 1]),
        Buffer.from([0]),
        jpegScan([[1, 0x33]], [0, 0, 0x10]),
        Buffer.from([0]),
        jpegScan([[1, 0]], [1, 63, 0]),
      ]),
    ];
    for (const file of shown) expect(cleanImage(file, 'image/jpeg').bytes).toEqual(file);
  });
});

const idat = (bytes: number): Buffer => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes)));
const palette = (bytes: number): Buffer => pngChunk('PLTE', Buffer.alloc(bytes));
const ofPalette = (...chunks: Buffer[]): Buffer => pngOf(pngHeader(4, 4, { colourType: 3 }), ...chunks);
/** The bits that each colour type may have (PNG, section 11.2.1). */
const BITS: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

describe('a PNG that no browser shows', () => {
  it.each([
    ['no pixels: width 0', pngOf(pngHeader(0, 4), idat(99)), 'has no pixels.'],
    ['no pixels: height 0', pngOf(pngHeader(4, 0), idat(99)), 'has no pixels.'],
    ['no pixel data', pngOf(pngHeader(4, 4)), 'has no pixels.'],
    ['an empty chunk of pixels', pngOf(pngHeader(4, 4), pngChunk('IDAT', NONE)), 'has no pixels.'],
    ['a short header', pngOf(pngChunk('IHDR', Buffer.alloc(12)), idat(99)), 'its header has a wrong length.'],
    ['a long header', pngOf(pngChunk('IHDR', Buffer.alloc(14)), idat(99)), 'its header has a wrong length.'],
    [
      'another chunk before the header',
      pngOf(pngChunk('tEXt', NONE), idat(99)),
      'its first chunk is not its header.',
    ],
    [
      'another compression',
      pngOf(pngHeader(4, 4, { methods: [1, 0, 0] }), idat(99)),
      'has a compression, filter',
    ],
    ['another filter', pngOf(pngHeader(4, 4, { methods: [0, 1, 0] }), idat(99)), 'has a compression, filter'],
    [
      'another interlacing',
      pngOf(pngHeader(4, 4, { methods: [0, 0, 2] }), idat(99)),
      'has a compression, filter',
    ],
    ['no palette', ofPalette(idat(99)), 'has no palette.'],
    ['a palette after the pixels', ofPalette(idat(99), palette(6)), 'has no palette.'],
    ['an empty palette', ofPalette(palette(0), idat(99)), 'its palette is wrong.'],
    ['a palette of 7 bytes', ofPalette(palette(7), idat(99)), 'its palette is wrong.'],
    ['a palette of 257 colours', ofPalette(palette(771), idat(99)), 'its palette is wrong.'],
    ['two palettes', ofPalette(palette(6), palette(6), idat(99)), 'its palette is wrong.'],
    [
      'pixels that are not compressed',
      pngOf(pngHeader(4, 4), pngChunk('IDAT', Buffer.from('This is no zlib stream.'))),
      'its pixels are not compressed',
    ],
    [
      'pixels that are a zlib stream only at first',
      pngOf(
        pngHeader(4, 4),
        pngChunk('IDAT', Buffer.concat([deflateSync(NONE).subarray(0, 2), Buffer.alloc(60, 255)])),
      ),
      'its pixels are not compressed',
    ],
    ['too few pixels', pngOf(pngHeader(4, 4), idat(51)), 'is truncated.'],
    [
      '25 megapixels of a few bytes',
      pngOf(pngHeader(5_000, 5_000), idat(100_000), idat(2_000_000)),
      'is truncated.',
    ],
  ])('an image is refused: %s', (_, file, reason) => {
    expect(() => cleanImage(file, 'image/png')).toThrow(reason);
  });

  it('a PNG is refused by its colour type and its bits', () => {
    for (const colourType of [0, 1, 2, 3, 4, 5, 6, 7, 77, 255]) {
      for (const bits of [0, 1, 2, 3, 4, 8, 15, 16, 99]) {
        const file = pngOf(pngHeader(4, 4, { bits, colourType }), palette(6), idat(200));
        const read = () => cleanImage(file, 'image/png');
        if (BITS[colourType]?.includes(bits)) expect(read()).toMatchObject({ width: 4, height: 4 });
        else expect(read).toThrow(`has ${bits} bits of colour type ${colourType}`);
      }
    }
  });

  it('unusual PNG files that browsers show are stored unchanged', () => {
    const shown = [
      ofPalette(palette(768), idat(99)),
      pngOf(pngHeader(4, 4, { methods: [0, 0, 1] }), idat(99)),
    ];
    const half = deflateSync(Buffer.alloc(52));
    const parts = [half.subarray(0, 1), NONE, half.subarray(1)].map((part) => pngChunk('IDAT', part));
    for (const file of [...shown, pngOf(pngHeader(4, 4), ...parts)])
      expect(cleanImage(file, 'image/png').bytes).toEqual(file);
    // A palette that is only a suggestion is dropped.
    expect(cleanImage(pngOf(pngHeader(4, 4), palette(7), idat(99)), 'image/png').bytes).toEqual(
      pngOf(pngHeader(4, 4), idat(99)),
    );
  });
});

const [LOSSY, LOSSLESS] = [WEBP.subarray(20), LOSSLESS_WEBP.subarray(20)];
/** A picture with some of its bytes changed. */
function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}
const lossy = (change: (copy: Buffer) => void): Buffer => webp(webpChunk('VP8 ', changed(LOSSY, change)));
const lossless = (change: (copy: Buffer) => void): Buffer =>
  webp(webpChunk('VP8L', changed(LOSSLESS, change)));

describe('a WebP that no browser shows', () => {
  it.each([
    ['no chunks', webp(), 'has no pixels.'],
    ['no picture', webp(extendedChunk(0)), 'has no pixels.'],
    ['no pixels: width 0', lossy((copy) => copy.writeUInt16LE(0, 6)), 'has no pixels.'],
    ['no pixels: height 0', lossy((copy) => copy.writeUInt16LE(0, 8)), 'has no pixels.'],
    [
      'two pictures',
      webp(webpChunk('VP8 ', LOSSY), webpChunk('VP8L', LOSSLESS)),
      'has more than one picture.',
    ],
    [
      'the same chunk twice',
      webp(webpChunk('VP8 ', LOSSY), webpChunk('VP8 ', LOSSY)),
      'a chunk appears twice.',
    ],
    [
      'a picture that needs another one',
      lossy((copy) => copy.writeUInt8(copy[0]! | 1, 0)),
      'has a wrong header.',
    ],
    ['an unknown version', lossy((copy) => copy.writeUInt8(copy[0]! | 0x0e, 0)), 'has a wrong header.'],
    ['a hidden picture', lossy((copy) => copy.writeUInt8(copy[0]! & ~0x10, 0)), 'has a wrong header.'],
    ['a wrong start', lossy((copy) => copy.writeUInt8(0, 3)), 'has a wrong header.'],
    ['a part that is longer than the picture', lossy((copy) => copy.writeUInt8(255, 2)), 'is truncated.'],
    ['a picture of ten bytes', webp(webpChunk('VP8 ', LOSSY.subarray(0, 10))), 'is truncated.'],
    ['a wrong lossless start', lossless((copy) => copy.writeUInt8(0, 0)), 'has a wrong header.'],
    [
      'an unknown lossless version',
      lossless((copy) => copy.writeUInt8(copy[4]! | 0x20, 4)),
      'has a wrong header.',
    ],
    ['a lossless header alone', webp(webpChunk('VP8L', LOSSLESS.subarray(0, 5))), 'has a wrong header.'],
    [
      'a short header',
      webp(webpChunk('VP8X', Buffer.alloc(9)), webpChunk('VP8 ', LOSSY)),
      'its header is too short.',
    ],
  ])('an image is refused: %s', (_, file, reason) => {
    expect(() => cleanImage(file, 'image/webp')).toThrow(reason);
  });
});

/** Images with this many parts, besides the needed ones. */
const MANY = {
  'image/jpeg': {
    needed: 9,
    of: (more: number) => jpegWith(...Array<Buffer>(more).fill(segment(0xfe, NONE))),
  },
  'image/png': {
    needed: 2,
    of: (more: number) => png(16, 8, Array<Buffer>(more).fill(pngChunk('tEXt', NONE))),
  },
  'image/webp': {
    needed: 1,
    of: (more: number) =>
      webp(webpChunk('VP8 ', LOSSY), ...Array<Buffer>(more).fill(webpChunk('XXXX', NONE))),
  },
} as const;

it.each(['image/jpeg', 'image/png', 'image/webp'] as const)(
  'Takes an %s of 2,000 parts, and refuses one of 2,001',
  (type) => {
    const { needed, of } = MANY[type];
    const plain = cleanImage(of(0), type);
    expect(cleanImage(of(PARTS_MAXIMUM - needed), type)).toEqual(plain);
    expect(() => cleanImage(of(PARTS_MAXIMUM + 1 - needed), type)).toThrow('has more than 2,000 parts.');
  },
);

it.each([
  ['Huffman', 0xc4, 17],
  ['quantization', 0xdb, 65],
])(
  'a JPEG has at most 2,000 %s tables and segments, also if one segment has many tables',
  (_, marker, bytes) => {
    // A table of zeros has the number 0 and no codes.
    const tables = (count: number): Buffer => segment(marker, Buffer.alloc(bytes * count));
    const segments = (count: number): Buffer[] => Array<Buffer>(count / 500).fill(tables(500));
    expect(() => cleanImage(jpegWith(...segments(2_000)), 'image/jpeg')).toThrow(
      'has more than 2,000 parts.',
    );
    expect(cleanImage(jpegWith(...segments(1_500)), 'image/jpeg').width).toBe(16);
  },
);
