import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { AppContext } from '../../../../core/http/types.ts';
import { refuse, write } from '../../../../core/http/write.ts';
import { discardObjects } from '../../../../dispatch/calibration/objects.ts';
import { deletePhoto } from '../../../../dispatch/photo/commands.ts';
import { typeOfImage } from '../../../../dispatch/photo/image-rules.ts';
import { savePhoto } from '../../../../dispatch/photo/receive.ts';
import { type OwnerType, PHOTO_BYTES_MAXIMUM, PHOTO_KINDS } from '../../../../dispatch/photo/rules.ts';
import { action, type PageContext } from '../../kit/action.ts';
import { confirmDeletion } from '../../kit/deletion.tsx';
import type { ByUuid } from '../../kit/resource.tsx';

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

/** The actions for the photos of the pallet, manifest or shipment in the path. */
export const photoActions = (type: OwnerType) => ({
  addPhoto: action(
    'mark',
    z.object({ kind: z.enum(PHOTO_KINDS), photo: z.hex().length(64) }),
    async ({ c, words, submission }, { uuid }: ByUuid, { kind }) => {
      const bytes = sent.get(c);
      const contentType = bytes && typeOfImage(bytes);
      if (!contentType) refuse('imageInvalid', 'The photo is not a JPEG, PNG or WebP file.');
      const reference = { type, identifier: uuid };
      await savePhoto(
        c,
        submission,
        { contentType, bytes },
        { kind, reference, takenDate: null, gateIdentifier: null },
      );
      return { done: words.t('photo.added') };
    },
  ),
  deletePhoto: action(
    'operate',
    z.object({ photo: z.uuid() }),
    async ({ c, words, submission }, _: ByUuid, { photo }) => {
      const { body } = await write(c, submission, deletePhoto, { uuid: photo });
      await discardObjects(c, [body.objectKey]);
      return { done: words.t('photo.deleted') };
    },
    confirmDeletion('photo', ({ t }) => t('photo.deletion')),
  ),
});

export type PhotoActions = ReturnType<typeof photoActions>;
