import { Buffer } from 'node:buffer';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { typeOfImage } from '../../../dispatch/photo/image-rules.ts';
import type { SentPhoto } from '../../../dispatch/photo/receive.ts';
import { PHOTO_BYTES_MAXIMUM, THUMBNAIL_BYTES_MAXIMUM } from '../../../dispatch/photo/rules.ts';
import type { PageContext } from './action.ts';

/** The files of forms by their request. */
const sent = new WeakMap<AppContext, Partial<Omit<SentPhoto, 'contentType'>>>();

const keep = (c: AppContext, files: Partial<SentPhoto>) => sent.set(c, { ...sent.get(c), ...files });
const bufferOf = (file: Uint8Array) => Buffer.from(file.buffer, file.byteOffset, file.length);

/** The part of a page that takes photos: its file fields, and the size of its forms. */
export const TAKES_PHOTOS = {
  formBytesMaximum: PHOTO_BYTES_MAXIMUM + THUMBNAIL_BYTES_MAXIMUM + 64 * 1024,
  files: {
    /** The hash is the value of the form, so that a repeat must have the same bytes. */
    async photo({ c }: PageContext, file: Uint8Array) {
      const bytes = bufferOf(file);
      const sha256 = sha256Hex(bytes);
      keep(c, { bytes, sha256 });
      return { photo: sha256 };
    },
    /** The script of a page draws it. It is no value of the form, so a repeat may have another one. */
    async thumbnail({ c }: PageContext, file: Uint8Array) {
      keep(c, { thumbnail: bufferOf(file) });
      return {};
    },
  },
};

/** The photo in the form of a request. @throws 400 `imageInvalid` if the form has no photo */
export function sentPhoto(c: AppContext): SentPhoto {
  const { bytes, sha256, thumbnail } = sent.get(c) ?? {};
  const contentType = bytes && typeOfImage(bytes);
  if (!contentType) refuse('imageInvalid', 'The photo is not a JPEG, PNG or WebP file.');
  return { contentType, bytes, sha256: sha256!, thumbnail };
}
