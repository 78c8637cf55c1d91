import { Buffer } from 'node:buffer';
import { OverBudget } from '../../core/lib/reader.ts';
import { fault, type ImageParts, tooManyParts } from './image-parts-rules.ts';
import { jpegParts } from './jpeg-rules.ts';
import { pngParts } from './png-rules.ts';
import { CONTENT_TYPES, type ContentType } from './rules.ts';
import { webpParts } from './webp-rules.ts';

/** The largest photo that is stored, in pixels. */
const PIXELS_MAXIMUM = 25_000_000;

/** An image without metadata, as it is stored. */
export interface CleanImage {
  contentType: ContentType;
  /** Pixels, as viewers show it: after the orientation is applied. */
  width: number;
  height: number;
  bytes: Uint8Array;
}

const READERS: Readonly<Record<ContentType, (file: Buffer) => ImageParts>> = {
  'image/jpeg': jpegParts,
  'image/png': pngParts,
  'image/webp': webpParts,
};

/** Markup that a browser would run if somebody served the bytes as HTML. Photos of cameras do not contain it. */
const MARKUP = /<(?:!doctype|script|html[\s>])/i;
/** Markup is searched in pieces, so that no text of the size of the file is made. */
const PIECE_BYTES = 65_536;
const OVERLAP_BYTES = 16;

/**
 * The image without its metadata. It is read by its structure, without decoding pixels. Only the parts that a decoder
 * needs are kept, and the orientation. So no location, text or preview of a camera is stored. Data after the image is
 * dropped.
 * @throws `ImageFault` if the bytes are no complete image of this type, or an image that no browser shows
 */
export function cleanImage(file: Buffer, contentType: ContentType): CleanImage {
  const { width, height, orientation, parts, end } = partsOf(file, contentType);
  if (width === 0 || height === 0) fault('has no pixels.');
  if (width * height > PIXELS_MAXIMUM)
    fault(`has ${width} × ${height} pixels. At most 25 megapixels are stored.`);
  if (hasMarkup(file.subarray(0, end))) fault('contains HTML.');
  const isTurned = orientation >= 5;
  return {
    contentType,
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    bytes: Buffer.concat(parts),
  };
}

function partsOf(file: Buffer, contentType: ContentType): ImageParts {
  try {
    return READERS[contentType](file);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    return tooManyParts();
  }
}

/** The type of an image by its first bytes; undefined for other bytes. */
export const typeOfImage = (file: Buffer): ContentType | undefined =>
  CONTENT_TYPES.find((type) => file.subarray(...SIGNATURES[type].at).equals(SIGNATURES[type].bytes));

const SIGNATURES: Readonly<Record<ContentType, { at: [number, number]; bytes: Buffer }>> = {
  'image/jpeg': { at: [0, 2], bytes: Buffer.from([0xff, 0xd8]) },
  'image/png': { at: [1, 4], bytes: Buffer.from('PNG') },
  'image/webp': { at: [8, 12], bytes: Buffer.from('WEBP') },
};

function hasMarkup(file: Buffer): boolean {
  for (let at = 0; at < file.length; at += PIECE_BYTES) {
    if (MARKUP.test(file.toString('latin1', at, at + PIECE_BYTES + OVERLAP_BYTES))) return true;
  }
  return false;
}
