import { createHash } from 'node:crypto';
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBarcodes } from 'zxing-wasm/reader';
import { drawnPieces } from '../../../../src/core/lib/drawn-text.ts';
import { digestOf, type ProofData } from '../../../../src/web/pages/proof-data.ts';
import { proofPdf } from '../../../../src/web/pages/proof-pdf.ts';
import { cpuMs } from '../../../cpu-time.ts';
import { scanned } from '../../dispatch/printing-batch/read.ts';
import { FONTS } from './fonts.ts';
import { GOLDEN_DATA, GOLDEN_LINKS, GOLDEN_PDF, GOLDEN_TELLING, joined, record } from './proofs.ts';

const { digest } = digestOf(GOLDEN_DATA);
const made = async (data: ProofData, telling = GOLDEN_TELLING) =>
  joined(await proofPdf(data, digestOf(data).digest, GOLDEN_LINKS, telling, FONTS));
const latin = (pdf: Uint8Array): string => Buffer.from(pdf).toString('latin1');

let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(() => pdfium.destroy());

/** Read a part of a document with PDFium, the renderer of Chrome. */
async function read<T>(pdf: Uint8Array, look: (document: PDFiumDocument) => T | Promise<T>): Promise<T> {
  const document = await pdfium.loadDocument(pdf);
  try {
    return await look(document);
  } finally {
    document.destroy();
  }
}

/** The text of each page, its lines joined by spaces. */
const pagesOf = (pdf: Uint8Array): Promise<string[]> =>
  read(pdf, (document) => [...document.pages()].map((page) => page.getText().replace(/\s+/g, ' ')));

/** The text of a document without white space, because a long text is broken into lines. */
const packed = async (pdf: Uint8Array): Promise<string> => (await pagesOf(pdf)).join('').replace(/\s/g, '');
const drawn = (text: string): string => drawnPieces(text, FONTS.regular.advances).join('').replace(/\s/g, '');

/** Data of a manifest with these pallets. */
const manifestOf = (records: ProofData['manifests'][number]['records']): ProofData => ({
  ...GOLDEN_DATA,
  kind: 'MANIFEST',
  externalIdentifier: 'ORDER-1',
  revision: 0,
  corrections: [],
  manifests: [{ manifestExternalId: 'ORDER-1', manifestStatus: 'COMPLETED', records }],
});

