import { describe, expect, it } from 'vitest';
import { thumbnail } from '../../../../src/dispatch/photo/thumbnail.ts';
import {
  type Pixels,
  SMALL_BYTES,
  THUMBNAIL_SIDE,
  thumbnailOf,
} from '../../../../src/dispatch/photo/thumbnail-rules.ts';
import { cpuMs } from '../../../cpu-time.ts';
import { exif, noisyJpeg, segment } from '../../../images.ts';
import { GREY, PROGRESSIVE, RGB, SAMPLED } from '../../../quarters.ts';

type Corners = Record<'upperLeft' | 'upperRight' | 'lowerLeft' | 'lowerRight', string>;

/** The names of the colours of the quarters of an image. */
function cornersOf({ width, height, data }: Pixels): Corners {
  const at = (x: number, y: number): string => {
    const place = (Math.floor(height * y) * width + Math.floor(width * x)) * 4;
    const [red, green, blue] = data.subarray(place, place + 3);
    return colourOf(red!, green!, blue!);
  };
  return {
    upperLeft: at(0.2, 0.2),
    upperRight: at(0.8, 0.2),
    lowerLeft: at(0.2, 0.8),
    lowerRight: at(0.8, 0.8),
  };
}

/** The name of a colour of the pictures, with the deviation of a JPEG of low quality. */
const colourOf = (red: number, green: number, blue: number): string =>
  Object.entries({ red: [255, 0, 0], green: [0, 192, 0], blue: [0, 0, 255], white: [255, 255, 255] }).find(
    ([, [r, g, b]]) => Math.abs(red - r!) + Math.abs(green - g!) + Math.abs(blue - b!) < 24,
  )?.[0] ?? `${red} ${green} ${blue}`;

const COLOURS = { upperLeft: 'red', upperRight: 'green', lowerLeft: 'blue', lowerRight: 'white' };

/** The picture with an orientation in EXIF. */
const turned = (orientation: number): Buffer => {
  const app1 = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation)]));
  return Buffer.concat([SAMPLED.subarray(0, 2), app1, SAMPLED.subarray(2)]);
};

describe('thumbnails', () => {
  it('a thumbnail shows the colours of the photo, for each way in which JPEG stores them', () => {
    for (const file of [SAMPLED, PROGRESSIVE, RGB]) {
      const made = thumbnailOf(file)!;
      expect([made.width, made.height]).toEqual([12, 8]);
      expect(cornersOf(made)).toEqual(COLOURS);
    }
    expect(cornersOf(thumbnailOf(GREY)!)).toEqual({
      upperLeft: '76 76 76',
      upperRight: '113 113 113',
      lowerLeft: '29 29 29',
      lowerRight: 'white',
    });
  });

  it('a thumbnail is turned as viewers turn the photo', () => {
    const corners = (orientation: number) => Object.values(cornersOf(thumbnailOf(turned(orientation))!));
    expect(corners(1)).toEqual(['red', 'green', 'blue', 'white']);
    expect(corners(2)).toEqual(['green', 'red', 'white', 'blue']);
    expect(corners(3)).toEqual(['white', 'blue', 'green', 'red']);
    expect(corners(4)).toEqual(['blue', 'white', 'red', 'green']);
    expect(corners(5)).toEqual(['red', 'blue', 'green', 'white']);
    expect(corners(6)).toEqual(['blue', 'red', 'white', 'green']);
    expect(corners(7)).toEqual(['white', 'green', 'blue', 'red']);
    expect(corners(8)).toEqual(['green', 'white', 'red', 'blue']);
    const { width, height } = thumbnailOf(turned(6))!;
    expect([width, height]).toEqual([8, 12]);
  });

  it('a thumbnail has at most 400 pixels on its longer side, also of a photo of 25 megapixels', () => {
    const sizeOf = (width: number, height: number) => {
      const claims = Buffer.from(SAMPLED);
      const frame = claims.indexOf(Buffer.from([0xff, 0xc0]));
      claims.writeUInt16BE(height, frame + 5);
      claims.writeUInt16BE(width, frame + 7);
      const made = thumbnailOf(claims)!;
      return [made.width, made.height];
    };
    expect(THUMBNAIL_SIDE).toBe(400);
    expect(sizeOf(1_600, 1_200)).toEqual([400, 300]);
    expect(sizeOf(900, 2_000)).toEqual([180, 400]);
    expect(sizeOf(333, 217)).toEqual([84, 55]);
    expect(sizeOf(5_000, 5_000)).toEqual([400, 400]);
  });

  it('a photo becomes a JPEG of a few kilobytes, and a small photo stays as it is', async () => {
    const large = noisyJpeg(1_600, 1_200);
    expect(large.length).toBeGreaterThan(SMALL_BYTES);
    const made = await thumbnail('image/jpeg', large);
    expect(made!.length).toBeLessThan(large.length / 8);
    expect(thumbnailOf(Buffer.from(made!))).toMatchObject({ width: 100, height: 75 });
    expect(await thumbnail('image/jpeg', SAMPLED)).toBe(SAMPLED);
    expect(await thumbnail('image/png', large)).toBeUndefined();
    expect(await thumbnail('image/webp', large)).toBeUndefined();
  });

  it('a photo that cannot be decoded has no thumbnail, and ends quickly', async () => {
    const large = noisyJpeg(1_600, 1_200);
    const begin = cpuMs();
    for (let at = 2; at < 700; at += 53) {
      const broken = Buffer.from(large.subarray(0, 4_000));
      broken[at] = broken[at]! ^ 0xff;
      // Nothing is thrown. A few changes still give a picture.
      await thumbnail(
        'image/jpeg',
        Buffer.concat([broken, Buffer.alloc(SMALL_BYTES), Buffer.from([0xff, 0xd9])]),
      );
    }
    expect(cpuMs() - begin).toBeLessThan(20_000);
    const withoutTables = Buffer.concat([
      large.subarray(0, 2),
      large.subarray(large.indexOf(Buffer.from([0xff, 0xc0]))),
    ]);
    expect(thumbnailOf(withoutTables)).toBeUndefined();
    // Four colours, as for printing.
    const printed = Buffer.from(SAMPLED);
    printed[printed.indexOf(Buffer.from([0xff, 0xc0])) + 9] = 4;
    expect(thumbnailOf(printed)).toBeUndefined();
    expect(thumbnailOf(large.subarray(0, 5_000))).toBeUndefined();
  });

  it('a photo cannot ask for more work than its pixels: each colour is decoded once, with a few tables', () => {
    const at = (marker: number) => SAMPLED.indexOf(Buffer.from([0xff, marker]));
    const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
    const [table] = [SAMPLED.subarray(at(0xc4), at(0xc4) + 2 + SAMPLED.readUInt16BE(at(0xc4) + 2))];
    const withAdded = (marker: number, added: Buffer[]) =>
      Buffer.concat([SAMPLED.subarray(0, at(marker)), ...added, SAMPLED.subarray(at(marker))]);
    expect(thumbnailOf(withAdded(0xda, [scan]))).toBeUndefined();
    expect(thumbnailOf(withAdded(0xda, Array(10).fill(table)))).toBeDefined();
    expect(thumbnailOf(withAdded(0xda, Array(80).fill(table)))).toBeUndefined();
    // The pixels are complete before these.
    expect(cornersOf(thumbnailOf(withAdded(0xd9, Array(80).fill(table)))!)).toEqual(COLOURS);
    expect(cornersOf(thumbnailOf(withAdded(0xd9, Array(1_000).fill(scan)))!)).toEqual(COLOURS);
  });
});
