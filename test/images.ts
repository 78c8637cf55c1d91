import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';

/** Images of 16 × 8 pixels, made with libvips. They have no metadata. */
export const JPEG = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBD' +
    'ARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIABAD' +
    'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAfEAACAgIBBQAAAAAAAAAAAAABAgARAxITISNBkbH/xAAVAQEBAAAA' +
    'AAAAAAAAAAAAAAAAAf/EABoRAAICAwAAAAAAAAAAAAAAAAABEWECITH/2gAMAwEAAhEDEQA/AAROQYAO2pCtVA1bpfoiTucuPcUq' +
    'Ku3TydUf6hiJVqXcDLrpH//Z',
  'base64',
);
export const PROGRESSIVE_JPEG = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBD' +
    'ARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wgARCAAIABAD' +
    'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIQAxAAAAFA/8QAFhAA' +
    'AwAAAAAAAAAAAAAAAAAAATFB/9oACAEBAAEFAqx//8QAFREBAQAAAAAAAAAAAAAAAAAAAAH/2gAIAQMBAT8Br//EABQRAQAAAAAA' +
    'AAAAAAAAAAAAAAD/2gAIAQIBAT8Bf//EABYQAAMAAAAAAAAAAAAAAAAAABARQf/aAAgBAQAGPwJQf//EABsQAQACAgMAAAAAAAAA' +
    'AAAAAAEAESGhMWHB/9oACAEBAAE/IaOlh2S8nAF6Hyf/2gAMAwEAAgADAAAAEAv/xAAXEQEAAwAAAAAAAAAAAAAAAAABADFh/9oA' +
    'CAEDAQE/ELOE/8QAGBEAAgMAAAAAAAAAAAAAAAAAAREAIWH/2gAIAQIBAT8QFM6p/8QAGxABAQABBQAAAAAAAAAAAAAAAREAITFB' +
    'kcH/2gAIAQEAAT8QJiahCDLfpMuWbI5fW8//2Q==',
  'base64',
);
export const WEBP = Buffer.from(
  'UklGRpIAAABXRUJQVlA4IIYAAABQAwCdASoQAAgAA4BaJagCdH8I/+/ADrFCfZuWI8AKQxGNMAD6lvIDHG7Rz3n7WbmW99ktylO5' +
    '/r8L3BnPlXP/xzl+pdRwECeUbG5cNr5VlM20uAGbfIj9O12o2b/9OA44KqGIqQlZFowohbk/HyT5f9PkTtFd3YYewrwrszffyI18' +
    'uvQAAA==',
  'base64',
);
export const LOSSLESS_WEBP = Buffer.from(
  'UklGRioAAABXRUJQVlA4TB0AAAAvD8ABAM1lRP8DRNo2aqZv1ufi6Hy2pyQmgGWNOwA=',
  'base64',
);
export const ALPHA_WEBP = Buffer.from(
  'UklGRrIAAABXRUJQVlA4WAoAAAAQAAAADwAABwAAQUxQSBgAAAABuYzof4BI28baHM3MPB+dR0zABDgr7gBWUDggdAAAALACAJ0B' +
    'KhAACAADgFoliAJ0bX8VIEWfugPQAHCl3ADK6BkvIzrF0hneUhyGTtNhXzogqfqryvBDAl0dRrjdSXJs540rglDwuGM3q4WW73t+' +
    'qtM2DXdXR1GKlL/7yXsVgieqAfB//VY98w16CsGPMVCdVUAA',
  'base64',
);

/** The text by which the tests find a location in stored bytes. */
export const LOCATION = '48.137154N 11.576124E';

