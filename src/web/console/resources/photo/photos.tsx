import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { write } from '../../../../core/http/write.ts';
import { isoDate } from '../../../../core/lib/time.ts';
import { discardObjects } from '../../../../dispatch/calibration/objects.ts';
import { deletePhoto } from '../../../../dispatch/photo/commands.ts';
import { savePhoto } from '../../../../dispatch/photo/receive.ts';
import { type OwnerType, PHOTO_KINDS } from '../../../../dispatch/photo/rules.ts';
import type { StoredPhoto } from '../../../../dispatch/photo/store.ts';
import { PHOTO_LINK_PATH, thumbnailPath } from '../../../../dispatch/photo/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { confirmDeletion } from '../../../ui/confirm/deletion.tsx';
import { sentPhoto } from '../../../ui/confirm/photo-file.ts';
import { FileField, Form, Select, Submit } from '../../../ui/form/form.tsx';
import type { ByUuid } from '../../../ui/page/resource.tsx';
import { Card, Empty } from '../../../ui/parts/components.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { usePageState, useZone } from '../../../ui/parts/view.ts';

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

type PhotoActions = ReturnType<typeof photoActions>;

/** The maximum number of photos on a page. */
export const PHOTOS_SHOWN = 120;

const THUMBNAIL_PIXELS = 128;

/** The photos of a pallet or a load, and the form that adds one. The browser loads a thumbnail when it comes into view. */
export const Photos: FC<{ at: PageContext; photos: readonly StoredPhoto[]; mayAdd: boolean }> = ({
  at,
  photos,
  mayAdd,
}) => {
  const { t } = useWords();
  const { path } = usePageState();
  return (
    <Card title={t('photo.title')} class="photos" id="photos">
      {photos.length === 0 && <Empty>{t('photo.none')}</Empty>}
      {photos.length > PHOTOS_SHOWN && (
        <p>
          {t('photo.some', { count: PHOTOS_SHOWN })} <a href={`${path}/photos`}>{t('photo.all')}</a>
        </p>
      )}
      <PhotoGrid photos={photos.slice(0, PHOTOS_SHOWN)} mayDelete={at.may('operate')} />
      {mayAdd && at.may('mark') && (
        <Form<PhotoActions> action="addPhoto" class="filters" label={t('photo.add')} multipart>
          <Select
            name="kind"
            label={t('photo.kind')}
            value="LOAD"
            word={(kind: (typeof PHOTO_KINDS)[number]) => t(`photoKind.${kind}`)}
          />
          <FileField
            name="photo"
            label={t('photo.file')}
            hint={t('photo.fileHint')}
            accept="image/jpeg,image/png,image/webp"
          />
          <Submit quiet>{t('photo.add')}</Submit>
        </Form>
      )}
    </Card>
  );
};

/** Thumbnails that open their photos. */
export const PhotoGrid: FC<{ photos: readonly StoredPhoto[]; mayDelete: boolean }> = ({
  photos,
  mayDelete,
}) =>
  photos.length === 0 ? null : (
    <ul>
      {photos.map((photo) => (
        <Photo photo={photo} mayDelete={mayDelete} />
      ))}
    </ul>
  );

const Photo: FC<{ photo: StoredPhoto; mayDelete: boolean }> = ({ photo, mayDelete }) => {
  const { t, time } = useWords();
  const zone = useZone();
  const { uuid, kind, publicToken, ownerIdentifier, author, width, height } = photo;
  const scale = THUMBNAIL_PIXELS / Math.max(width, height);
  const link = `${PHOTO_LINK_PATH}/${publicToken}`;
  return (
    <li>
      <figure>
        <a href={link} target="_blank" rel="noopener">
          <img
            src={thumbnailPath(publicToken)}
            alt={t('photo.alt', { kind: t(`photoKind.${kind}`), thing: ownerIdentifier })}
            width={Math.max(1, Math.round(width * scale))}
            height={Math.max(1, Math.round(height * scale))}
            loading="lazy"
            decoding="async"
          />
        </a>
        <figcaption>
          <strong>{t(`photoKind.${kind}`)}</strong>
          <span>{ownerIdentifier}</span>
          <small>
            {author},{' '}
            {photo.takenDate === null ? (
              t('page.photoUploaded', { time: time(zone, photo.createDate) })
            ) : (
              <Time at={isoDate(photo.takenDate)} />
            )}
          </small>
          {mayDelete && (
            <Ask<PhotoActions> action="deletePhoto" values={{ photo: uuid }} label={t('photo.delete')} quiet>
              <Icon name="closed" />
            </Ask>
          )}
        </figcaption>
      </figure>
    </li>
  );
};
