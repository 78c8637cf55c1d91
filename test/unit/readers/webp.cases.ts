import { Buffer } from 'node:buffer';
import { ALPHA_WEBP, exif, extendedChunk, WEBP, webp, webpChunk } from '../../images.ts';
import { casesOf } from './case.ts';
import { filled, NEAR_HTML, readImage } from './images.ts';

const NONE = Buffer.alloc(0);
const BITMAP = WEBP.subarray(12);
const MARGIN = Buffer.alloc(1_000);

/** Chunks that fill a file of the largest size. */
const chunks = (part: Buffer): Buffer => filled(NONE, part, MARGIN);

export default casesOf<Buffer>({
  reader: 'webp',
  needed: {},
  read: (file) => readImage(file, 'image/webp'),
  inputs: {
    'empty chunks': () => webp(BITMAP, chunks(webpChunk('XXXX', NONE))),
    'empty chunks in an extended file': () => webp(ALPHA_WEBP.subarray(12), chunks(webpChunk('XMP ', NONE))),
    'EXIF data': () => webp(extendedChunk(8), BITMAP, webpChunk('EXIF', chunks(exif(6)))),
    'nearly HTML': () => webp(webpChunk('VP8 ', Buffer.concat([BITMAP.subarray(8), chunks(NEAR_HTML)]))),
    'data after the end': () => Buffer.concat([WEBP, chunks(NEAR_HTML)]),
  },
});
