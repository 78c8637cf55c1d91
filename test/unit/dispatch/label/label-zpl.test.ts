import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnPieces } from '../../../../src/core/lib/drawn-text.ts';
import { LABEL_SIZES } from '../../../../src/core/writer/settings-table.ts';
import { labelsZpl } from '../../../../src/dispatch/label/label-zpl.ts';
import { type LabelSize, zplMedium } from '../../../../src/dispatch/label/layout.ts';
import type { PalletLabel } from '../../../../src/dispatch/label/store.ts';
import { FONTS } from '../../web/pages/fonts.ts';
import { imageModules } from '../printing-batch/read.ts';
import { printZpl } from '../printing-batch/zpl.ts';
import { CAPTIONS, codesOf, labelOf, markerIn, readCodes, ssccFrom } from './read.ts';

async function zplOf(labels: readonly PalletLabel[], size: LabelSize, dpmm: number): Promise<string> {
  let text = '';
  for await (const part of labelsZpl(labels, { size, dpmm, captions: CAPTIONS }, FONTS)) text += part;
  return text;
}

const sscc = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 17, maxLength: 17 }).map(ssccFrom);
const id = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('^XZ^XA^FDx^FS', '~JA', '\\&\\\\', '_5E', 'Müller_5E^FS', 'a\nb', '>;>8'),
);
const randomLabel = fc.record({
  wmsId: fc.oneof(sscc, id),
  markerCode: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  manifest: hostile,
  gate: hostile,
  consignee: hostile,
});

describe.each(LABEL_SIZES.flatMap((size) => [8, 12, 24].map((dpmm): [LabelSize, number] => [size, dpmm])))(
  'labels of the size %s as ZPL at %d dots a millimetre',
  (size, dpmm) => {
    it('a scanner reads marker and barcode of each printed label with all kinds of texts', async () => {
      const labels = fc.sample(randomLabel, { numRuns: dpmm === 24 ? 3 : 8, seed: 39 });
      const printed = printZpl(await zplOf(labels, size, dpmm));
      expect(printed).toHaveLength(labels.length);
      for (const [index, label] of printed.entries()) {
        const { markerCode } = labels[index]!;
        expect(await readCodes(label)).toEqual(codesOf(labels[index]!));
        if (markerCode !== null)
          expect(markerIn(label, zplMedium(size, dpmm), dpmm)).toEqual(imageModules(markerCode));
        const [width, height] = size === 'INCH_4X6' ? [101, 152] : [100, 148];
        expect([label.width, label.height]).toEqual([width * dpmm, height * dpmm]);
        for (const text of label.texts) {
          expect(text.left).toBeGreaterThanOrEqual(0);
          expect(text.left + text.room).toBeLessThanOrEqual(label.width);
          expect(text.top + text.height).toBeLessThanOrEqual(label.height);
        }
      }
    });
  },
);

it('a printer prints the texts of a label as they are, with all signs that ZPL interprets', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), async (gate) => {
      const [label] = printZpl(await zplOf([labelOf({ gate })], 'A6', 8));
      const shown = drawnPieces(gate, FONTS.bold.advances).join('');
      const texts = label!.texts.map(({ text }) => text);
      // A long text is cut.
      expect(texts[3]!.endsWith('…') ? `${shown.slice(0, texts[3]!.length - 1)}…` : shown).toBe(texts[3]);
      expect(texts).toHaveLength(9);
    }),
    { numRuns: 200 },
  );
});

it('500 labels as ZPL are made in small parts', async () => {
  const labels = Array.from({ length: 500 }, (_, at) => labelOf({ markerCode: 1_000_000_000 + at }));
  let count = 0;
  for await (const part of labelsZpl(labels, { size: 'INCH_4X6', dpmm: 24, captions: CAPTIONS }, FONTS)) {
    expect(part.length).toBeLessThan(150_000);
    count += part.split('^XZ').length - 1;
  }
  expect(count).toBe(500);
});
