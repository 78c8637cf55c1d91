import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { cleanImage } from '../../../../src/dispatch/photo/image-rules.ts';
import { CONTENT_TYPES, type ContentType } from '../../../../src/dispatch/photo/rules.ts';
import {
  ALPHA_WEBP,
  exif,
  extendedChunk,
  JPEG,
  jpegWith,
  LOCATION,
  LOSSLESS_WEBP,
  noisyJpeg,
  PROGRESSIVE_JPEG,
  phoneJpeg,
  phoneWebp,
  png,
  pngChunk,
  pngHeader,
  pngOf,
  segment,
  WEBP,
  webp,
  webpChunk,
} from '../../../images.ts';

const text = (content: string): Buffer => Buffer.from(content);
const joined = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? text(part) : part)));
const stored = (file: Buffer, type: ContentType) => Buffer.from(cleanImage(file, type).bytes);

const PLAIN: [string, ContentType, Buffer][] = [
  ['JPEG', 'image/jpeg', JPEG],
  ['progressive JPEG', 'image/jpeg', PROGRESSIVE_JPEG],
  ['PNG', 'image/png', png()],
  ['lossy WebP', 'image/webp', WEBP],
  ['lossless WebP', 'image/webp', LOSSLESS_WEBP],
  ['WebP with transparency', 'image/webp', ALPHA_WEBP],
];

it.each(PLAIN)('Reads the size of a %s and keeps its bytes', (_, type, file) => {
  expect(cleanImage(file, type)).toEqual({ contentType: type, width: 16, height: 8, bytes: file });
});

it.each(PLAIN)('Refuses a %s that is truncated at any byte', (_, type, file) => {
  for (let length = 0; length < file.length; length += 1) {
    expect(() => cleanImage(file.subarray(0, length), type), `${length} bytes`).toThrow(/^(is|has) /);
  }
});

it.each(PLAIN)(
  'Drops the data after the end of a %s: a film, a trailer of its maker or further pictures',
  (_, type, file) => {
    for (const rest of [
      text('\0'),
      text('PK\x03\x04'),
      text('<script>alert(1)</script>'),
      file,
      Buffer.alloc(70_000),
    ])
      expect(stored(joined(file, rest), type)).toEqual(file);
  },
);

it.each(PLAIN)('A %s is refused under the name of another type', (_, type, file) => {
  for (const other of CONTENT_TYPES.filter((name) => name !== type)) {
    expect(() => cleanImage(file, other)).toThrow(/^is not a /);
  }
});

const PHONES: [string, ContentType, (orientation: number) => Buffer][] = [
  ['JPEG', 'image/jpeg', phoneJpeg],
  [
    'PNG',
    'image/png',
    (orientation) =>
      png(16, 8, [
        pngChunk('tEXt', text(`Location\0${LOCATION}`)),
        pngChunk('iTXt', text(LOCATION)),
        pngChunk('zTXt', text(LOCATION)),
        pngChunk('eXIf', exif(orientation)),
        pngChunk('tIME', text('1234567')),
        pngChunk('gpSs', text(LOCATION)),
      ]),
  ],
  ['WebP', 'image/webp', phoneWebp],
];

it.each(PHONES)('Stores no location of a %s, and keeps its orientation', (_, type, photo) => {
  expect(photo(6).toString('latin1')).toContain(LOCATION);
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const { bytes, width, height } = cleanImage(photo(orientation), type);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain(LOCATION);
    expect([width, height]).toEqual(orientation < 5 ? [16, 8] : [8, 16]);
    // Cleaning the stored bytes changes nothing: they have the orientation, and nothing else besides.
    expect(cleanImage(Buffer.from(bytes), type)).toEqual({ contentType: type, width, height, bytes });
  }
  const kept = stored(photo(3), type);
  expect(kept.length).toBeLessThan(photo(3).length - 80);
  expect(stored(photo(1), type).length).toBeLessThan(kept.length);
});

it.each(PHONES)('Reads a %s with damaged EXIF data as not turned', (_, type, photo) => {
  const file = photo(6);
  const at = file.indexOf('II*');
  const damaged = Buffer.from(file);
  damaged.writeUInt32LE(0xffffffff, at + 4);
  if (type === 'image/png') return expect(() => cleanImage(damaged, type)).toThrow('checksum');
  expect(cleanImage(damaged, type)).toMatchObject({ width: 16, height: 8 });
});

