import type { Buffer } from 'node:buffer';
import { ImageFault } from './image-parts-rules.ts';
import { cleanImage } from './image-rules.ts';
import { THUMBNAIL_BYTES_MAXIMUM, THUMBNAIL_SIDE } from './rules.ts';

/** The size of a picture in pixels, as viewers show it. */
interface Size {
  width: number;
  height: number;
}

/**
 * A thumbnail without metadata. Undefined if it is no JPEG, larger than `THUMBNAIL_BYTES_MAXIMUM` or `THUMBNAIL_SIDE`, or
 * has other proportions than its photo.
 */
export function cleanThumbnail(file: Buffer, photo: Size): Uint8Array | undefined {
  if (file.length > THUMBNAIL_BYTES_MAXIMUM) return undefined;
  const image = cleanJpeg(file);
  if (!image || Math.max(image.width, image.height) > THUMBNAIL_SIDE) return undefined;
  // The sides of both were rounded to whole pixels.
  const isSame =
    Math.abs(image.width * photo.height - image.height * photo.width) <= photo.width + photo.height;
  return isSame ? image.bytes : undefined;
}

/** A JPEG without metadata; undefined if the bytes are no JPEG that the service stores. */
export function cleanJpeg(file: Buffer) {
  try {
    return cleanImage(file, 'image/jpeg');
  } catch (error) {
    if (error instanceof ImageFault) return undefined;
    throw error;
  }
}
