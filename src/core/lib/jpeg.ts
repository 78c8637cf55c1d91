import encode from 'jpeg-js/lib/encoder.js';

/** Encode RGBA pixels as JPEG. @param quality 1 to 100 */
export const encodeJpeg = (
  pixels: { width: number; height: number; data: ArrayLike<number> },
  quality: number,
): Uint8Array => encode(pixels, quality).data;
