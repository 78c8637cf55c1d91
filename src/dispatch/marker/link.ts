import { BASE_PATH } from '../../core/http/endpoint.ts';

export const MARKER_IMAGE_PATH = `${BASE_PATH}/marker-code/image`;

/** The public, stable URL of a marker's image. */
export function markerImageUrl(origin: string, markerCode: number): string {
  return `${origin}${MARKER_IMAGE_PATH}/${markerCode}.png`;
}
