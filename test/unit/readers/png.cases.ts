import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { exif, png, pngChunk, pngHeader, pngOf } from '../../images.ts';
import { casesOf } from './case.ts';
import { filled, NEAR_HTML, readImage } from './images.ts';

const END = pngChunk('IEND', Buffer.alloc(0));
const OPEN = png().subarray(0, -END.length);
const START = pngOf(pngHeader(16, 8)).subarray(0, -END.length);
const REST = OPEN.subarray(START.length);
const EMPTY = pngChunk('IDAT', Buffer.alloc(0));
const TEXT = pngChunk('tEXt', Buffer.alloc(0));

/** One chunk of 5 MiB. */
const chunkOf = (type: string, part: Buffer): Buffer =>
  pngChunk(type, filled(Buffer.alloc(0), part, Buffer.alloc(1_000)));

/** The most bytes that as few compressed bytes can make. */
const zeros = (): Buffer => deflateSync(Buffer.alloc(75_020_000), { level: 9 });

export default casesOf<Buffer>({
  reader: 'png',
  needed: { parts: 'empty pixels between texts' },
  read: (file) => readImage(file, 'image/png'),
  inputs: {
    'empty pixels': () => filled(OPEN, EMPTY, END),
    'empty pixels between texts': () => filled(OPEN, Buffer.concat([EMPTY, TEXT]), END),
    'empty texts': () => filled(START, TEXT, Buffer.concat([REST, END])),
    'pixels of one byte': () => filled(START, pngChunk('IDAT', Buffer.from([0x78])), END),
    'EXIF data': () => filled(START, pngChunk('eXIf', exif(6)), Buffer.concat([REST, END])),
    'pixels that are no zlib stream': () =>
      Buffer.concat([START, chunkOf('IDAT', Buffer.from([0x78, 0x9c, 0xff])), END]),
    'nearly HTML': () => Buffer.concat([OPEN, chunkOf('IDAT', NEAR_HTML), END]),
    'data after the end': () => filled(png(), NEAR_HTML, END),
    '25 megapixels of zeros': () => pngOf(pngHeader(5_000, 5_000), pngChunk('IDAT', zeros())),
  },
});
