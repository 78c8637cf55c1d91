import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';
import { encodeJpeg } from '../src/core/lib/jpeg.ts';

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

/** A photo with details, which takes about as many bytes as the photo of a camera. @param quality 1 to 100 */
export function noisyJpeg(width: number, height: number, quality = 90): Buffer {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 4) {
    const x = (at / 4) % width;
    data.set([x < width / 2 ? 250 : 5, (at * 31) % 97, x % 64, 255], at);
  }
  return Buffer.from(encodeJpeg({ width, height, data }, quality));
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

/** A PNG file whose header claims this size, with further chunks before its pixels. */
export function png(width = 16, height = 8, further: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Buffer.alloc(8 * (1 + 16 * 3), 77);
  for (let row = 0; row < 8; row += 1) rows[row * 49] = 0;
  return Buffer.concat([
    PNG_START,
    pngChunk('IHDR', header),
    ...further,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
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
