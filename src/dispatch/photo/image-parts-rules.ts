/** The parts of an image that are stored, and its properties as its bytes state them. */
export interface ImageParts {
  /** Pixels, before the orientation is applied. */
  width: number;
  height: number;
  /** The value of the EXIF tag Orientation, 1 to 8. From 5 on, viewers turn the image by 90 degrees. */
  orientation: number;
  parts: Uint8Array[];
}

/** The bytes are not an image that can be stored. The message completes the sentence "The photo …". */
export class ImageFault extends Error {}

/** @throws `ImageFault` */
export function fault(reason: string): never {
  throw new ImageFault(reason);
}
