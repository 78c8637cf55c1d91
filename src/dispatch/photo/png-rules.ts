import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { exifOf, orientationOf } from './exif-rules.ts';
import { fault, type ImageParts } from './image-parts-rules.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The chunks that are kept: header, palette, transparency, pixels and end. All others are metadata, or an animation. */
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const HEADER_BYTES = 13;
/** Length, type and checksum. */
const FRAME_BYTES = 12;

/** Read a PNG file. For an animation, only the still image is kept, which viewers without animations show. */
export function pngParts(file: Buffer): ImageParts {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) fault('is not a PNG file.');
  const parts: Buffer[] = [];
  let [width, height, orientation, pixels] = [0, 0, 1, 0];
  for (let at = SIGNATURE.length; ; ) {
    const { type, content, whole } = chunkAt(file, at);
    if ((at === SIGNATURE.length) !== (type === 'IHDR')) fault('is damaged.');
    at += whole.length;
    if (type === 'IHDR') {
      if (content.length !== HEADER_BYTES) fault('is damaged.');
      [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
    }
    if (type === 'IDAT') pixels += content.length;
    if (type === 'eXIf') orientation = orientationOf(content);
    // An upper-case first letter marks a critical chunk: a decoder must know it.
    if (KEPT.includes(type)) parts.push(whole);
    else if (/^[A-Z]/.test(type)) fault('is not a PNG file that browsers show.');
    if (type !== 'IEND') continue;
    if (pixels === 0) fault('has no pixels.');
    if (at < file.length) fault('has other data after its end.');
    const [header, ...others] = parts;
    return { width, height, orientation, parts: [SIGNATURE, header!, ...exifChunk(orientation), ...others] };
  }
}

/** The chunk at a position. Its checksum must be right. */
function chunkAt(file: Buffer, at: number) {
  const length = at + FRAME_BYTES <= file.length ? file.readUInt32BE(at) : file.length;
  const end = at + FRAME_BYTES + length;
  if (end > file.length) fault('is truncated.');
  const checked = file.subarray(at + 4, end - 4);
  if (crc32(checked) !== file.readUInt32BE(end - 4)) fault('is damaged: a checksum is wrong.');
  return {
    type: checked.toString('latin1', 0, 4),
    content: checked.subarray(4),
    whole: file.subarray(at, end),
  };
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