describe('a proof of shipment', () => {
  it('a proof of shipment names the load and every pallet with code and status', async () => {
    const [text] = await pagesOf(await made(GOLDEN_DATA));
    for (const expected of [
      'Proof of shipment Shipment SHIP-1',
      'Shipper Großhandel Müller & Söhne',
      'Status Completed, some missing',
      'Gate GATE-1 Gate name Tor 1, Nordhof',
      'Loading began 21 Nov 2026, 09:00:00 +01:00',
      'Completed on 21 Nov 2026, 09:30:00 +01:00',
      'Time zone Europe/Berlin',
      'Pallets 2 of 4 loaded',
      'Exceptions 1 missing, 1 taken off again, 1 wrong pallet, 1 unknown marker',
      'Manifest ORDER-1 1 of 2 pallets loaded',
      '1 340123450000000017 1000000000 Loaded 21 Nov 2026, 09:15:30 +01:00',
      '2 Ω-Ж-ế 1000000001 Missing –',
      'Manifest ORDER-2 <b>&amp; 1 of 2 pallets loaded, 2 pallets that do not belong',
      '1 {U+05DE}{U+05D2}{U+05E9} 7 1000000002 Taken off again 21 Nov 2026, 09:15:30 +01:00',
      '9007199254740991 Loaded 21 Nov 2026, 09:15:30 +01:00',
      '3 stray 1000000003 Wrong pallet',
      '4 No identifier 4711 Unknown marker',
      'Manifest ORDER-3 Cancelled, not counted above',
    ]) {
      expect(text).toContain(expected);
    }
  });

  it('a proof of shipment names vehicle and carrier where they are known', async () => {
    const transport = { carrier: 'Müller', vehicle: 'HH-AB 123', seal: null, plannedDepartureDate: null };
    const date = '2026-11-21T17:30:00.000Z';
    const [partly] = await pagesOf(await made({ ...GOLDEN_DATA, transport }));
    expect(partly).toContain('Carrier Müller Vehicle HH-AB 123 Loading began');
    const [firstPage] = await pagesOf(
      await made({ ...GOLDEN_DATA, transport: { ...transport, seal: 'SL-9', plannedDepartureDate: date } }),
    );
    expect(firstPage).toContain('Seal SL-9 Planned departure 21 Nov 2026, 18:30:00 +01:00 Loading began');
  });

  it('a proof of shipment lists corrections as numbered revisions without personal names', async () => {
    const text = (await pagesOf(await made(GOLDEN_DATA))).join(' ');
    for (const expected of [
      'Revision 4: corrected since completion, as listed at the end',
      'Corrections since completion (4)',
      '1 21 Nov 2026, 10:00:00 +01:00 Ω-Ж-ế ORDER-1 Loaded Missing warehouse system',
      '2 21 Nov 2026, 10:30:00 +01:00 No identifier, marker 99 ORDER-2 <b>&amp; Unknown marker Removed warehouse staff',
      '3 21 Nov 2026, 11:00:00 +01:00 Seal – SL-4711 {U+05DE} {U+05D2} {U+05E9} 7 warehouse staff',
      '3 21 Nov 2026, 11:00:00 +01:00 Planned departure – – 21 Nov 2026, 09:45:00 +01:00 warehouse staff',
      '4 21 Nov 2026, 11:05:00 +01:00 Photo, Seal – SHA-256 9f86d081884c7',
    ]) {
      expect(text).toContain(expected);
    }
    const original = (await pagesOf(await made(manifestOf([record('P', 1)])))).join(' ');
    expect(original).toContain('Revision Original: nothing was corrected since completion');
    expect(original).not.toContain('Corrections');
  });

  it('a proof of shipment has its digest and page number on every page', async () => {
    const pages = await pagesOf(
      await made(manifestOf(Array.from({ length: 200 }, (_, n) => record(`P${n}`, n + 1)))),
    );
    const { digest: own } = digestOf(
      manifestOf(Array.from({ length: 200 }, (_, n) => record(`P${n}`, n + 1))),
    );
    expect(pages.length).toBeGreaterThan(3);
    for (const [index, text] of pages.entries()) {
      expect(text.trim().endsWith(`SHA-256 ${own} Page ${index + 1} of ${pages.length}`)).toBe(true);
    }
    expect(pages[0]).toContain(`SHA-256 ${own} Manifest`);
    expect(pages.join(' ').replace(/\s/g, '')).toContain(`curl-s'${GOLDEN_LINKS.data}'|sha256sum`);
  });

  it('a proof of shipment links to the summary by a symbol that a phone reads', async () => {
    const picture = await read(await made(GOLDEN_DATA), async (document) => {
      const [page] = [...document.pages()];
      return page!.render({ scale: 2, render: 'bitmap', colorSpace: 'Gray' });
    });
    const found = await readBarcodes(scanned({ ...picture, pixels: picture.data }));
    expect(found.map(({ text }) => text)).toEqual([GOLDEN_LINKS.summary]);
  });

  it('a proof of shipment is tagged and has a language and a title', async () => {
    const pdf = latin(await made(GOLDEN_DATA));
    expect(pdf.startsWith('%PDF-1.7')).toBe(true);
    expect(pdf).toMatch(/\/Lang \(en\)/);
    expect(pdf).toContain('(Proof of shipment: Shipment SHIP-1)');
    expect(pdf).toMatch(/\/MarkInfo \d+ 0 R/);
    expect(pdf).toMatch(/\/Marked true/);
    for (const type of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure']) {
      expect(pdf).toMatch(new RegExp(`/S /${type}\\b`));
    }
    expect(pdf).toContain(`/Alt (QR code of the summary page: ${GOLDEN_LINKS.summary})`);
    expect(pdf).toContain('/Scope /Column');
  });

  it('a proof of shipment has a title in valid XML for any identifier', async () => {
    const pdf = latin(await made({ ...GOLDEN_DATA, externalIdentifier: ']]><a>&\u0001"' }));
    const packet = /<x:xmpmeta.*<\/x:xmpmeta>/s.exec(pdf)![0];
    expect(packet).toContain(']]>{U+003C}a>{U+0026}{U+0001}"');
    expect(packet).not.toMatch(/<a>|&(?!\w+;)/);
  });

  it('a proof of shipment has the same bytes for the same data, wherever and whenever it is made', async () => {
    const [first, second] = [await made(GOLDEN_DATA), await made(GOLDEN_DATA)];
    expect(Buffer.compare(first, second)).toBe(0);
    expect(createHash('sha256').update(first).digest('hex')).toBe(GOLDEN_PDF);
    expect(digest).toBe(digestOf(structuredClone(GOLDEN_DATA)).digest);
  });

  it('a proof of shipment has other bytes for other data', async () => {
    const other = structuredClone(GOLDEN_DATA);
    other.manifests[0]!.records[0]!.loadingStatus = 'OFFLOADED';
    expect(digestOf(other).digest).not.toBe(digest);
    expect(Buffer.compare(await made(other), await made(GOLDEN_DATA))).not.toBe(0);
  });

  it('a proof of shipment shows any text, and different texts look different', async () => {
    const unit = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.integer({ min: 1, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      },
      { weight: 2, arbitrary: fc.constantFrom(...'aé{U+}0 אع中📦\u0301\u200d\u202e\ufeff\n\t<&') },
    );
    const text = fc
      .array(unit, { minLength: 1, maxLength: 255 })
      .map((parts) => parts.join('').toWellFormed());
    await fc.assert(
      fc.asyncProperty(text, text, async (name, pallet) => {
        const data: ProofData = {
          ...manifestOf([record(pallet, 7)]),
          externalIdentifier: name,
          organizationName: name,
          gate: { externalIdentifier: pallet, name },
        };
        const shown = await packed(await made(data));
        expect(shown).toContain(`PalletMarkerStatusLoadedat1`);
        // PDFium decomposes ligatures and compatibility letters. It reads a hyphen at the end of a line as
        // a soft hyphen.
        const plain = (given: string): string => given.normalize('NFKC').replace(/[\s\p{C}-]/gu, '');
        expect(plain(shown)).toContain(plain(drawn(pallet)));
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('a proof on Letter paper has every pallet, in the middle of its pages', async () => {
    const data = manifestOf(Array.from({ length: 90 }, (_, n) => record(`PALLET-${n}`, 1e9 + n)));
    const [a4, letter] = await Promise.all([made(data), made(data, { ...GOLDEN_TELLING, paper: 'LETTER' })]);
    const sizes = (pdf: Uint8Array) => [...new Set(latin(pdf).match(/\/MediaBox \[[^\]]*\]/g))];
    expect([sizes(a4), sizes(letter)]).toEqual([
      ['/MediaBox [0 0 595.28 841.89]'],
      ['/MediaBox [0 0 612 792]'],
    ]);
    expect(await packed(letter)).toContain('PALLET-89');
    const edges = await read(letter, async (document) => {
      const [page] = [...document.pages()];
      const { data: pixels, width, height } = await page!.render({ scale: 1, render: 'bitmap' });
      const dark = Array.from({ length: width }, (_, x) =>
        Array.from({ length: height }, (_, y) => pixels[(y * width + x) * 4]!).some((value) => value < 128),
      );
      return [dark.indexOf(true), width - 1 - dark.lastIndexOf(true)];
    });
    expect(edges[0]).toBeGreaterThanOrEqual(47);
    expect(Math.abs(edges[0]! - edges[1]!)).toBeLessThanOrEqual(8);
  });

  it('a proof of shipment of 5,000 pallets streams page by page with each of them', async () => {
    const records = Array.from({ length: 5_000 }, (_, n) =>
      record(`3401234500${String(n).padStart(8, '0')}`, 1e9 + n),
    );
    const data = manifestOf(records);
    const begin = cpuMs();
    let [parts, largest] = [0, 0];
    const bytes: Uint8Array[] = [];
    for await (const part of await proofPdf(
      data,
      digestOf(data).digest,
      GOLDEN_LINKS,
      GOLDEN_TELLING,
      FONTS,
    )) {
      parts += 1;
      largest = Math.max(largest, part.length);
      bytes.push(part);
    }
    expect(cpuMs() - begin).toBeLessThan(15_000);
    expect(parts).toBeGreaterThan(70);
    expect(largest).toBeLessThan(1_000_000);
    const text = (await pagesOf(new Uint8Array(Buffer.concat(bytes)))).join(' ');
    for (const [index, { trackIdentifier, markerCode }] of records.entries()) {
      if (!text.includes(`${trackIdentifier} ${markerCode} Loaded`))
        throw new Error(`pallet ${index} is missing`);
    }
  });
});
