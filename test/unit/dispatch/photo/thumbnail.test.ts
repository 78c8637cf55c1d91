import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { cleanThumbnail } from '../../../../src/dispatch/photo/objects.ts';
import { THUMBNAIL_BYTES_MAXIMUM, THUMBNAIL_SIDE } from '../../../../src/dispatch/photo/rules.ts';
import { exif, JPEG, LOCATION, noisyJpeg, phoneJpeg, png, segment } from '../../../images.ts';

const LANDSCAPE = { width: 1_600, height: 1_200 };

it('a thumbnail is stored without metadata', () => {
  const thumbnail = noisyJpeg(400, 300, 2);
  const located = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(1)]));
  const sent = Buffer.concat([thumbnail.subarray(0, 2), located, thumbnail.subarray(2)]);
  expect(sent.toString('latin1')).toContain(LOCATION);
  expect(cleanThumbnail(sent, LANDSCAPE)).toEqual(thumbnail);
});

it('a thumbnail has at most 400 pixels on its longer side and 48 KiB', () => {
  expect([THUMBNAIL_SIDE, THUMBNAIL_BYTES_MAXIMUM]).toEqual([400, 48 * 1024]);
  expect(cleanThumbnail(noisyJpeg(401, 301, 2), LANDSCAPE)).toBeUndefined();
  expect(cleanThumbnail(noisyJpeg(300, 400, 2), { width: 1_200, height: 1_600 })).toBeDefined();
  const large = noisyJpeg(400, 300, 60);
  expect(large.length).toBeGreaterThan(THUMBNAIL_BYTES_MAXIMUM);
  expect(cleanThumbnail(large, LANDSCAPE)).toBeUndefined();
});

it('a thumbnail has the proportions of its photo as viewers show it', () => {
  expect(cleanThumbnail(noisyJpeg(400, 300, 2), { width: 1_200, height: 1_600 })).toBeUndefined();
  expect(cleanThumbnail(noisyJpeg(400, 200, 2), LANDSCAPE)).toBeUndefined();
  // The sides were rounded to whole pixels.
  for (const [width, height] of [
    [1_600, 1_067],
    [1_067, 1_600],
    [1_600, 7],
    [333, 217],
    [16, 8],
  ] as const) {
    const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(width, height));
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    expect(cleanThumbnail(noisyJpeg(across!, down!, 2), { width, height }), `${width}`).toBeDefined();
  }
  expect(cleanThumbnail(phoneJpeg(6), { width: 8, height: 16 })).toBeDefined();
  expect(cleanThumbnail(phoneJpeg(6), { width: 16, height: 8 })).toBeUndefined();
});

it('a thumbnail that is no JPEG is dropped', () => {
  for (const file of [png(), Buffer.alloc(0), Buffer.from('<svg/>'), JPEG.subarray(0, 100)])
    expect(cleanThumbnail(file, { width: 16, height: 8 })).toBeUndefined();
});
