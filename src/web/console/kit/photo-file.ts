import { Buffer } from 'node:buffer';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { typeOfImage } from '../../../dispatch/photo/image-rules.ts';
import type { SentPhoto } from '../../../dispatch/photo/receive.ts';
import { PHOTO_BYTES_MAXIMUM } from '../../../dispatch/photo/rules.ts';
import type { PageContext } from './action.ts';

/** The files of forms by their request. Their hash is the value of the form, so that a repeat must have the same bytes. */
const sent = new WeakMap<AppContext, Omit<SentPhoto, 'contentType'>>();

/** The part of a page that takes photos: its file field, and the size of its forms. */
export const TAKES_PHOTOS = {
  formBytesMaximum: PHOTO_BYTES_MAXIMUM + 64 * 1024,
  files: {
    async photo({ c }: PageContext, file: Uint8Array) {
      const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
      const sha256 = sha256Hex(bytes);
      sent.set(c, { bytes, sha256 });
      return { photo: sha256 };
    },
  },
};

/** The photo in the form of a request. @throws 400 `imageInvalid` if the form has no photo */
export function sentPhoto(c: AppContext): SentPhoto {
  const file = sent.get(c);
  const contentType = file && typeOfImage(file.bytes);
  if (!contentType) refuse('imageInvalid', 'The photo is not a JPEG, PNG or WebP file.');
  return { contentType, ...file };
}
