import { Buffer } from 'node:buffer';
import { exifOf, orientationOf } from './exif-rules.ts';
import { fault, type ImageParts } from './image-parts-rules.ts';

/** Markers (ITU-T T.81, table B.1): the second byte, after 0xFF. */
export const MARKERS = {
  BASELINE: 0xc0,
  EXTENDED: 0xc1,
  PROGRESSIVE: 0xc2,
  DHT: 0xc4,
  SOI: 0xd8,
  EOI: 0xd9,
  SOS: 0xda,
  DQT: 0xdb,
  DRI: 0xdd,
  APP1: 0xe1,
  APP2: 0xe2,
  APP14: 0xee,
} as const;
const { BASELINE, EXTENDED, PROGRESSIVE, DHT, SOI, EOI, SOS, DQT, DRI, APP1, APP2, APP14 } = MARKERS;
/** The frames that browsers decode: baseline, extended and progressive, with Huffman coding. */
export const FRAMES: readonly number[] = [BASELINE, EXTENDED, PROGRESSIVE];
/** The other segments that a decoder needs: Huffman tables, quantization tables and the restart interval. */
const TABLES: readonly number[] = [DHT, DQT, DRI];
/** Segments that do not change the pixels: application segments and comments. */
const isDropped = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

const START = Buffer.from([0xff, SOI]);
const END = Buffer.from([0xff, EOI]);
export const EXIF = Buffer.from('Exif\0\0');
/** The signature of Multi-Picture Format (CIPA DC-007): further pictures follow the end of the first one. */
const SEVERAL = Buffer.from('MPF\0');
export const ADOBE = Buffer.from('Adobe');
/** The size of Adobe's segment, which names the colour transform. */
export const ADOBE_BYTES = 12;

/**
 * Read a JPEG file. Application segments (EXIF, XMP, IPTC, colour profiles, previews) and comments are dropped. Two
 * things are kept. Adobe's colour transform: some pictures have wrong colours without it. The orientation from EXIF:
 * it is written to a new, small segment. Phones append further pictures, such as the brightness of an HDR photo. They
 * are dropped. All other data after the end is refused.
 */
export function jpegParts(file: Buffer): ImageParts {
  if (!file.subarray(0, 2).equals(START)) fault('is not a JPEG file.');
  const parts: Uint8Array[] = [];
  let [width, height, orientation, scans, at] = [0, 0, 1, 0, 2];
  let isSeveral = false;
  for (;;) {
    const { marker, content, start, end } = segmentAt(file, at);
    at = end;
    if (marker === EOI) break;
    if (isDropped(marker)) {
      if (marker === APP1 && begins(content, EXIF))
        orientation = orientationOf(content.subarray(EXIF.length));
      isSeveral ||= marker === APP2 && begins(content, SEVERAL);
      if (marker !== APP14 || !begins(content, ADOBE) || content.length !== ADOBE_BYTES) continue;
    } else if (FRAMES.includes(marker) && width === 0 && content.length >= 6) {
      [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
    } else if (marker === SOS && width > 0) {
      at = endOfScan(file, end);
      scans += 1;
    } else if (!TABLES.includes(marker)) {
      fault('is not a JPEG file that browsers show.');
    }
    parts.push(file.subarray(start, at));
  }
  if (scans === 0) fault('has no pixels.');
  const rest = file.subarray(at);
  if (rest.length > 0 && !(isSeveral && begins(rest, START))) fault('has other data after its end.');
  return { width, height, orientation, parts: [START, ...exifSegment(orientation), ...parts, END] };
}

export const begins = (bytes: Buffer, signature: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature);

/** The segment at a position. Bytes of 0xFF may fill the space before its marker. */
export function segmentAt(file: Buffer, position: number) {
  let start = position;
  while (file[start] === 0xff && file[start + 1] === 0xff) start += 1;
  const marker = file[start + 1];
  if (marker === undefined) fault('is truncated.');
  if (file[start] !== 0xff) fault('is damaged.');
  if (marker === EOI) return { marker, content: file.subarray(0, 0), start, end: start + 2 };
  const length = start + 4 <= file.length ? file.readUInt16BE(start + 2) : 0;
  const end = start + 2 + length;
  if (end > file.length || length < 2) fault('is truncated.');
  return { marker, content: file.subarray(start + 4, end), start, end };
}

/**
 * Where the coded pixels end: at the next marker that is not a restart marker. In coded pixels, a zero after 0xFF
 * means the byte 0xFF.
 */
export function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return fault('is truncated.');
}

/** An EXIF segment with the orientation. Empty for the normal orientation. */
function exifSegment(orientation: number): Buffer[] {
  if (orientation === 1) return [];
  const content = Buffer.concat([EXIF, exifOf(orientation)]);
  return [Buffer.from([0xff, APP1, 0, content.length + 2]), content];
}