it.each([
  ['a comment of a JPEG', 'image/jpeg', jpegWith(segment(0xfe, text('<SCRIPT>alert(1)</SCRIPT>')))],
  ['XMP of a JPEG', 'image/jpeg', jpegWith(segment(0xe1, text('<!DocType html><p>')))],
  ['a text of a PNG', 'image/png', png(16, 8, [pngChunk('tEXt', text('Comment\0<html lang="en">'))])],
  [
    'a chunk of a WebP',
    'image/webp',
    webp(extendedChunk(4), WEBP.subarray(12), webpChunk('XMP ', text('<script>'))),
  ],
] as const)('Refuses HTML in %s', (_, type, file) => {
  expect(() => cleanImage(file, type)).toThrow('contains HTML.');
});

it('Finds HTML across the pieces that are searched', () => {
  const content = text(`${'x'.repeat(60_000)}`);
  for (let before = 5_400; before < 5_560; before += 1) {
    const second = text(`${'y'.repeat(before)}<script>`);
    expect(() => cleanImage(jpegWith(segment(0xfe, content), segment(0xfe, second)), 'image/jpeg')).toThrow(
      'contains HTML.',
    );
  }
});

it.each([
  ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
  ['HTML', text('<!doctype html><script>alert(1)</script>')],
  ['GIF', text('GIF89a\x01\0\x01\0\0\0\0;')],
  ['nothing', Buffer.alloc(0)],
])('Refuses %s as any type', (_, file) => {
  for (const type of CONTENT_TYPES) expect(() => cleanImage(file, type)).toThrow(/^is not a /);
});

it('Refuses photos of more than 25 megapixels by their header, and stores one of 25', () => {
  const grey = { colourType: 0, bits: 1 };
  const of = (width: number, height: number) =>
    pngOf(pngHeader(width, height, grey), pngChunk('IDAT', deflateSync(Buffer.alloc(13_000_000))));
  expect(() => cleanImage(of(10_000, 10_000), 'image/png')).toThrow('has 10000 × 10000 pixels.');
  expect(() => cleanImage(of(5_000, 5_001), 'image/png')).toThrow('At most 25 megapixels are stored.');
  expect(cleanImage(of(5_000, 5_000), 'image/png')).toMatchObject({ width: 5_000, height: 5_000 });
  const large = noisyJpeg(5_000, 5_001, 0);
  expect(() => cleanImage(large, 'image/jpeg')).toThrow('has 5000 × 5001 pixels.');
  expect(cleanImage(noisyJpeg(5_000, 5_000, 0), 'image/jpeg')).toMatchObject({ width: 5_000, height: 5_000 });
});

it('A PNG with a wrong checksum, an unknown critical chunk or a second header is refused', () => {
  const wrong = Buffer.from(png());
  wrong[20] = 99;
  expect(() => cleanImage(wrong, 'image/png')).toThrow('is damaged: a checksum is wrong.');
  expect(() => cleanImage(png(16, 8, [pngChunk('EVIL', text('x'))]), 'image/png')).toThrow('is not a PNG');
  expect(() => cleanImage(png(16, 8, [pngChunk('IHDR', Buffer.alloc(13))]), 'image/png')).toThrow(
    'has more than one header.',
  );
});

it('Keeps the still image of an animated PNG, and refuses an animated WebP', () => {
  const animated = png(16, 8, [pngChunk('acTL', Buffer.alloc(8)), pngChunk('fcTL', Buffer.alloc(26))]);
  expect(stored(animated, 'image/png')).toEqual(png());
  const frames = webp(
    extendedChunk(2),
    webpChunk('ANIM', Buffer.alloc(6)),
    webpChunk('ANMF', Buffer.alloc(16)),
  );
  expect(() => cleanImage(frames, 'image/webp')).toThrow('is an animation.');
});

it('Keeps the colour transform of Adobe, and drops other data in its segment', () => {
  const adobe = segment(0xee, text('Adobe\0\x64\0\0\0\0\x01'));
  expect(stored(jpegWith(adobe), 'image/jpeg').indexOf(adobe)).toBe(2);
  expect(stored(jpegWith(segment(0xee, text(`Adobe${LOCATION}`))), 'image/jpeg')).toEqual(JPEG);
});

it('A WebP with two sizes is refused', () => {
  const other = webpChunk('VP8X', Buffer.from([0, 0, 0, 0, 99, 0, 0, 7, 0, 0]));
  expect(() => cleanImage(webp(other, WEBP.subarray(12)), 'image/webp')).toThrow('its sizes differ.');
});
