import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { PDFiumLibrary } from '@hyzyla/pdfium';
import UPNG from 'upng-js';
import { expect } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { renderMarker } from '../../../../src/dispatch/marker/image.ts';

const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: readFileSync(path).buffer as ArrayBuffer } });

/** Grey pixels, row by row. 0 is black, 255 is white. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** An opaque pixel, and a step of its red, green and blue. */
const [BLACK, STEP] = [0xff000000, 0x010101];

/** A picture as the scanner takes it. */
export function scanned({ width, height, pixels }: Picture): Parameters<typeof readBarcodes>[0] {
  const colours = new Uint32Array(width * height);
  for (let index = 0; index < colours.length; index += 1) colours[index] = BLACK + pixels[index]! * STEP;
  const data = new Uint8ClampedArray(colours.buffer);
  return { data, width, height, colorSpace: 'srgb' } as unknown as Parameters<typeof readBarcodes>[0];
}

/** The pages of a PDF as rendered by PDFium, the renderer of Chrome. `scale` is in pixels per point. */
export async function renderedPages(
  pdfium: PDFiumLibrary,
  pdf: Uint8Array,
  scale: number,
): Promise<{ text: string; picture: Picture }[]> {
  const document = await pdfium.loadDocument(pdf);
  try {
    const pages: { text: string; picture: Picture }[] = [];
    for (const page of document.pages()) {
      // Read the text first, because rendering closes the page.
      const text = page.getText();
      const { width, height, data } = await page.render({ scale, render: 'bitmap', colorSpace: 'Gray' });
      pages.push({ text, picture: { width, height, pixels: data } });
    }
    return pages;
  } finally {
    document.destroy();
  }
}

/**
 * Read the markers in a picture. @returns the text and the centre of each. Every symbol must be a valid
 * marker.
 */
export async function readMarkers(picture: Picture) {
  const found = await readBarcodes(scanned(picture), {
    formats: ['QRCodeModel2'],
    tryInvert: false,
    maxNumberOfSymbols: 20,
  });
  return found.map((result) => {
    expect(result).toMatchObject({ isValid: true, symbologyIdentifier: ']Q1' });
    expect(JSON.parse(result.extra)).toEqual({ DataMask: 4, UEC: 1, Version: '1', ECLevel: 'H' });
    const { topLeft, bottomRight } = result.position;
    const middle = { x: (topLeft.x + bottomRight.x) / 2, y: (topLeft.y + bottomRight.y) / 2 };
    return { text: result.text, middle };
  });
}

/** The decoder of upng-js. The Worker only encodes. */
const decoder = UPNG as unknown as {
  decode(png: ArrayBuffer): object;
  toRGBA8(decoded: object): ArrayBuffer[];
};

/** The dark modules of the service's image for a code, as 21 rows of 21. */
export function imageModules(code: number): boolean[][] {
  const [rgba] = decoder.toRGBA8(decoder.decode(renderMarker(code).buffer));
  const pixels = new Uint8Array(rgba!);
  return Array.from({ length: 21 }, (_, row) =>
    Array.from({ length: 21 }, (__, column) => {
      const [x, y] = [90 + column * 20 + 10, 90 + row * 20 + 10];
      return pixels[(y * 600 + x) * 4] === 0;
    }),
  );
}
