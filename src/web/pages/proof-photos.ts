import type { Words } from '../../messages/words.ts';
import { columnsOf, type ProofLinks, type Telling, tableRow, timeOf } from './proof-columns.ts';
import type { ProofData } from './proof-data.ts';
import { type Fonts, type ProofRow, rowOf, withPicture } from './proof-layout.ts';

const COLUMNS = columnsOf(90, 110, 150, 165);
const HEADS = ['proof.photoShows', 'proof.photoOf', 'proof.photoTaken', 'proof.photo'] as const;
/** Size of the box of a photo in points. */
const BOX = { width: 150, height: 100 };
/**
 * A larger photo, and a photo beyond the total, is a line with its link. So a document with photos fits the cache, and
 * few of them are in memory. Bytes.
 */
export const EMBEDDED_MAXIMUM = { photo: 1024 * 1024, total: 14 * 1024 * 1024 };

type Photo = NonNullable<ProofData['photos']>[number];

/** Whether each photo is embedded, in the order of the data. PDF contains JPEG as it is. */
export function embeddedOf(photos: readonly Photo[]): boolean[] {
  let total = 0;
  return photos.map(({ contentType, sizeBytes }) => {
    const fits =
      contentType === 'image/jpeg' &&
      sizeBytes <= EMBEDDED_MAXIMUM.photo &&
      total + sizeBytes <= EMBEDDED_MAXIMUM.total;
    if (fits) total += sizeBytes;
    return fits;
  });
}

/** A table of the photos with their SHA-256. */
export function* photoRows(
  { photos = [] }: ProofData,
  links: ProofLinks,
  telling: Telling,
  fonts: Fonts,
): Generator<ProofRow> {
  if (photos.length === 0) return;
  const { words } = telling;
  const { t } = words;
  yield rowOf('H2', 18, [{ text: t('page.photos'), font: 'bold', size: 10 }], fonts);
  const heads = HEADS.map((key) => t(key));
  yield tableRow('TH', COLUMNS, heads, fonts);
  const embedded = embeddedOf(photos);
  for (const [index, photo] of photos.entries()) {
    const kind = t(`photoKind.${photo.kind}`);
    const of = ownerOf(photo, words);
    const details = `${timeOf(telling, photo.takenDate ?? photo.createDate)} SHA-256 ${photo.sha256}`;
    const texts = [kind, of, details];
    if (embedded[index]) {
      const row = tableRow('TR', COLUMNS, [...texts, ''], fonts);
      const left = COLUMNS.at(-1)!.left;
      yield withPicture(row, { left, ...BOX, alt: `${kind}, ${of}`, of: { photo: index } });
    } else yield tableRow('TR', COLUMNS, [...texts, links.photos?.[index] ?? t('page.none')], fonts);
  }
}

const ownerOf = (photo: Photo, { t }: Words): string =>
  photo.trackIdentifier ??
  (photo.manifestExternalId === null
    ? `${t('kind.SHIPMENT')} ${photo.shipmentExternalId}`
    : `${t('kind.MANIFEST')} ${photo.manifestExternalId}`);
