import type { Buffer } from 'node:buffer';

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
