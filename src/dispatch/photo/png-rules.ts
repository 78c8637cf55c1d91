import { Buffer } from 'node:buffer';
import { constants, crc32, inflateSync } from 'node:zlib';
import { declareReader } from '../../core/lib/reader.ts';
import {
  exifOf,
  fault,
  type ImageParts,
  KeptRanges,
  orientationOf,
  PARTS_MAXIMUM,
} from './image-parts-rules.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The chunks that are kept: transparency, pixels and end, and the palette if the colours need it. */
const KEPT = ['tRNS', 'IDAT', 'IEND'];
/** The critical chunks after the header. A decoder must know all chunks with an upper-case first letter. */
const CRITICAL = ['PLTE', 'IDAT', 'IEND'];
const HEADER_BYTES = 13;
/** Length, type and checksum. */
const FRAME_BYTES = 12;
/** Colour types with their samples of a pixel and their bits of a sample (PNG, section 11.2.1). */
const [GREY, COLOURED, PALETTE] = [0, 2, 3];
const COLOUR_TYPES: ReadonlyMap<number, { samples: number; bits: readonly number[] }> = new Map([
  [GREY, { samples: 1, bits: [1, 2, 4, 8, 16] }],
  [COLOURED, { samples: 3, bits: [8, 16] }],
  [PALETTE, { samples: 1, bits: [1, 2, 4, 8] }],
  [4, { samples: 2, bits: [8, 16] }],
  [6, { samples: 4, bits: [8, 16] }],
]);
/** Deflate (RFC 1951) makes at most so many bytes of one byte. */
const RATIO_MAXIMUM = 1_032;
/** The compressed bytes that are inflated, to see that they are a zlib stream. */
const INFLATED_BYTES = 1_024;

const READER = declareReader('png', { parts: PARTS_MAXIMUM });

interface Header {
  width: number;
  height: number;
  colourType: number;
  /** Bytes of all pixels before compression, at least. */
  bytes: number;
}

/** Read a PNG file. For an animation, only the still image is kept, which viewers without animations show. */
export function pngParts(file: Buffer): ImageParts {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) fault('is not a PNG file.');
  const budget = READER.budget();
  const first = chunkAt(file, SIGNATURE.length);
  if (first.type !== 'IHDR') fault('is damaged: its first chunk is not its header.');
  const header = headerOf(first.content);
  const needsPalette = header.colourType === PALETTE;
  const kept = new KeptRanges(file);
  const pixels = new Pixels();
  let [orientation, hasPalette, at] = [1, false, first.end];
  for (let isOver = false; !isOver; ) {
    budget.charge('parts');
    const { type, content, end } = chunkAt(file, at);
    if (type === 'PLTE' && needsPalette) {
      if (hasPalette || pixels.bytes > 0 || !isPalette(content)) fault('is damaged: its palette is wrong.');
      hasPalette = true;
    }
    if (type === 'IDAT') {
      if (needsPalette && !hasPalette) fault('has no palette.');
      pixels.add(content);
    }
    if (type === 'eXIf') orientation = orientationOf(content);
    if (type === 'IHDR') fault('has more than one header.');
    if (/^[A-Z]/.test(type) && !CRITICAL.includes(type)) fault('is not a PNG file that browsers show.');
    // All other chunks are metadata, or an animation.
    if (KEPT.includes(type) || (type === 'PLTE' && needsPalette)) kept.keep(at, end);
    at = end;
    isOver = type === 'IEND';
  }
  pixels.check(header.bytes);
  const { width, height } = header;
  const start = file.subarray(0, first.end);
  return { width, height, orientation, parts: [start, ...exifChunk(orientation), ...kept.parts], end: at };
}

const isPalette = ({ length }: Buffer): boolean => length > 0 && length % 3 === 0 && length <= 3 * 256;

/** The compressed pixels. Only their begin is inflated, which makes 1 MB at most. */
class Pixels {
  /** The number of compressed bytes. */
  bytes = 0;
  #begin = Buffer.alloc(0);

  add(content: Buffer): void {
    this.bytes += content.length;
    const room = INFLATED_BYTES - this.#begin.length;
    if (room > 0) this.#begin = Buffer.concat([this.#begin, content.subarray(0, room)]);
  }

  /** @throws `ImageFault` if they are no zlib stream, or cannot be so many bytes */
  check(bytes: number): void {
    if (this.bytes === 0) fault('has no pixels.');
    const { length } = inflated(this.#begin);
    const most = this.bytes > INFLATED_BYTES ? this.bytes * RATIO_MAXIMUM : length;
    if (most < bytes) fault('is truncated.');
  }
}

function headerOf(content: Buffer): Header {
  if (content.length !== HEADER_BYTES) fault('is damaged: its header has a wrong length.');
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
  const [bits = 0, colourType = 0, compression, filter, interlacing = 0] = content.subarray(8);
  const colours = COLOUR_TYPES.get(colourType);
  if (!colours?.bits.includes(bits))
    fault(`has ${bits} bits of colour type ${colourType}, which PNG does not have.`);
  if (compression !== 0 || filter !== 0 || interlacing > 1)
    fault('has a compression, filter or interlacing that PNG does not have.');
  // Each row begins with a byte for its filter.
  return { width, height, colourType, bytes: (1 + Math.ceil((width * bits * colours.samples) / 8)) * height };
}

/** The chunk at a position. Its checksum must be right. */
function chunkAt(file: Buffer, at: number) {
  const length = at + FRAME_BYTES <= file.length ? file.readUInt32BE(at) : file.length;
  const end = at + FRAME_BYTES + length;
  if (end > file.length) fault('is truncated.');
  const checked = file.subarray(at + 4, end - 4);
  if (crc32(checked) !== file.readUInt32BE(end - 4)) fault('is damaged: a checksum is wrong.');
  return { type: checked.toString('latin1', 0, 4), content: checked.subarray(4), end };
}

function inflated(begin: Buffer): Buffer {
  try {
    return inflateSync(begin, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return fault('is damaged: its pixels are not compressed as PNG needs it.');
  }
}

/** An eXIf chunk with the orientation. Empty for the normal orientation. */
function exifChunk(orientation: number): Buffer[] {
  if (orientation === 1) return [];
  const content = exifOf(orientation);
  const checked = Buffer.concat([Buffer.from('eXIf'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(checked));
  return [length, checked, sum];
}
