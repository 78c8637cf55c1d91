import { Buffer } from 'node:buffer';
import { readBytes } from '../../core/http/body.ts';
import { mediaTypeOf, unsupported } from '../../core/http/media-type.ts';
import { enter, inTurn } from '../../core/http/permit.ts';
import type { AppContext } from '../../core/http/types.ts';
import { refuse, type Submission, type Written, write } from '../../core/http/write.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { newUuid } from '../../core/lib/id.ts';
import { discardObjects, orUnavailable, primary } from '../calibration/objects.ts';
import { addOrphan } from '../calibration/store.ts';
import { addPhoto, type NewPhoto } from './commands.ts';
import { ImageFault } from './image-parts-rules.ts';
import { type CleanImage, cleanImage } from './image-rules.ts';
import { cleanThumbnail } from './objects.ts';
import { CONTENT_TYPES, type ContentType, PHOTO_BYTES_MAXIMUM, photoKey } from './rules.ts';
import type { StoredPhoto } from './store.ts';

/** The memory that reading a photo takes, in bytes. */
const PHOTO_MEMORY = 16 * 1024 * 1024;

/** The input of `addPhoto` that the caller gives. */
type PhotoFacts = Omit<NewPhoto, 'uuid' | 'image'>;

/** Bytes as a caller sent them. */
export interface SentPhoto {
  contentType: ContentType;
  bytes: Buffer;
  /** SHA-256 (hex) of the bytes. */
  sha256: string;
  /** A small JPEG of the photo, if its sender made one. */
  thumbnail?: Buffer | undefined;
}

/** Other names of media types that programs send. */
const OTHER_NAMES: Readonly<Record<string, ContentType>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
};

/** Read a photo from the body. @throws 415, 413 */
export async function readPhoto(c: AppContext): Promise<SentPhoto> {
  const sent = mediaTypeOf(c);
  const contentType = OTHER_NAMES[sent] ?? CONTENT_TYPES.find((type) => type === sent);
  if (!contentType) throw unsupported(c, CONTENT_TYPES.join(' or '));
  const bytes = await readBytes(c, PHOTO_BYTES_MAXIMUM);
  return { contentType, bytes, sha256: sha256Hex(bytes) };
}

/**
 * Store a photo. The object's key is in the list of orphans before the object is written. The commit that adds the row
 * removes the key from the list. So each object has a row or is listed, and each row has its object. A repeat with the
 * same idempotency key returns the first photo, and its own object is deleted. The object also has the thumbnail, after
 * the photo. A wrong thumbnail is dropped, because the photo is the evidence.
 * @throws 400 `imageInvalid`, and the refusals of `addPhoto`
 */
export async function savePhoto(
  c: AppContext,
  { key, payload, ...submission }: Submission,
  sent: SentPhoto,
  facts: PhotoFacts,
): Promise<Written<StoredPhoto>> {
  await enter(c, PHOTO_MEMORY);
  const { bytes, ...image } = await inTurn(c, () => cleaned(sent));
  const thumbnail = sent.thumbnail && cleanThumbnail(sent.thumbnail, image);
  const database = primary(c);
  const uuid = newUuid();
  const objectKey = photoKey(database.organization, uuid);
  await database.send(addOrphan(database, objectKey, Date.now()));
  let added: string | undefined;
  try {
    const object = thumbnail ? Buffer.concat([bytes, thumbnail]) : bytes;
    const httpMetadata = { contentType: image.contentType };
    await orUnavailable(c, bucketOf(c.env).put(objectKey, object, { httpMetadata }), 'photos');
    const stored = {
      ...image,
      ...{ sizeBytes: bytes.length, thumbnailBytes: thumbnail?.length ?? 0, sha256: sha256Hex(bytes) },
    };
    // A repeat must have the same bytes.
    const repeatable = { ...submission, key, payload: { facts: payload ?? null, sha256: sent.sha256 } };
    const written = await write(c, repeatable, addPhoto, { ...facts, uuid, image: stored });
    added = written.body.uuid;
    return written;
  } finally {
    if (added !== uuid) await discardObjects(c, [objectKey]);
  }
}

/** The image without metadata. @throws 400 if it is not a complete image of its type */
function cleaned({ contentType, bytes }: SentPhoto): CleanImage {
  try {
    return cleanImage(bytes, contentType);
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    return refuse('imageInvalid', `The photo ${error.message}`);
  }
}
