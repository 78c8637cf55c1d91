import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SignedChange } from '../../../../src/dispatch/load/shared/signature-rules.ts';
import { digestOf, type ProofData } from '../../../../src/web/pages/proof-data.ts';
import { proofPdf } from '../../../../src/web/pages/proof-pdf.ts';
import { plainWordsIn } from '../../../messages.ts';
import { FONTS } from './fonts.ts';
import { GOLDEN_DATA, GOLDEN_LINKS, GOLDEN_TELLING, joined } from './proofs.ts';

let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(() => pdfium.destroy());

const DIGEST = 'ab'.repeat(32);

const signature = (role: 'DRIVER' | 'LOADER' | 'CONSIGNEE', name: string, superseded = false) => ({
  uuid: '01a1fcb0-af44-7000-8000-000000000044',
  role,
  name,
  signDate: '2026-11-21T08:45:00.000Z',
  createDate: '2026-11-21T08:45:00.000Z',
  superseded,
  signedFor: {
    status: 'IN_PROGRESS' as const,
    loadedAssetsCount: 2,
    totalAssetsCount: 4,
    invalidCount: 2,
    carrier: null,
    vehicle: null as string | null,
    seal: null as string | null,
    plannedDepartureDate: null,
    digest: null,
  },
  changedSince: [] as SignedChange[],
  // A line from the upper left to the lower right corner, and a dot in the upper right corner.
  strokes: [
    [
      [0, 0],
      [1_000, 400],
    ],
    [[990, 10]],
  ] as [number, number][][],
});

const signed = (...signatures: ReturnType<typeof signature>[]): ProofData => ({
  ...GOLDEN_DATA,
  signatures,
  previousDigest: DIGEST,
});

async function read<T>(
  data: ProofData,
  look: (document: PDFiumDocument) => T | Promise<T>,
  telling = GOLDEN_TELLING,
) {
  const pdf = await joined(await proofPdf(data, digestOf(data).digest, GOLDEN_LINKS, telling, FONTS));
  const document = await pdfium.loadDocument(pdf);
  try {
    return await look(document);
  } finally {
    document.destroy();
  }
}

const textOf = (data: ProofData, telling = GOLDEN_TELLING) =>
  read(
    data,
    (document) =>
      [...document.pages()]
        .map((page) => page.getText())
        .join(' ')
        .replace(/\s+/g, ' '),
    telling,
  );

/** The dark pixels of the first page in a box, in points from the upper left corner. */
const darkIn = (data: ProofData, left: number, top: number, width: number, height: number) =>
  read(data, async (document) => {
    const { data: pixels, width: across } = await document.getPage(0).render({ scale: 2 });
    let dark = 0;
    for (let y = top * 2; y < (top + height) * 2; y += 1) {
      for (let x = left * 2; x < (left + width) * 2; x += 1) {
        if (pixels[(Math.round(y) * across + Math.round(x)) * 4]! < 100) dark += 1;
      }
    }
    return dark;
  });

describe('signatures in a proof of shipment', () => {
  it('a proof lists each signature with role, name and date, and the digest before', async () => {
    const text = await textOf(signed(signature('DRIVER', 'Ben Kraft', true), signature('DRIVER', 'Zoë')));
    expect(text).toContain('Signatures Role Name Signed on Signature');
    const covered =
      '21 Nov 2026, 09:45:00 +01:00 Signed at: 2 of 4 loaded, 2 pallets that do not belong. Nothing has changed since.';
    expect(text).toContain(`Driver Ben Kraft ${covered} Replaced by a later signature`);
    expect(text).toContain(`Driver Zoë ${covered}`);
    expect(text.replaceAll(' ', '')).toContain(DIGEST);
  });

  it('a proof says for each signature what has changed since', async () => {
    const { signedFor } = signature('DRIVER', 'Ben');
    const early = {
      ...signature('DRIVER', 'Ben'),
      signedFor: { ...signedFor, loadedAssetsCount: 0, invalidCount: 0, seal: '4711', vehicle: 'AB 1' },
      changedSince: ['loadedAssetsCount', 'invalidCount', 'vehicle', 'seal', 'corrections'] as SignedChange[],
    };
    const swapped = { ...signature('LOADER', 'Eva'), changedSince: ['records'] as SignedChange[] };
    const transport = { carrier: null, vehicle: null, seal: '4712', plannedDepartureDate: null };
    const text = await textOf({ ...signed(early, swapped), transport });
    expect(text).toContain(
      'Signed at: 0 of 4 loaded, Vehicle: AB 1, Seal: 4711. Changed since: 2 of 4 loaded,',
    );
    expect(text).toContain(
      '2 pallets that do not belong, Vehicle: –, Seal: 4712, corrections, as listed below.',
    );
    expect(text).toContain('2 pallets that do not belong. Changed since: other pallets loaded.');
  });

  it('a proof names signatures in the language of the reader', async () => {
    const telling = { words: plainWordsIn('pl'), timeZone: 'UTC', paper: 'A4' as const };
    expect(await textOf(signed(signature('CONSIGNEE', 'Jan')), telling)).toContain('Odbiorca Jan');
  });

  it('a proof draws the lines of a signature', async () => {
    const box = [390, 270, 165, 60] as const;
    const dot = { ...signature('DRIVER', 'Ben'), strokes: [[[1, 1]]] as [number, number][][] };
    const line = await darkIn(signed(signature('DRIVER', 'Ben')), ...box);
    expect(line).toBeGreaterThan((await darkIn(signed(dot), ...box)) + 200);
    expect(line).toBeLessThan(2_000);
  });

  it('a proof with 20 signatures of long names keeps each row on one page', async () => {
    const name = 'Maximiliane-Alexandra von der Wiesenhöhe '.repeat(4).slice(0, 150);
    const data = signed(...Array.from({ length: 20 }, () => signature('LOADER', name)));
    const pages = await read(data, (document) => [...document.pages()].length);
    expect(pages).toBeGreaterThan(1);
  });

  it('a name that the font cannot draw is written as code points, and the document explains them', async () => {
    const text = await textOf(signed(signature('DRIVER', 'محمد')));
    expect(text.replaceAll(' ', '')).toContain('{U+0645}{U+062D}');
    expect(text).toContain('U+ and the Unicode number in braces');
  });

  it('a proof without signatures has no such section', async () => {
    expect(await textOf(GOLDEN_DATA)).not.toContain('Signatures');
  });
});
