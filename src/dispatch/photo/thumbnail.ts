import { Buffer } from 'node:buffer';
import type { ContentType } from './rules.ts';
import { SMALL_BYTES, thumbnailOf } from './thumbnail-rules.ts';

const QUALITY = 70;

/**
 * A small JPEG of a photo; undefined for PNG, WebP, and JPEG that cannot be decoded. It is made for each request. Storing
 * thumbnails would cost more: one write to the bucket costs as much as making about 15 thumbnails.
 */
export async function thumbnail(
  contentType: ContentType,
  bytes: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (contentType !== 'image/jpeg') return undefined;
  if (bytes.length <= SMALL_BYTES) return bytes;
  const pixels = thumbnailOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (!pixels) return undefined;
  const { encodeJpeg } = await import('../../core/lib/jpeg.ts');
  return encodeJpeg(pixels, QUALITY);
}
