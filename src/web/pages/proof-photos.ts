import type { Words } from '../../messages/words.ts';
import { columnsOf, type ProofLinks, type Telling, tableRow, timeOf } from './proof-columns.ts';
import type { ProofData } from './proof-data.ts';
import { type Fonts, type ProofRow, rowOf, withPicture } from './proof-layout.ts';

const COLUMNS = columnsOf(90, 110, 150, 165);
const HEADS = ['proof.photoShows', 'proof.photoOf', 'proof.photoTaken', 'proof.photo'] as const;
/** Size of the box of a photo in points. */
const BOX = { width: 150, height: 100 };
/**
 * The bytes of all photos that are read for one document. Photos beyond it
 * are lines with their link.
 */
export const READ_BYTES_MAXIMUM = 64 * 1024 * 1024;

type Photo = NonNullable<ProofData['photos']>[number];

/** Whether each photo is drawn as a thumbnail, in the order of the data. Only JPEG has thumbnails. */
export function drawnOf(photos: readonly Photo[]): boolean[] {
  let total = 0;
  return photos.map(({ contentType, sizeBytes }) => {
    const fits = contentType === 'image/jpeg' && total + sizeBytes <= READ_BYTES_MAXIMUM;
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
  if (links.morePhotos)
    yield rowOf('P', 1, [{ text: t('page.photosSome', { count: photos.length }) }], fonts);
  const heads = HEADS.map((key) => t(key));
  yield tableRow('TH', COLUMNS, heads, fonts);
  const drawn = drawnOf(photos);
  for (const [index, photo] of photos.entries()) {
    const kind = t(`photoKind.${photo.kind}`);
    const of = ownerOf(photo, words);
    const details = `${timeOf(telling, photo.takenDate ?? photo.createDate)} SHA-256 ${photo.sha256}`;
    const link = links.photos?.[index] ?? t('proof.noPhotoLink');
    const row = tableRow('TR', COLUMNS, [kind, of, details, link], fonts);
    const left = COLUMNS.at(-1)!.left;
    yield drawn[index]
      ? withPicture(row, { left, ...BOX, alt: `${kind}, ${of}`, of: { photo: index, link } })
      : row;
  }
}

const ownerOf = (photo: Photo, { t }: Words): string =>
  photo.trackIdentifier ??
  (photo.manifestExternalId === null
    ? `${t('kind.SHIPMENT')} ${photo.shipmentExternalId}`
    : `${t('kind.MANIFEST')} ${photo.manifestExternalId}`);
