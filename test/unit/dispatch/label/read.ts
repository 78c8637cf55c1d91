import { readBarcodes } from 'zxing-wasm/reader';
import { laidLabel, type Medium } from '../../../../src/dispatch/label/layout.ts';
import type { PalletLabel } from '../../../../src/dispatch/label/store.ts';
import { checkDigit } from '../../../../src/pallet/gs1.ts';
import { FONTS } from '../../web/pages/fonts.ts';
import { type Picture, scanned } from '../printing-batch/read.ts';

/** A code that a scanner reads: its kind as the scanner names it (ISO/IEC 15424), and its data. */
export interface ReadCode {
  kind: string;
  data: string;
}

/** Read all codes in a picture, sorted by their data. ]Q1 is a QR Code, ]C0 is Code 128, ]C1 is GS1-128. */
export async function readCodes(picture: Picture): Promise<ReadCode[]> {
  const found = await readBarcodes(scanned(picture), {
    formats: ['QRCodeModel2', 'Code128'],
    tryInvert: false,
    textMode: 'Plain',
    maxNumberOfSymbols: 20,
  });
  return found
    .map(({ symbologyIdentifier, text }) => ({ kind: symbologyIdentifier, data: text }))
    .sort((one, other) => (one.data < other.data ? -1 : 1));
}

/** The codes that a label must show. */
export const codesOf = ({ wmsId, markerCode }: PalletLabel): ReadCode[] => {
  const sscc = /^(?:\(00\)|00)?(\d{18})$/.exec(wmsId)?.[1];
  const isSscc = sscc !== undefined && checkDigit(sscc.slice(0, -1)) === sscc.at(-1);
  return [
    ...(markerCode === null ? [] : [{ kind: ']Q1', data: String(markerCode) }]),
    isSscc ? { kind: ']C1', data: `00${sscc}` } : { kind: ']C0', data: wmsId },
  ].sort((one, other) => (one.data < other.data ? -1 : 1));
};

export const CAPTIONS = { gate: 'Gate', manifest: 'Manifest', marker: 'Marker' };

/** The label of a pallet with these facts. */
export const labelOf = (facts: Partial<PalletLabel>): PalletLabel => ({
  wmsId: '340123450000000000',
  markerCode: 1_000_000_000,
  manifest: 'ORD-5001',
  gate: 'Dock 01',
  consignee: 'Großhandel Müller & Söhne',
  ...facts,
});

/** An SSCC with these 17 digits. */
export const ssccFrom = (digits: number[]): string => {
  const text = digits.join('');
  return text + checkDigit(text);
};

/** The modules of the marker in a picture of a label, as the layout places them. `scale` is pixels per millimetre. */
export function markerIn({ width, pixels }: Picture, medium: Medium, scale: number): boolean[][] {
  const marker = laidLabel(labelOf({}), medium, FONTS, CAPTIONS).marker!;
  return Array.from({ length: 21 }, (_, y) =>
    Array.from({ length: 21 }, (__, x) => {
      const [left, top] = [marker.left + (x + 0.5) * marker.module, marker.top + (y + 0.5) * marker.module];
      return pixels[Math.floor(top * scale) * width + Math.floor(left * scale)] === 0;
    }),
  );
}
