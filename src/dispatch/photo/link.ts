/** The path of public links to photos, before their token. */
export const PHOTO_LINK_PATH = '/public/photo';

/** The public URL of a photo. It works without a key as long as the photo exists. */
export const photoUrl = (origin: string, token: string): string => `${origin}${PHOTO_LINK_PATH}/${token}`;

/** The address of a small version of a photo on the same host. The photo itself is at the same path without the query. */
export const thumbnailPath = (token: string): string => `${PHOTO_LINK_PATH}/${token}?thumbnail=true`;
