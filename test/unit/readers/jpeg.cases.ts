import { Buffer } from 'node:buffer';
import { exif, jpegFrame, jpegOf, jpegScan, noisyJpeg, segment } from '../../images.ts';
import { casesOf } from './case.ts';
import { filled, NEAR_HTML, readImage } from './images.ts';

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const IMAGE = jpegOf([jpegFrame(16, 16), jpegScan()]);
const REST = IMAGE.subarray(2);
/** An image that is still open within its pixels. */
const OPEN = IMAGE.subarray(0, -2);
const EMPTY = segment(0xdb, Buffer.alloc(0));
const COMMENT = segment(0xfe, Buffer.alloc(0));

/** EXIF data of 64 KB, with as many entries as fit and no orientation. */
function entries(): Buffer {
  const tiff = Buffer.alloc(65_520);
  exif(1).copy(tiff, 0, 0, 8);
  tiff.writeUInt16LE(0xffff, 8);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]));
}

/** A segment of as many Huffman tables as fit. */
const tables = (): Buffer =>
  segment(0xc4, Buffer.concat(Array(3_448).fill(Buffer.from([0, 1, 1, ...Array(14).fill(0), 0, 1]))));

export default casesOf<Buffer>({
  reader: 'jpeg',
  needed: { parts: 'empty tables between comments' },
  read: (file) => readImage(file, 'image/jpeg'),
  inputs: {
    'empty tables': () => filled(START, EMPTY, REST),
    'empty tables between comments': () => filled(START, Buffer.concat([EMPTY, COMMENT]), REST),
    'empty comments': () => filled(START, COMMENT, REST),
    'scans without pixels': () =>
      filled(
        jpegOf([jpegFrame(16, 16, { marker: 0xc2 }), jpegScan([[1, 0]], [0, 0, 0])]).subarray(0, -2),
        jpegScan([[1, 0]], [1, 63, 0]),
        END,
      ),
    'scans of one byte between comments': () =>
      filled(
        jpegOf([jpegFrame(8, 8), jpegScan()]).subarray(0, -2),
        Buffer.concat([jpegScan(), Buffer.from([0]), COMMENT]),
        END,
      ),
    'long Huffman tables': () => filled(START, tables(), REST),
    'Huffman tables without codes': () => filled(START, segment(0xc4, Buffer.alloc(3_850 * 17)), REST),
    'EXIF data of many entries': () => filled(START, entries(), REST),
    'fill bytes before a segment': () => filled(START, Buffer.from([0xff]), REST),
    'fill bytes in the pixels': () => filled(OPEN, Buffer.from([0xff]), END),
    'restart markers': () => filled(OPEN, Buffer.from([0xff, 0xd0]), END),
    'bytes of 0xFF in the pixels': () => filled(OPEN, Buffer.from([0xff, 0]), END),
    'pixels without an end': () => filled(OPEN, Buffer.from([0]), Buffer.alloc(0)),
    'nearly HTML': () => filled(OPEN, NEAR_HTML, END),
    'data after the end': () => filled(IMAGE, NEAR_HTML, END),
    '25 megapixels of 60,000 zero bytes': () =>
      jpegOf([jpegFrame(5_000, 5_000), jpegScan()], Buffer.alloc(60_000)),
    'the largest photo': () => noisyJpeg(5_000, 5_000, 19),
  },
});
