import type { Buffer } from 'node:buffer';
import { orientationOf } from './exif-rules.ts';
import { ImageFault } from './image-parts-rules.ts';
import { type Plane, PlaneReader } from './jpeg-planes-rules.ts';
import { ADOBE, ADOBE_BYTES, begins, EXIF, endOfScan, FRAMES, MARKERS, segmentAt } from './jpeg-rules.ts';

/** The longer side of a thumbnail, in pixels. */
export const THUMBNAIL_SIDE = 400;
/** A JPEG of at most this size is its own thumbnail. Bytes. */
export const SMALL_BYTES = 48 * 1024;

/** An image of RGBA pixels. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/**
 * The pixels of the thumbnail of a JPEG; undefined if it cannot be decoded. The photo is read at a quarter of its size
 * (`PlaneReader`). So the photos of the pages (1,600 pixels) have thumbnails of 400 pixels.
 */
export function thumbnailOf(file: Buffer): Pixels | undefined {
  try {
    const { planes, orientation, isRgb } = decoded(file);
    return planes.length === 0 ? undefined : scaled(planes, orientation, isRgb);
  } catch (error) {
    if (error instanceof ImageFault || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Read the segments until all pixels are decoded. */
function decoded(file: Buffer): { planes: Plane[]; orientation: number; isRgb: boolean } {
  const reader = new PlaneReader();
  let [orientation, isRgb, at] = [1, false, 2];
  while (!reader.isComplete) {
    const { marker, content, end } = segmentAt(file, at);
    at = end;
    if (marker === MARKERS.EOI) break;
    if (marker === MARKERS.APP1 && begins(content, EXIF)) {
      orientation = orientationOf(content.subarray(EXIF.length));
    }
    if (marker === MARKERS.APP14 && begins(content, ADOBE)) isRgb = content[ADOBE_BYTES - 1] === 0;
    if (FRAMES.includes(marker)) reader.frame(content, marker === MARKERS.PROGRESSIVE);
    if (marker === MARKERS.DHT) reader.huffmanTables(content);
    if (marker === MARKERS.DQT) reader.quantizationTables(content);
    if (marker === MARKERS.DRI) reader.restartInterval(content);
    if (marker === MARKERS.SOS) {
      at = endOfScan(file, end);
      reader.scan(content, file.subarray(end, at));
    }
  }
  return { planes: reader.planes, orientation, isRgb };
}

/** The planes as one image of the size of a thumbnail, turned as viewers show it. */
function scaled(planes: readonly Plane[], orientation: number, isRgb: boolean): Pixels {
  const [first] = planes as [Plane];
  const scale = Math.min(1, THUMBNAIL_SIDE / Math.max(first.width, first.height));
  const [across, down] = [first.width, first.height].map((length) =>
    Math.max(1, Math.round(length * scale)),
  ) as [number, number];
  const [one, two = one!, three = one!] = planes.map((plane) => shrunk(plane, across, down));
  const [width, height] = orientation >= 5 ? [down, across] : [across, down];
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  const isColoured = planes.length > 1 && !isRgb;
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const from = y * across + x;
      const to = 4 * placeOf(orientation, x, y, across, down);
      // Y, Cb and Cr (JFIF) become red, green and blue.
      const [blue, red] = isColoured ? [two[from]! - 128, three[from]! - 128] : [0, 0];
      data[to] = one![from]! + 1.402 * red;
      data[to + 1] = isColoured ? one![from]! - 0.344136 * blue - 0.714136 * red : two[from]!;
      data[to + 2] = isColoured ? one![from]! + 1.772 * blue : three[from]!;
    }
  }
  return { width, height, data };
}

/** The place of a pixel in the image as viewers turn it (EXIF orientation). From 5 on, rows become columns. */
function placeOf(orientation: number, x: number, y: number, across: number, down: number): number {
  const isMirroredX = [2, 3, 7, 8].includes(orientation);
  const isMirroredY = [3, 4, 6, 7].includes(orientation);
  const [turnedX, turnedY] = [isMirroredX ? across - 1 - x : x, isMirroredY ? down - 1 - y : y];
  return orientation >= 5 ? turnedX * down + turnedY : turnedY * across + turnedX;
}

/** A plane in another size. Each sample is the mean of its area. */
function shrunk({ samples, stride, width, height }: Plane, across: number, down: number): Uint8ClampedArray {
  const made = new Uint8ClampedArray(across * down);
  const [lefts, tops] = [boundsOf(across, width), boundsOf(down, height)];
  for (let y = 0; y < down; y += 1) {
    const top = tops[y]!;
    const bottom = Math.max(top + 1, tops[y + 1]!);
    for (let x = 0; x < across; x += 1) {
      const left = lefts[x]!;
      const right = Math.max(left + 1, lefts[x + 1]!);
      let sum = 0;
      for (let row = top * stride; row < bottom * stride; row += stride) {
        for (let at = row + left; at < row + right; at += 1) sum += samples[at]!;
      }
      made[y * across + x] = sum / ((right - left) * (bottom - top));
    }
  }
  return made;
}

/** Where each of `parts` areas begins in `length` samples, and the end. */
const boundsOf = (parts: number, length: number): Uint32Array =>
  Uint32Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * length) / parts));
