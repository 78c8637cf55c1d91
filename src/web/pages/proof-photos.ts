import { THUMBNAIL_SIDE } from '../../dispatch/photo/rules.ts';
import type { StoredPhoto } from '../../dispatch/photo/store.ts';
import type { Words } from '../../messages/words.ts';
import { columnsOf, type ProofLinks, type Telling, tableRow, timeOf } from './proof-columns.ts';
import type { ProofData } from './proof-data.ts';
import { type Fonts, type ProofRow, rowOf, withPicture } from './proof-layout.ts';

const COLUMNS = columnsOf(90, 110, 150, 165);
const HEADS = ['proof.photoShows', 'proof.photoOf', 'proof.photoTaken', 'proof.photo'] as const;
/** Size of the box of a photo in points. */
const BOX = { width: 150, height: 100 };
/**
 * The most bytes of all pictures of one document, and their pixels. Photos beyond it are lines with their link. The
 * document has the bytes unchanged. Its reader decodes the pixels.
 */
export const PICTURES_MAXIMUM = { bytes: 16 * 1024 * 1024, pixels: 200_000_000 };

type Photo = NonNullable<ProofData['photos']>[number];

/** Whether each photo is drawn: its thumbnail, or the photo itself if it is a JPEG. */
export function drawablePhotos(
  photos: readonly Pick<StoredPhoto, 'contentType' | 'sizeBytes' | 'thumbnailBytes' | 'width' | 'height'>[],
): boolean[] {
  let [bytes, pixels] = [0, 0];
  return photos.map(({ contentType, sizeBytes, thumbnailBytes, width, height }) => {
    const hasThumbnail = thumbnailBytes > 0;
    const own = hasThumbnail
      ? { bytes: thumbnailBytes, pixels: THUMBNAIL_SIDE ** 2 }
      : { bytes: sizeBytes, pixels: width * height };
    const fits =
      bytes + own.bytes <= PICTURES_MAXIMUM.bytes && pixels + own.pixels <= PICTURES_MAXIMUM.pixels;
    if (!fits || (!hasThumbnail && contentType !== 'image/jpeg')) return false;
    bytes += own.bytes;
    pixels += own.pixels;
    return true;
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
  for (const [index, photo] of photos.entries()) {
    const kind = t(`photoKind.${photo.kind}`);
    const of = ownerOf(photo, words);
    // Without a time of the photo, the time of the upload is shown as such.
    const time =
      photo.takenDate === null
        ? t('page.photoUploaded', { time: timeOf(telling, photo.createDate) })
        : t('page.photoTaken', { time: timeOf(telling, photo.takenDate) });
    const details = `${time} SHA-256 ${photo.sha256}`;
    const { url: link = t('proof.noPhotoLink'), isDrawn = false } = links.photos?.[index] ?? {};
    const row = tableRow('TR', COLUMNS, [kind, of, details, link], fonts);
    const left = COLUMNS.at(-1)!.left;
    yield isDrawn
      ? withPicture(row, { left, ...BOX, alt: `${kind}, ${of}`, of: { photo: index, link } })
      : row;
  }
}

const ownerOf = (photo: Photo, { t }: Words): string =>
  photo.trackIdentifier ??
  (photo.manifestExternalId === null
    ? `${t('kind.SHIPMENT')} ${photo.shipmentExternalId}`
    : `${t('kind.MANIFEST')} ${photo.manifestExternalId}`);
