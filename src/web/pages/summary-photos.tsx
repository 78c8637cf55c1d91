import { isoDate } from '../../core/lib/time.ts';
import { PHOTO_LINK_PATH, thumbnailPath } from '../../dispatch/photo/store.ts';
import { useWords } from '../../messages/context.ts';
import { GivenText } from './public-page.tsx';
import { PHOTOS_SHOWN_MAXIMUM, type Summary } from './read-load.ts';

/** The photos of the load, its manifests and its pallets. The browser loads them when they come into view. */
export const Photos = ({ summary: { photos: read = [] }, zone }: { summary: Summary; zone: string }) => {
  const { t, time } = useWords();
  if (read.length === 0) return null;
  const photos = read.slice(0, PHOTOS_SHOWN_MAXIMUM);
  return (
    <section aria-labelledby="photos">
      <h2 id="photos">{t('page.photos')}</h2>
      {read.length > photos.length && <p>{t('page.photosSome', { count: photos.length })}</p>}
      <ul class="photos">
        {photos.map(({ publicToken, kind, ownerIdentifier, width, height, takenDate, createDate }) => {
          const link = `${PHOTO_LINK_PATH}/${publicToken}`;
          const name = `${t(`photoKind.${kind}`)}, ${ownerIdentifier}`;
          return (
            <li>
              <a href={link}>
                <img
                  src={thumbnailPath(publicToken)}
                  alt={name}
                  width={width}
                  height={height}
                  loading="lazy"
                  decoding="async"
                />
              </a>
              <p>
                {t(`photoKind.${kind}`)}, <GivenText>{ownerIdentifier}</GivenText>
                <br />
                <time datetime={isoDate(takenDate ?? createDate)}>
                  {takenDate === null
                    ? t('page.photoUploaded', { time: time(zone, createDate) })
                    : t('page.photoTaken', { time: time(zone, takenDate) })}
                </time>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
