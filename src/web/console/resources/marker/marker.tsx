import type { FC } from 'hono/jsx';
import { MARKER_IMAGE_PATH } from '../../../../dispatch/marker/store.ts';
import { useWords } from '../../../../messages/context.ts';

export const MarkerLink = ({ code }: { code: number }) => <a href={`/app/marker-code/${code}`}>{code}</a>;

export const MarkerImage: FC<{ code: number; size: number }> = ({ code, size }) => (
  <img
    class="marker"
    src={`${MARKER_IMAGE_PATH}/${code}.png`}
    alt={useWords().t('marker.one', { code: String(code) })}
    width={size}
    height={size}
    loading="lazy"
  />
);