/** EXIF data as a phone writes it: an orientation, and a location in the GPS directory. */
export function exif(orientation: number): Buffer {
  const tiff = Buffer.alloc(120);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(2, 8);
  // Orientation: SHORT. GPS directory: LONG, at byte 40.
  for (const [at, [tag, type, value]] of [
    [10, [0x0112, 3, orientation]],
    [22, [0x8825, 4, 40]],
  ] as const) {
    tiff.writeUInt16LE(tag, at);
    tiff.writeUInt16LE(type, at + 2);
    tiff.writeUInt32LE(1, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  tiff.write(LOCATION, 60, 'latin1');
  return tiff;
}

/** A JPEG segment. */
export function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A JPEG file with further segments after its start. */
export const jpegWith = (...segments: Buffer[]): Buffer =>
  Buffer.concat([JPEG.subarray(0, 2), ...segments, JPEG.subarray(2)]);

/** A photo of a phone: turned, with a location in EXIF and XMP. */
export const phoneJpeg = (orientation = 6): Buffer =>
  jpegWith(
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation)])),
    segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${LOCATION}</x:xmpmeta>`)),
    segment(0xed, Buffer.from(`Photoshop 3.0\0${LOCATION}`)),
    segment(0xfe, Buffer.from(LOCATION)),
  );

/** The segments of the JPEGs below: a quantization table, and Huffman tables of the codes `0` and `10`. */
const TABLES = [
  segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 8)])),
  ...[
    [0x00, 0x00, 0x01],
    // AC coefficients of four bits, and the end of a block.
    [0x10, 0x04, 0x00],
  ].map(([id, ...symbols]) =>
    segment(0xc4, Buffer.from([id!, 1, 1, ...Array<number>(14).fill(0), ...symbols])),
  ),
];

/** The frame header of a JPEG. @param components each with its number, sampling factors and quantization table */
export function jpegFrame(
  width: number,
  height: number,
  { marker = 0xc0, precision = 8, components = [[1, 0x11, 0]] } = {},
): Buffer {
  const head = Buffer.from([precision, 0, 0, 0, 0, components.length]);
  head.writeUInt16BE(height, 1);
  head.writeUInt16BE(width, 3);
  return segment(marker, Buffer.concat([head, Buffer.from(components.flat())]));
}

/** The header of a scan. @param components each with its number and Huffman tables */
export const jpegScan = (components = [[1, 0]], [first, last, approximation] = [0, 63, 0]): Buffer =>
  segment(0xda, Buffer.from([components.length, ...components.flat(), first!, last!, approximation!]));

/** A JPEG of these segments and this many bytes of coded pixels, after the tables. */
export const jpegOf = (segments: Buffer[], pixels: Buffer = Buffer.alloc(64), tables = TABLES): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...tables, ...segments, pixels, Buffer.from([0xff, 0xd9])]);

/**
 * A JPEG of random pixels, which takes about as many bytes as the photo of a camera.
 * @param details numbers of each block of 8 × 8 pixels, at most 62. Each takes 5 bits.
 */
export function noisyJpeg(width: number, height: number, details = 20): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // A byte of 0xFF takes two bytes.
  const pixels = Buffer.alloc(Math.ceil((blocks * (3 + 5 * details)) / 4) + 1);
  let [held, count, seed, at] = [0, 0, 1, 0];
  const write = (bits: number, length: number): void => {
    held = (held << length) | bits;
    for (count += length; count >= 8; count -= 8) {
      const byte = (held >>> (count - 8)) & 0xff;
      at = pixels.writeUInt8(byte, at);
      if (byte === 0xff) at = pixels.writeUInt8(0, at);
    }
    held &= (1 << count) - 1;
  };
  for (let block = 0; block < blocks; block += 1) {
    write(0, 1);
    for (let detail = 0; detail < details; detail += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      write((seed >>> 16) & 15, 5);
    }
    write(0b10, 2);
  }
  write(0x7f, (8 - count) % 8);
  return jpegOf([jpegFrame(width, height), jpegScan()], pixels.subarray(0, at));
}

/** A PNG chunk with its checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The header of a PNG. */
export function pngHeader(
  width: number,
  height: number,
  { bits = 8, colourType = 2, methods = [0, 0, 0] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colourType, ...methods], 8);
  return pngChunk('IHDR', header);
}

/** A PNG of these chunks, with its start and its end. */
export const pngOf = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([PNG_START, ...chunks, pngChunk('IEND', Buffer.alloc(0))]);

/** A PNG of one colour, with further chunks before its pixels. */
export function png(width = 16, height = 8, further: Buffer[] = []): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3), 77);
  for (let row = 0; row < height; row += 1) rows[row * (1 + width * 3)] = 0;
  return pngOf(pngHeader(width, height), ...further, pngChunk('IDAT', deflateSync(rows)));
}

/** A chunk of a WebP file. */
export function webpChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A WebP file of these chunks. */
export function webp(...chunks: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** The chunk VP8X of an image of 16 × 8 pixels. */
export const extendedChunk = (flags: number): Buffer =>
  webpChunk('VP8X', Buffer.from([flags, 0, 0, 0, 15, 0, 0, 7, 0, 0]));

/** A turned WebP photo with a location in EXIF and XMP. */
export const phoneWebp = (orientation = 6): Buffer =>
  webp(
    extendedChunk(0x2c),
    webpChunk('ICCP', Buffer.from(LOCATION)),
    WEBP.subarray(12),
    webpChunk('EXIF', exif(orientation)),
    webpChunk('XMP ', Buffer.from(LOCATION)),
  );
