import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { LABEL_SIZES } from '../../../../src/core/writer/settings-table.ts';
import {
  type LaidLabel,
  laidLabel,
  type Medium,
  type PlacedText,
  pdfMedium,
  widthOf,
  zplMedium,
} from '../../../../src/dispatch/label/layout.ts';
import type { PalletLabel } from '../../../../src/dispatch/label/store.ts';
import { FONTS } from '../../web/pages/fonts.ts';
import { CAPTIONS, labelOf } from './read.ts';

const MEDIA: [string, Medium][] = LABEL_SIZES.flatMap((size) => [
  [`PDF ${size}`, pdfMedium(size)],
  ...[8, 12, 24].map((dpmm): [string, Medium] => [`ZPL ${size} ${dpmm}`, zplMedium(size, dpmm)]),
]);
/** The longest captions of all languages. */
const LONG_CAPTIONS = { gate: 'Baia', manifest: 'Liste de chargement', marker: 'Marcatore' };

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The area of a text's glyphs: capitals are 0.714 high, descenders 0.24 low. */
function boxOf({ text, left, width, baseline, size, font, align }: PlacedText): Box {
  const long = widthOf(text, FONTS[font].advances) * size;
  const start = left + { left: 0, center: (width - long) / 2, right: width - long }[align];
  return { left: start, top: baseline - 0.72 * size, right: start + long, bottom: baseline + 0.24 * size };
}

const codeBoxes = ({ marker, bars }: LaidLabel, { inset, width }: Medium): Box[] => {
  const quiet = 4 * (marker?.module ?? 0);
  const size = 21 * (marker?.module ?? 0) + quiet;
  return [
    ...(marker
      ? [
          {
            ...{ left: marker.left - quiet, top: marker.top - quiet },
            ...{ right: marker.left + size, bottom: marker.top + size },
          },
        ]
      : []),
    ...(bars ? [{ left: inset, top: bars.top, right: width - inset, bottom: bars.top + bars.height }] : []),
  ];
};

const TOLERANCE = 0.05;
const overlaps = (one: Box, other: Box): boolean =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > TOLERANCE &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > TOLERANCE;
const isWithin = ({ left, top, right, bottom }: Box, { width, height, inset }: Medium): boolean =>
  left > inset - TOLERANCE &&
  right < width - inset + TOLERANCE &&
  top > inset - TOLERANCE &&
  bottom < height - inset + TOLERANCE;

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 255 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.integer({ min: 1, max: 255 }).map((length) => 'W'.repeat(length)),
);
const anyLabel: fc.Arbitrary<PalletLabel> = fc.record({
  wmsId: anyText.filter((text) => text !== ''),
  markerCode: fc.option(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  manifest: fc.option(anyText),
  gate: fc.option(anyText),
  consignee: fc.option(anyText),
});

describe.each(MEDIA)('a label on %s', (_, medium) => {
  it('no text of a label leaves it, covers another text, or comes near a code', () => {
    fc.assert(
      fc.property(anyLabel, (label) => {
        const laid = laidLabel(label, medium, FONTS, LONG_CAPTIONS);
        const texts = laid.texts.filter(({ text }) => text !== '').map(boxOf);
        const codes = codeBoxes(laid, medium);
        for (const [index, box] of texts.entries()) {
          expect(isWithin(box, medium), JSON.stringify(laid.texts[index])).toBe(true);
          for (const other of [...texts.slice(index + 1), ...codes])
            expect(overlaps(box, other), JSON.stringify([laid.texts[index], box, other])).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('an SSCC has bars of about half a millimetre with quiet zones, and its text begins with (00) 3', () => {
    const { bars, texts, marker } = laidLabel(labelOf({}), medium, FONTS, CAPTIONS);
    expect(bars!.module).toBeGreaterThan(0.494);
    expect(bars!.module).toBeLessThan(0.94);
    expect(bars!.left).toBeGreaterThanOrEqual(10 * bars!.module);
    expect(bars!.left + 156 * bars!.module + 10 * bars!.module).toBeLessThanOrEqual(medium.width);
    expect(bars!.height).toBeGreaterThan(23);
    expect(texts.map(({ text }) => text)).toContain('(00) 3401 2345 0000 00 0000');
    for (const length of [bars!.left, bars!.top, bars!.module, marker!.left, marker!.top, marker!.module]) {
      const dots = length / medium.dot;
      expect(Math.abs(dots - Math.round(dots))).toBeLessThan(1e-6);
    }
  });
});

describe('a label', () => {
  const laid = (facts: Partial<PalletLabel>) => laidLabel(labelOf(facts), pdfMedium('A6'), FONTS, CAPTIONS);
  const textsOf = (facts: Partial<PalletLabel>) => laid(facts).texts.map(({ text }) => text);

  it('a label shows consignee, last four characters, gate, manifest, marker code and id', () => {
    expect(textsOf({})).toEqual([
      'Großhandel Müller & Söhne',
      '0000',
      'Gate',
      'Dock 01',
      'Manifest',
      'ORD-5001',
      'Marker',
      '1000000000',
      '(00) 3401 2345 0000 00 0000',
    ]);
  });

  it('a label without manifest, gate and consignee shows the marker code and the id', () => {
    const none = { manifest: null, gate: null, consignee: null };
    expect(textsOf({ ...none, wmsId: 'PAL-7' })).toEqual(['AL-7', 'Marker', '1000000000', 'PAL-7']);
  });

  it('the last four characters are the largest text of a label', () => {
    const [largest] = laid({}).texts.sort((one, other) => other.size - one.size);
    expect(largest).toMatchObject({ text: '0000' });
    expect(largest!.size).toBeGreaterThan(14);
  });

  it('a long name is shrunk, and then cut with an ellipsis', () => {
    const [long] = laid({ consignee: 'Wholesale company Hamburg-Altona Ltd.' }).texts;
    expect(long!.text).toBe('Wholesale company Hamburg-Altona Ltd.');
    expect(long!.size).toBeLessThan(5.5);
    expect(textsOf({ consignee: 'W'.repeat(255) })[0]).toMatch(/^W{20,60}…$/);
  });

  test.each(['Größe 12', '托盘-7', 'x'.repeat(120)])(
    'the id %j has no barcode, and is printed as text instead',
    (wmsId) => {
      expect(laid({ wmsId }).bars).toBeUndefined();
      expect(textsOf({ wmsId }).length).toBeGreaterThan(8);
    },
  );

  test.each(['340123450000000000', '00340123450000000000', '(00)340123450000000000'])(
    'the SSCC %j has the same barcode in each spelling',
    (wmsId) => {
      expect(laid({ wmsId }).bars).toEqual(laid({}).bars);
      expect(laid({ wmsId }).bars!.of).toMatchObject({ fnc1: true });
    },
  );

  it('18 digits with a wrong check digit are Code 128 without FNC1', () => {
    expect(laid({ wmsId: '340123450000000001' }).bars!.of).toMatchObject({ fnc1: false });
  });
});
