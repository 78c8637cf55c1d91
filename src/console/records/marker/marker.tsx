import { MARKER_IMAGE_PATH } from '../../../marker/link.ts';

/** Leads to the page of a marker code. */
export const MarkerLink = ({ code }: { code: number }) => <a href={`/app/marker-code/${code}`}>{code}</a>;

/** The image of a marker code. */
export const MarkerImage = ({ code, size }: { code: number; size: number }) => (
  <img
    class="marker"
    src={`${MARKER_IMAGE_PATH}/${code}.png`}
    alt={`Marker ${code}`}
    width={size}
    height={size}
    loading="lazy"
  />
);
