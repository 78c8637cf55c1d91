import { PDFiumLibrary } from '@hyzyla/pdfium';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LABEL_SIZES } from '../../../../src/core/writer/settings-table.ts';
import { type LabelLook, labelsPdf } from '../../../../src/dispatch/label/label-pdf.ts';
import { type LabelSize, pdfMedium } from '../../../../src/dispatch/label/layout.ts';
import type { PalletLabel } from '../../../../src/dispatch/label/store.ts';
import { cpuMs } from '../../../cpu-time.ts';
import { FONTS } from '../../web/pages/fonts.ts';
import { imageModules, renderedPages } from '../printing-batch/read.ts';
import { joined } from '../printing-batch/sheets.ts';
import { CAPTIONS, codesOf, labelOf, markerIn, readCodes, ssccFrom } from './read.ts';

/** Pixels per point: pages are rendered like a printer with 300 dpi does. */
const SCALE = 300 / 72;
/** Points of a millimetre. */
const POINTS = 72 / 25.4;

let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(() => pdfium.destroy());

const look = (size: LabelSize): LabelLook => ({
  size,
  title: 'Labels',
  language: 'en',
  date: Date.UTC(2026, 10, 26),
  captions: CAPTIONS,
});

const pagesOf = async (labels: readonly PalletLabel[], size: LabelSize) =>
  renderedPages(pdfium, await joined(await labelsPdf(labels, look(size), FONTS)), SCALE);

const sscc = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 17, maxLength: 17 }).map(ssccFrom);
const id = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });
const randomLabel = fc.record({
  wmsId: fc.oneof(sscc, id),
  markerCode: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  manifest: fc.string({ maxLength: 40 }),
  gate: fc.string({ maxLength: 40 }),
  consignee: fc.string({ maxLength: 80 }),
});

describe.each(LABEL_SIZES)('labels of the size %s as PDF', (size) => {
  it('a scanner reads marker and barcode of each random label on the printed pages', async () => {
    const labels = fc.sample(randomLabel, { numRuns: 8, seed: 39 });
    const aPage = size === 'A4' || size === 'LETTER' ? 4 : 1;
    const pages = await pagesOf(labels, size);
    expect(pages).toHaveLength(8 / aPage);
    for (const [index, { picture }] of pages.entries()) {
      const wanted = labels.slice(index * aPage, (index + 1) * aPage).flatMap(codesOf);
      expect(await readCodes(picture)).toEqual(wanted.sort((one, other) => (one.data < other.data ? -1 : 1)));
    }
  });

  it('a page has the size of its paper, and its edge is white', async () => {
    const hostile = labelOf({
      wmsId: `${'W'.repeat(250)}ÄÖÜg`,
      consignee: 'W'.repeat(255),
      gate: 'g'.repeat(255),
      manifest: 'Å'.repeat(255),
      markerCode: Number.MAX_SAFE_INTEGER,
    });
    const [page] = await pagesOf([hostile, hostile, hostile, hostile], size);
    const { width, height, pixels } = page!.picture;
    const millimetres = { A4: [210, 297], LETTER: [215.9, 279.4], A6: [105, 148], INCH_4X6: [101.6, 152.4] }[
      size
    ];
    expect([width, height].map((pixel) => Math.round(pixel / SCALE / POINTS))).toEqual(
      millimetres.map(Math.round),
    );
    const edge = 3.5 * POINTS * SCALE;
    const dark = pixels.findIndex((grey, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return grey < 255 && (x < edge || y < edge || x > width - edge || y > height - edge);
    });
    expect(dark).toBe(-1);
  });

  it('a PDF of labels asks viewers to print it at 100 %', async () => {
    const pdf = Buffer.from(await joined(await labelsPdf([labelOf({})], look(size), FONTS)));
    expect(pdf.toString('latin1')).toMatch(/\/DisplayDocTitle true\n\/PrintScaling \/None\n/);
  });

  it('a page has the texts of its label', async () => {
    const [page] = await pagesOf([labelOf({ consignee: 'ООО «Ромашка» & Σίγμα' })], size);
    const text = page!.text.replace(/\s+/g, ' ');
    for (const shown of [
      'ООО «Ромашка» & Σίγμα',
      'Dock 01',
      'ORD-5001',
      '1000000000',
      '(00) 3401 2345 0000 00 0000',
    ])
      expect(text).toContain(shown);
  });
});

it.each(['A6', 'INCH_4X6'] as const)(
  'a label of the size %s has the modules of the marker image',
  async (size) => {
    const markerCode = Number.MAX_SAFE_INTEGER;
    const [page] = await pagesOf([labelOf({ markerCode })], size);
    expect(markerIn(page!.picture, pdfMedium(size), SCALE * POINTS)).toEqual(imageModules(markerCode));
  },
);

it('500 labels as PDF are made page by page within seconds, and a page takes a few kilobytes', async () => {
  const labels = Array.from({ length: 500 }, (_, at) =>
    labelOf({
      wmsId: ssccFrom([...String(34012345000000000 + at)].map(Number)),
      markerCode: 1_000_000_000 + at,
    }),
  );
  const start = cpuMs();
  let [parts, largest] = [0, 0];
  for await (const part of await labelsPdf(labels, look('A6'), FONTS)) {
    parts += 1;
    if (parts <= 500) largest = Math.max(largest, part.length);
  }
  expect(parts).toBe(501);
  expect(largest).toBeLessThan(10_000);
  expect(cpuMs() - start).toBeLessThan(10_000);
});
