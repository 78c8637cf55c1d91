import { Buffer } from 'node:buffer';
import { ImageFault } from '../../../src/dispatch/photo/image-parts-rules.ts';
import { cleanImage } from '../../../src/dispatch/photo/image-rules.ts';
import { type ContentType, PHOTO_BYTES_MAXIMUM } from '../../../src/dispatch/photo/rules.ts';

/** Reads an image as an upload does. A refusal is its text. */
export function readImage(file: Buffer, contentType: ContentType): unknown {
  try {
    return cleanImage(file, contentType);
  } catch (error) {
    if (error instanceof ImageFault) return error.message;
    throw error;
  }
}

/** A file of the largest size. Repeated parts fill the space between its begin and its end. */
export function filled(begin: Buffer, part: Buffer, end: Buffer): Buffer {
  const count = Math.floor((PHOTO_BYTES_MAXIMUM - begin.length - end.length) / part.length);
  return Buffer.concat([begin, Buffer.alloc(count * part.length, part), end]);
}

/** Texts that look like HTML until their last letter. */
export const NEAR_HTML = Buffer.from('<<<!doctyp<!doctyp-<script-<scrip<html<htmlx<ht<');
