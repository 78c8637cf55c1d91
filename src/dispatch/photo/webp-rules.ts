import { Buffer } from 'node:buffer';
import { declareReader } from '../../core/lib/reader.ts';
import {
  exifOf,
  fault,
  type ImageParts,
  orientationOf,
  PARTS_MAXIMUM,
  tooManyParts,
} from './image-parts-rules.ts';

/** Flags of the chunk VP8X (RFC 9649, section 2.7.1). */
const [ANIMATED, HAS_EXIF, HAS_ALPHA] = [0x02, 0x08, 0x10];
const HEADER_BYTES = 12;
const EXTENDED_BYTES = 10;
/** The chunks that are read. All others are metadata, or an animation. */
const READ = ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'EXIF'] as const;
type Chunks = Map<string, Buffer>;

// It needs no budget: its work for a chunk is less than for the 8 bytes of a header.
declareReader('webp', {});

/** Read a WebP file (RFC 9649). Profiles, EXIF, XMP and unknown chunks are dropped. An animation is refused. */
export function webpParts(file: Buffer): ImageParts {
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
  if (!isWebp || file.length < HEADER_BYTES) fault('is not a WebP file.');
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) fault('is truncated.');
  const chunks = chunksOf(file.subarray(0, end));
  const [extended, lossy, lossless, alpha, exif] = READ.map((type) => chunks.get(type));
  if (extended && (extended[0]! & ANIMATED) !== 0) fault('is an animation.');
  if (lossy && lossless) fault('has more than one picture.');
  const pixels = lossy ?? lossless ?? fault('has no pixels.');
  const size = lossy ? lossySize(lossy) : losslessSize(pixels);
  const orientation = exif ? orientationOf(exif) : 1;
  const bitmap = chunk(lossy ? 'VP8 ' : 'VP8L', pixels);
  if (!extended) return { ...size, orientation: 1, parts: riff(bitmap), end };
  const flags = (extended[0]! & HAS_ALPHA) | (orientation === 1 ? 0 : HAS_EXIF);
  refuseOtherSize(extended, size);
  const head = Buffer.concat([Buffer.from([flags, 0, 0, 0]), extended.subarray(4, EXTENDED_BYTES)]);
  const kept = [
    ...chunk('VP8X', head),
    ...(alpha && lossy ? chunk('ALPH', alpha) : []),
    ...bitmap,
    ...(orientation === 1 ? [] : chunk('EXIF', exifOf(orientation))),
  ];
  return { ...size, orientation, parts: riff(kept), end };
}

/** The chunks that are read, by their type. A chunk may appear once. */
function chunksOf(file: Buffer): Chunks {
  const chunks: Chunks = new Map();
  let [at, parts] = [HEADER_BYTES, 0];
  for (; at < file.length; parts += 1) {
    if (parts === PARTS_MAXIMUM) tooManyParts();
    const length = at + 8 <= file.length ? file.readUInt32LE(at + 4) : file.length;
    const end = at + 8 + length;
    if (end > file.length) fault('is truncated.');
    const type = file.toString('latin1', at, at + 4);
    if ((READ as readonly string[]).includes(type)) {
      if (chunks.has(type)) fault('is damaged: a chunk appears twice.');
      chunks.set(type, file.subarray(at + 8, end));
    }
    at = end + (length % 2);
  }
  return chunks;
}

/** The size of a picture with lossy compression (RFC 6386, section 9.1). */
function lossySize(pixels: Buffer): { width: number; height: number } {
  const tag = pixels.length >= 10 ? pixels.readUIntLE(0, 3) : 1;
  const [isKeyFrame, version, isShown, firstPart] = [
    (tag & 1) === 0,
    (tag >> 1) & 7,
    (tag >> 4) & 1,
    tag >> 5,
  ];
  if (!isKeyFrame || version > 3 || isShown === 0 || pixels.readUIntBE(3, 3) !== 0x9d012a)
    fault('is damaged: its picture has a wrong header.');
  if (firstPart > pixels.length - 10) fault('is truncated.');
  return { width: pixels.readUInt16LE(6) & 0x3fff, height: pixels.readUInt16LE(8) & 0x3fff };
}

/** The size of a picture with lossless compression (RFC 9649, section 3.4). */
function losslessSize(pixels: Buffer): { width: number; height: number } {
  const bits = pixels.length > 5 ? pixels.readUInt32LE(1) : 0;
  if (pixels.length <= 5 || pixels[0] !== 0x2f || bits >>> 29 !== 0)
    fault('is damaged: its picture has a wrong header.');
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function refuseOtherSize(extended: Buffer, { width, height }: { width: number; height: number }): void {
  if (extended.length < EXTENDED_BYTES) fault('is damaged: its header is too short.');
  const isSame = extended.readUIntLE(4, 3) + 1 === width && extended.readUIntLE(7, 3) + 1 === height;
  if (!isSame) fault('is damaged: its sizes differ.');
}

/** A chunk with its header, and a zero after an odd length. */
function chunk(type: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return [header, content, Buffer.alloc(content.length % 2)];
}

function riff(chunks: Buffer[]): Buffer[] {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 'latin1');
  header.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  header.write('WEBP', 8, 'latin1');
  return [header, ...chunks];
}
