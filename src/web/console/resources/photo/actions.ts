import { z } from '@hono/zod-openapi';
import { write } from '../../../../core/http/write.ts';
import { discardObjects } from '../../../../dispatch/calibration/objects.ts';
import { deletePhoto } from '../../../../dispatch/photo/commands.ts';
import { savePhoto } from '../../../../dispatch/photo/receive.ts';
import { type OwnerType, PHOTO_KINDS } from '../../../../dispatch/photo/rules.ts';
import { action } from '../../../ui/confirm/action.ts';
import { confirmDeletion } from '../../../ui/confirm/deletion.tsx';
import { sentPhoto } from '../../../ui/confirm/photo-file.ts';
import type { ByUuid } from '../../../ui/page/resource.tsx';

/** The actions for the photos of the pallet, manifest or shipment in the path. */
export const photoActions = (type: OwnerType) => ({
  addPhoto: action(
    'mark',
    z.object({ kind: z.enum(PHOTO_KINDS), photo: z.hex().length(64) }),
    async ({ c, words, submission }, { uuid }: ByUuid, { kind }) => {
      const reference = { type, identifier: uuid };
      const facts = { kind, reference, takenDate: null, gateIdentifier: null };
      await savePhoto(c, submission, sentPhoto(c), facts);
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
