import { PDFiumLibrary } from '@hyzyla/pdfium';
import { describe, expect, it, vi } from 'vitest';
import { digestOf, type ProofData } from '../../../../src/web/pages/proof-data.ts';
import { type PhotoAt, proofPdf } from '../../../../src/web/pages/proof-pdf.ts';
import { drawablePhotos, PICTURES_MAXIMUM } from '../../../../src/web/pages/proof-photos.ts';
import { JPEG } from '../../../images.ts';
import { FONTS } from './fonts.ts';
import { GOLDEN_DATA, GOLDEN_LINKS, GOLDEN_TELLING, joined, record } from './proofs.ts';

type Photo = NonNullable<ProofData['photos']>[number];

const photo = (more: Partial<Photo> = {}): Photo => ({
  kind: 'DAMAGE',
  trackIdentifier: 'P1',
  manifestExternalId: null,
  shipmentExternalId: null,
  contentType: 'image/jpeg',
  sizeBytes: 1_000,
  width: 8,
  height: 16,
  sha256: 'cd'.repeat(32),
  takenDate: '2026-11-21T08:45:00.000Z',
  createDate: '2026-11-21T08:46:00.000Z',
  ...more,
});

const links = (photos: readonly Photo[]) => ({
  ...GOLDEN_LINKS,
  photos: photos.map(({ contentType }, index) => ({
    url: `https://dispatch.example.com/public/photo/token${index}`,
    isDrawn: contentType === 'image/jpeg',
  })),
});

const partsOf = (data: ProofData, photoAt: PhotoAt, more: { morePhotos?: true } = {}) =>
  proofPdf(
    data,
    digestOf(data).digest,
    { ...links(data.photos ?? []), ...more },
    GOLDEN_TELLING,
    FONTS,
    photoAt,
  );

async function textOf(pdf: Uint8Array): Promise<string> {
  const pdfium = await PDFiumLibrary.init();
  const document = await pdfium.loadDocument(pdf);
  const text = [...document.pages()].map((page) => page.getText()).join(' ');
  document.destroy();
  pdfium.destroy();
  return text.replace(/\s+/g, ' ');
}

