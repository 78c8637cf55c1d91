import { Buffer } from 'node:buffer';

/** The parts of an image that are stored, and its properties as its bytes state them. */
export interface ImageParts {
  /** Pixels, before the orientation is applied. */
  width: number;
  height: number;
  /** The value of the EXIF tag Orientation, 1 to 8. From 5 on, viewers turn the image by 90 degrees. */
  orientation: number;
  parts: Uint8Array[];
  /** The position in the file after the image. Phones append a film, further pictures or a trailer of their maker. */
  end: number;
}

/** How many parts (segments and their tables, or chunks) an image has at most. Cameras write fewer than 100, programs up to 1,300. */
export const PARTS_MAXIMUM = 2_000;

/** The bytes are not an image that can be stored. The message completes the sentence "The photo …". */
export class ImageFault extends Error {}

/** @throws `ImageFault` */
export function fault(reason: string): never {
  throw new ImageFault(reason);
}

/** @throws `ImageFault` */
export const tooManyParts = (): never => fault(`has more than ${PARTS_MAXIMUM.toLocaleString('en')} parts.`);

/** The ranges of a file that are kept, in their order. Neighbouring ranges are joined. */
export class KeptRanges {
  readonly #file: Buffer;
  readonly #ranges: { start: number; end: number }[] = [];

  constructor(file: Buffer) {
    this.#file = file;
  }

  keep(start: number, end: number): void {
    const last = this.#ranges.at(-1);
    if (last?.end === start) last.end = end;
    else this.#ranges.push({ start, end });
  }

  get parts(): Uint8Array[] {
    return this.#ranges.map(({ start, end }) => this.#file.subarray(start, end));
  }
}

const ORIENTATION = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;

/**
 * The orientation in EXIF data (TIFF, CIPA DC-008): 1 to 8. It is 1, the normal orientation, if the data
 * contains no orientation or cannot be read.
 */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const short = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const end = Math.min(directory + 2 + short(directory) * ENTRY_BYTES, tiff.length);
  for (let at = directory + 2; at + ENTRY_BYTES <= end; at += ENTRY_BYTES) {
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** EXIF data that has only the orientation. */
export const exifOf = (orientation: number): Buffer =>
  Buffer.from([
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8],
    ...[0, 1, ORIENTATION >> 8, ORIENTATION & 0xff, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ]);
