import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { AppContext } from '../../../core/http/types.ts';
import { refuse } from '../../../core/http/write.ts';
import { typeOfImage } from '../../../dispatch/photo/image-rules.ts';
import type { SentPhoto } from '../../../dispatch/photo/receive.ts';
import { PHOTO_BYTES_MAXIMUM } from '../../../dispatch/photo/rules.ts';
import type { PageContext } from './action.ts';

/** The files of forms by their request. Their hash is the value of the form, so that a repeat must have the same bytes. */
const sent = new WeakMap<AppContext, Buffer>();

/** The part of a page that takes photos: its file field, and the size of its forms. */
export const TAKES_PHOTOS = {
  formBytesMaximum: PHOTO_BYTES_MAXIMUM + 64 * 1024,
  files: {
    async photo({ c }: PageContext, file: Uint8Array) {
      const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
      sent.set(c, bytes);
      return { photo: createHash('sha256').update(bytes).digest('hex') };
    },
  },
};

/** The photo in the form of a request. @throws 400 `imageInvalid` if the form has no photo */
export function sentPhoto(c: AppContext): SentPhoto {
  const bytes = sent.get(c);
  const contentType = bytes && typeOfImage(bytes);
  if (!contentType) refuse('imageInvalid', 'The photo is not a JPEG, PNG or WebP file.');
  return { contentType, bytes };
}
