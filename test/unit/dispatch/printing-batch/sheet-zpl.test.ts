import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { RESOLUTIONS, type Resolution } from '../../../../src/dispatch/printing-batch/rules.ts';
import { zplSheet } from '../../../../src/dispatch/printing-batch/sheet-zpl.ts';
import { imageModules, readMarkers } from './read.ts';
import { type PrintedLabel, printZpl } from './zpl.ts';

const MAXIMUM = Number.MAX_SAFE_INTEGER;

async function zplOf(firstMarkerCode: number, quantity: number, resolution: Resolution): Promise<string> {
  const block = { firstMarkerCode, lastMarkerCode: firstMarkerCode + (quantity - 1) };
  let text = '';
  for await (const part of zplSheet(block, resolution)) text += part;
  return text;
}

/** The dots of a label's symbol. It starts 23.75 mm from the left and 12 mm from the top. */
function symbolDots({ width, pixels }: PrintedLabel, resolution: Resolution): boolean[][] {
  const [left, top, size] = [23.75 * resolution, 12 * resolution, 52.5 * resolution];
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (__, x) => pixels[(top + y) * width + left + x] === 0),
  );
}

describe.each(RESOLUTIONS)('a label at %d dots a millimetre', (resolution) => {
  const moduleSize = 2.5 * resolution;

  test.each([1, 65_536, 1_000_000_000, MAXIMUM])(
    'a ZPL label has the marker of %d, dot by dot',
    async (code) => {
      const [label] = printZpl(await zplOf(code, 1, resolution));
      const modules = imageModules(code);
      const wanted = Array.from({ length: 21 * moduleSize }, (_, y) =>
        Array.from(
          { length: 21 * moduleSize },
          (__, x) => modules[Math.floor(y / moduleSize)]![Math.floor(x / moduleSize)]!,
        ),
      );
      const dots = symbolDots(label!, resolution);
      expect(dots.map((row) => row.map(Number).join(''))).toEqual(
        wanted.map((row) => row.map(Number).join('')),
      );
    },
  );

  it('a scanner reads back a ZPL label, with its digits and room for a barcode', async () => {
    const labels = printZpl(await zplOf(MAXIMUM - 2, 3, resolution));
    expect(labels).toHaveLength(3);
    for (const [index, label] of labels.entries()) {
      const code = String(MAXIMUM - 2 + index);
      expect((await readMarkers(label)).map(({ text }) => text)).toEqual([code]);
      expect(label.texts.map(({ text }) => text)).toEqual([code]);
      expect([label.width, label.height]).toEqual([100 * resolution, 148 * resolution]);
      const [box] = label.boxes;
      expect(box!.width / resolution).toBeGreaterThan((156 + 20) * 0.495);
      expect(box!.height / resolution).toBeGreaterThan(31.75);
      expect(box!.top).toBeGreaterThanOrEqual(label.texts[0]!.top + label.texts[0]!.height);
      // Sixteen digits. Each is at most slightly wider than half of the font's width.
      expect(16 * 0.6 * label.texts[0]!.width).toBeLessThan(label.width);
    }
  });

  it('a ZPL label keeps four white modules around the marker', async () => {
    const [label] = printZpl(await zplOf(88, 1, resolution));
    const [left, top, size] = [23.75 * resolution, 12 * resolution, 52.5 * resolution];
    const quiet = 4 * moduleSize;
    expect(label!.texts[0]!.top).toBeGreaterThanOrEqual(top + size + quiet);
    expect([left, top].every((room) => room >= quiet)).toBe(true);
    for (let y = top - quiet; y < top + size + quiet; y += 1) {
      for (let x = left - quiet; x < left + size + quiet; x += 1) {
        const within = x >= left && x < left + size && y >= top && y < top + size;
        if (!within && label!.pixels[y * label!.width + x] === 0)
          throw new Error(`unexpected dot at (${x}, ${y})`);
      }
    }
  });
});

describe('a file of labels', () => {
  it('a ZPL file has one label per code, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: MAXIMUM - 70 }),
        fc.integer({ min: 1, max: 65 }),
        async (first, quantity) => {
          const codes = [...(await zplOf(first, quantity, 8)).matchAll(/\^FD(\d+)\^FS/g)].map(
            ([, code]) => code,
          );
          expect(codes).toEqual(Array.from({ length: quantity }, (_, index) => String(first + index)));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('a ZPL file streams a few labels at a time, also for the largest batch', async () => {
    let labels = 0;
    for await (const part of zplSheet({ firstMarkerCode: MAXIMUM - 9_999, lastMarkerCode: MAXIMUM }, 24)) {
      expect(part.length).toBeLessThan(100_000);
      labels += part.split('^XZ').length - 1;
    }
    expect(labels).toBe(10_000);
  });
});
