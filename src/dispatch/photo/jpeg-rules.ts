import { Buffer } from 'node:buffer';
import { declareReader } from '../../core/lib/reader.ts';
import { exifOf, orientationOf } from './exif-rules.ts';
import { fault, type ImageParts, KeptRanges, PARTS_MAXIMUM } from './image-parts-rules.ts';
import { JpegTables } from './jpeg-tables-rules.ts';

/** Markers (ITU-T T.81, table B.1): the second byte, after 0xFF. */
const [DHT, SOI, EOI, SOS, DQT, DRI, APP1, APP14] = [0xc4, 0xd8, 0xd9, 0xda, 0xdb, 0xdd, 0xe1, 0xee];
const [RST0, RST7] = [0xd0, 0xd7];
/** The frames that browsers decode: baseline, extended and progressive, with Huffman coding. */
const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2];
/** Segments that do not change the pixels: application segments and comments. */
const isDropped = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

const START = Buffer.from([0xff, SOI]);
const END = Buffer.from([0xff, EOI]);
const EXIF = Buffer.from('Exif\0\0');
const ADOBE = Buffer.from('Adobe');
/** The size of Adobe's segment, which names the colour transform. */
const ADOBE_BYTES = 12;

const READER = declareReader('jpeg', { parts: PARTS_MAXIMUM });

/**
 * Read a JPEG file. Application segments (EXIF, XMP, IPTC, colour profiles, previews) and comments are dropped. Two
 * things are kept. Adobe's colour transform: some pictures have wrong colours without it. The orientation from EXIF:
 * it is written to a new, small segment.
 */
export function jpegParts(file: Buffer): ImageParts {
  if (!file.subarray(0, 2).equals(START)) fault('is not a JPEG file.');
  const budget = READER.budget();
  const kept = new KeptRanges(file);
  const tables = new JpegTables(() => budget.charge('parts'));
  let [orientation, at] = [1, 2];
  for (;;) {
    budget.charge('parts');
    const { marker, content, start, end } = segmentAt(file, at);
    at = end;
    if (marker === EOI) break;
    if (isDropped(marker)) {
      if (marker === APP1 && begins(content, EXIF))
        orientation = orientationOf(content.subarray(EXIF.length));
      if (marker !== APP14 || !begins(content, ADOBE) || content.length !== ADOBE_BYTES) continue;
    } else if (marker === SOS) {
      at = endOfScan(file, end);
      tables.scan(content, at - end);
    } else if (marker === DHT) tables.huffman(content);
    else if (marker === DQT) tables.quantization(content);
    else if (marker === BASELINE || marker === EXTENDED || marker === PROGRESSIVE)
      tables.frame(content, marker === PROGRESSIVE);
    else if (marker !== DRI) fault('is not a JPEG file that browsers show.');
    else if (content.length !== 2) fault('is damaged: its restart interval is wrong.');
    kept.keep(start, at);
  }
  const { width, height } = tables.size;
  return {
    width,
    height,
    orientation,
    parts: [START, ...exifSegment(orientation), ...kept.parts, END],
    end: at,
  };
}

const begins = (bytes: Buffer, signature: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature);

/** The segment at a position. Bytes of 0xFF may fill the space before its marker. */
function segmentAt(file: Buffer, position: number) {
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
function endOfScan(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1]!;
    if (next !== 0 && next !== 0xff && (next < RST0 || next > RST7)) return at;
  }
  return fault('is truncated.');
}

/** An EXIF segment with the orientation. Empty for the normal orientation. */
function exifSegment(orientation: number): Buffer[] {
  if (orientation === 1) return [];
  const content = Buffer.concat([EXIF, exifOf(orientation)]);
  return [Buffer.from([0xff, APP1, 0, content.length + 2]), content];
}