describe('photos in a proof of shipment', () => {
  it('a proof shows each photo with kind, pallet, time and SHA-256, and the link of a photo that it cannot embed', async () => {
    const photos = [
      photo(),
      photo({ kind: 'SEAL', trackIdentifier: null, shipmentExternalId: 'SHIP-1', contentType: 'image/webp' }),
    ];
    const pdf = await joined(await partsOf({ ...GOLDEN_DATA, photos }, async () => JPEG));
    const text = await textOf(pdf);
    expect(text).toContain('Damage P1 Taken 21 Nov 2026, 09:45:00 +01:00 SHA-256');
    expect(text.replaceAll(' ', '')).toContain('cd'.repeat(32));
    expect(text).toContain('Seal Shipment SHIP-1');
    expect(text.replaceAll(' ', '')).toContain('/public/photo/token1');
    expect(text.replaceAll(' ', '')).not.toContain('/public/photo/token0');
    expect(
      Buffer.from(pdf)
        .toString('latin1')
        .match(/DCTDecode/g),
    ).toHaveLength(1);
  });

  it('a proof shows the time of the upload of a photo without a time of its own, and says so', async () => {
    const data = { ...GOLDEN_DATA, photos: [photo({ takenDate: null })] };
    const text = await textOf(await joined(await partsOf(data, async () => JPEG)));
    expect(text).toContain('Damage P1 Uploaded 21 Nov 2026, 09:46:00 +01:00 SHA-256');
    expect(text).not.toContain('Taken 21');
  });

  it('a proof with the first 100 photos says that the load has more', async () => {
    const note = 'The first 1 photos are shown. Ask the sender for the others.';
    const data = { ...GOLDEN_DATA, photos: [photo()] };
    const pdf = async (more?: true) =>
      textOf(await joined(await partsOf(data, async () => JPEG, more && { morePhotos: more })));
    expect(await pdf(true)).toContain(note);
    expect(await pdf()).not.toContain(note);
  });

  const { bytes, pixels } = PICTURES_MAXIMUM;
  const stored = {
    contentType: 'image/jpeg',
    sizeBytes: 1_000,
    thumbnailBytes: 0,
    width: 8,
    height: 16,
  } as const;

  it('a photo beyond the bytes and pixels of a document is a line with its link', () => {
    const many = (more: object) => Array.from({ length: 20 }, () => ({ ...stored, ...more }));
    expect(drawablePhotos(many({ sizeBytes: bytes / 16 })).filter(Boolean)).toHaveLength(16);
    expect(drawablePhotos(many({ width: pixels / 10_000, height: 1_000 })).filter(Boolean)).toHaveLength(10);
    // A smaller photo after it may fit.
    expect(drawablePhotos([{ ...stored, sizeBytes: bytes + 1 }, stored])).toEqual([false, true]);
    expect(drawablePhotos([{ ...stored, width: pixels + 1, height: 1 }, stored])).toEqual([false, true]);
  });

  it('a thumbnail is drawn instead of its photo, also of a PNG', () => {
    const large = { ...stored, sizeBytes: bytes, width: 5_000, height: 5_000 };
    const small = { ...large, thumbnailBytes: 20_000 };
    expect(drawablePhotos([small, { ...small, contentType: 'image/png' }, ...Array(98).fill(small)])).toEqual(
      Array(100).fill(true),
    );
    expect(
      drawablePhotos([
        { ...stored, contentType: 'image/png' },
        { ...stored, contentType: 'image/webp' },
      ]),
    ).toEqual([false, false]);
    expect(drawablePhotos([{ ...small, thumbnailBytes: bytes }, small])).toEqual([true, false]);
  });

  it('a picture that cannot be drawn is a line with its link', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    // The first frame has no pixels. The others are no JPEG at all.
    const frame = Buffer.from('ffd8ffc0000b080000000001011100ffd9', 'hex');
    const undrawable = [frame, Buffer.from([0xff, 0xd8]), Buffer.from('PK\x03\x04'), Buffer.alloc(0)];
    const photos = undrawable.map((_, index) => photo({ trackIdentifier: `P${index}` }));
    const data = { ...GOLDEN_DATA, photos };
    const pdf = await joined(await partsOf(data, async (index) => undrawable[index]));
    const text = (await textOf(pdf)).replaceAll(' ', '');
    for (const index of undrawable.keys()) expect(text).toContain(`/public/photo/token${index}`);
    expect(Buffer.from(pdf).toString('latin1')).not.toContain('DCTDecode');
    expect(log).toHaveBeenCalled();
  });

  it('a picture opens its photo, and a photo that is missing is a line with its link', async () => {
    const photos = [photo(), photo({ trackIdentifier: 'P2' })];
    const parts = await partsOf({ ...GOLDEN_DATA, photos }, async (index) =>
      index === 0 ? JPEG : undefined,
    );
    const pdf = await joined(parts);
    const text = (await textOf(pdf)).replaceAll(' ', '');
    expect(text).not.toContain('/public/photo/token0');
    expect(text).toContain('/public/photo/token1');
    const written = Buffer.from(pdf).toString('latin1');
    expect(written).toContain('/URI (https://dispatch.example.com/public/photo/token0)');
    expect(written.match(/\/S \/Link/g)).toHaveLength(1);
    expect(written).toContain('/Contents (Damage, P1)');
  });

  it('a proof of 5,000 pallets with 100 photos has one photo in memory at a time', async () => {
    const size = 140_000;
    const photos = Array.from({ length: 100 }, () => photo({ sizeBytes: size }));
    const records = Array.from({ length: 5_000 }, (_, index) => record(`P${index}`, index));
    const data: ProofData = {
      ...GOLDEN_DATA,
      photos,
      manifests: [{ manifestExternalId: 'M', manifestStatus: 'COMPLETED', records }],
    };
    let [asked, passedOn, waiting, most] = [0, 0, 0, 0];
    const parts = await partsOf(data, async () => {
      asked += 1;
      // A page has a few photos. All photos of earlier pages were passed on.
      most = Math.max(most, asked * size - passedOn);
      const bytes = new Uint8Array(size);
      bytes.set(JPEG);
      return bytes;
    });
    const before = process.memoryUsage().arrayBuffers;
    for await (const part of parts) {
      passedOn += part.length;
      waiting = Math.max(waiting, process.memoryUsage().arrayBuffers - before);
    }
    expect(asked).toBe(100);
    expect(passedOn).toBeGreaterThan(100 * size);
    expect(most).toBeLessThan(15 * size);
    expect(waiting).toBeLessThan(64 * 1024 * 1024);
  }, 60_000);
});
