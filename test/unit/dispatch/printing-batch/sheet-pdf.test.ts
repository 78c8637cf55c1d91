import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { labelLayout, type Paper } from '../../../../src/dispatch/printing-batch/layout.ts';
import { pdfSheet } from '../../../../src/dispatch/printing-batch/sheet.ts';
import { imageModules, type Picture, readMarkers, renderedPages } from './read.ts';
import { GOLDEN_PDF, GOLDEN_SHEET, joined } from './sheets.ts';

const PAPERS: Paper[] = ['A4', 'LETTER'];
const MAXIMUM = Number.MAX_SAFE_INTEGER;
/** Pixels per point when pages are rendered. */
const SCALE = 4;

let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(() => pdfium.destroy());

const sheetOf = (firstMarkerCode: number, quantity: number) => ({
  ...GOLDEN_SHEET,
  firstMarkerCode,
  lastMarkerCode: firstMarkerCode + (quantity - 1),
});

const pagesOf = (pdf: Uint8Array) => renderedPages(pdfium, pdf, SCALE);

/** The page of a single label. */
async function onePage(code: number, paper: Paper): Promise<Picture> {
  const [page] = await pagesOf(await joined(await pdfSheet(sheetOf(code, 1), paper)));
  return page!.picture;
}

describe.each(PAPERS)('a PDF of labels on %s', (paper) => {
  it('a label PDF shows each marker at its position, readable by a scanner, with the code in digits', async () => {
    const sheet = sheetOf(MAXIMUM - 5, 6);
    const pages = await pagesOf(await joined(await pdfSheet(sheet, paper)));
    expect(pages).toHaveLength(2);
    const read: string[] = [];
    for (const page of pages) {
      const inOrder = (await readMarkers(page.picture))
        .map(({ text, middle }) => ({ text, place: placeAt(paper, middle) }))
        .sort((one, two) => one.place - two.place);
      expect(inOrder.map(({ place }) => place)).toEqual(inOrder.map((_, place) => place));
      read.push(...inOrder.map(({ text }) => text));
      const words = page.text.split(/\s+/);
      for (const { text } of inOrder) expect(words).toContain(text);
    }
    expect(read).toEqual(Array.from({ length: 6 }, (_, index) => String(MAXIMUM - 5 + index)));
  });

  it('a label PDF names page and codes at the foot of each page', async () => {
    const pages = await pagesOf(await joined(await pdfSheet(sheetOf(10, 9), paper)));
    expect(pages.map(({ text }) => text.split(/\s*\r?\n\s*/).at(-1))).toEqual([
      `Printing batch ${GOLDEN_SHEET.batchUuid}: 10 to 13 Page 1 of 3`,
      `Printing batch ${GOLDEN_SHEET.batchUuid}: 14 to 17 Page 2 of 3`,
      `Printing batch ${GOLDEN_SHEET.batchUuid}: 18 to 18 Page 3 of 3`,
    ]);
  });

  test.each([1, 1_000_000_000, MAXIMUM])('a label PDF draws the modules of the image of %d', async (code) => {
    const picture = await onePage(code, paper);
    const { symbol } = labelLayout(paper, 0);
    const modules = imageModules(code);
    const seen = modules.map((row, y) =>
      row.map((_, x) => {
        const [left, top] = [symbol.left + (x + 0.5) * 7.2, symbol.top + (y + 0.5) * 7.2];
        return picture.pixels[Math.floor(top * SCALE) * picture.width + Math.floor(left * SCALE)] === 0;
      }),
    );
    expect(seen).toEqual(modules);
  });

  it('a label PDF keeps four white modules around the marker and an empty frame', async () => {
    const picture = await onePage(MAXIMUM, paper);
    const { symbol, barcode } = labelLayout(paper, 0);
    const darkest = (left: number, top: number, right: number, bottom: number): number => {
      let found = 255;
      for (let y = Math.ceil(top * SCALE); y < Math.floor(bottom * SCALE); y += 1) {
        for (let x = Math.ceil(left * SCALE); x < Math.floor(right * SCALE); x += 1) {
          found = Math.min(found, picture.pixels[y * picture.width + x]!);
        }
      }
      return found;
    };
    const { left, top, width } = symbol;
    const [quiet, edge] = [4 * 7.2, 0.5];
    const around = [
      darkest(left - quiet, top - quiet, left + width + quiet, top - edge),
      darkest(left - quiet, top + width + edge, left + width + quiet, top + width + quiet),
      darkest(left - quiet, top - quiet, left - edge, top + width + quiet),
      darkest(left + width + edge, top - quiet, left + width + quiet, top + width + quiet),
    ];
    expect(around).toEqual([255, 255, 255, 255]);
    const [right, bottom] = [barcode.left + barcode.width, barcode.top + barcode.height];
    expect(darkest(barcode.left + 1, barcode.top + 1, right - 1, bottom - 1)).toBe(255);
    expect(darkest(barcode.left - 1, barcode.top - 1, right + 1, bottom + 1)).toBeLessThan(128);
  });

  it('a label PDF has the same bytes for the same labels, wherever and whenever it is made', async () => {
    const pdf = await joined(await pdfSheet(GOLDEN_SHEET, paper));
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(GOLDEN_PDF[paper]);
  });
});

describe('a PDF of labels', () => {
  it("a label PDF names its content and the batch's creation date, not the printing date", async () => {
    const pdf = Buffer.from(await joined(await pdfSheet(GOLDEN_SHEET, 'A4'))).toString('latin1');
    expect(pdf.startsWith('%PDF-1.7')).toBe(true);
    expect(pdf).toContain('(Marker labels 999999998 to 1000000003)');
    expect(pdf).toContain('(D:20261121081530Z)');
  });

  it('a label PDF asks viewers to print it at 100 %', async () => {
    const pdf = Buffer.from(await joined(await pdfSheet(GOLDEN_SHEET, 'A4'))).toString('latin1');
    expect(pdf).toMatch(/\/DisplayDocTitle true\n\/PrintScaling \/None\n/);
  });

  it('a label PDF fills each marker as one path, so that no renderer shows light lines', async () => {
    const pdf = Buffer.from(await joined(await pdfSheet(sheetOf(1, 5), 'A4'))).toString('latin1');
    const contents = [...pdf.matchAll(/FlateDecode\n>>\nstream\n(.*?)\nendstream/gs)].map(([, bytes]) =>
      inflateSync(Buffer.from(bytes!, 'latin1')).toString('latin1'),
    );
    const fills = contents.map(
      (content) => content.split('\n').filter((operator) => operator === 'f').length,
    );
    expect(fills).toEqual([4, 1]);
  });

  it('a label PDF of 10,000 codes streams page by page', async () => {
    let [parts, largest, bytes] = [0, 0, 0];
    for await (const part of await pdfSheet(sheetOf(1_000_000_000, 10_000), 'A4')) {
      parts += 1;
      bytes += part.length;
      if (parts <= 2_500) largest = Math.max(largest, part.length);
    }
    // One part for each page. The end has two: the last page, and the table of all objects.
    expect(parts).toBe(2_501);
    expect(largest).toBeLessThan(5_000);
    expect(bytes).toBeLessThan(6_000_000);
  });
});

/** The index of the label at a point of a rendered page. */
function placeAt(paper: Paper, { x, y }: { x: number; y: number }): number {
  return [0, 1, 2, 3].findIndex((place) => {
    const { symbol } = labelLayout(paper, place);
    const [left, top] = [x / SCALE - symbol.left, y / SCALE - symbol.top];
    return left > 0 && left < symbol.width && top > 0 && top < symbol.height;
  });
}
