import { Buffer } from 'node:buffer';
import { ImageFault } from './image-parts-rules.ts';
import { cleanImage } from './image-rules.ts';
import { type ContentType, photoKey, THUMBNAIL_BYTES_MAXIMUM, THUMBNAIL_SIDE } from './rules.ts';

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
function cleanJpeg(file: Buffer) {
  try {
    return cleanImage(file, 'image/jpeg');
  } catch (error) {
    if (error instanceof ImageFault) return undefined;
    throw error;
  }
}

/** A photo in the bucket. Its object has the bytes of the photo, and then the bytes of its thumbnail if it has one. */
interface PhotoObject {
  uuid: string;
  sizeBytes: number;
  /** 0 without a thumbnail. */
  thumbnailBytes: number;
}

/** The bytes of a photo, or of its thumbnail if it has one. Null if the bucket does not have the object. */
export async function openPhoto(
  bucket: R2Bucket,
  organization: string,
  { uuid, sizeBytes, thumbnailBytes }: PhotoObject,
  isThumbnail: boolean,
): Promise<{ body: ReadableStream<Uint8Array>; isThumbnail: boolean; length: number } | null> {
  const isSmall = isThumbnail && thumbnailBytes > 0;
  const range = isSmall ? { offset: sizeBytes, length: thumbnailBytes } : { offset: 0, length: sizeBytes };
  const object = await bucket.get(photoKey(organization, uuid), { range });
  return object && { body: object.body, isThumbnail: isSmall, length: range.length };
}

/**
 * The JPEG that documents show of a photo: its thumbnail, or the photo itself if it is a JPEG. It is checked again,
 * because an import stores photos without reading them. Undefined if the bucket does not have it, or if it is no JPEG
 * of the size of the photo.
 */
export async function pictureOf(
  bucket: R2Bucket,
  organization: string,
  photo: PhotoObject & { contentType: ContentType; width: number; height: number },
): Promise<Uint8Array | undefined> {
  const opened = await openPhoto(bucket, organization, photo, true);
  if (!opened) return undefined;
  const bytes = Buffer.from(await new Response(opened.body).arrayBuffer());
  if (opened.isThumbnail) return cleanThumbnail(bytes, photo);
  const image = cleanJpeg(bytes);
  return image?.width === photo.width && image.height === photo.height ? image.bytes : undefined;
}
