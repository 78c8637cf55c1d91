import { objectPrefix } from '../../core/lib/object-prefix.ts';

export const PHOTO_KINDS = ['DAMAGE', 'LOAD', 'SEAL', 'OTHER'] as const;
export type PhotoKind = (typeof PHOTO_KINDS)[number];

/** The types of images that are stored. */
export const CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** The kinds of things that have photos. */
export const OWNER_TYPES = ['TRACK', 'MANIFEST', 'SHIPMENT'] as const;
export type OwnerType = (typeof OWNER_TYPES)[number];

/** How many photos one pallet, manifest or shipment has at most. Each counts only its own photos. */
export const PHOTOS_MAXIMUM: Readonly<Record<OwnerType, number>> = {
  TRACK: 20,
  MANIFEST: 100,
  SHIPMENT: 100,
};

/** Maximum size of an uploaded photo, in bytes. */
export const PHOTO_BYTES_MAXIMUM = 5 * 1024 * 1024;
/** Maximum size of a thumbnail, in bytes, and its longer side in pixels. */
export const THUMBNAIL_BYTES_MAXIMUM = 48 * 1024;
export const THUMBNAIL_SIDE = 400;

/** The pallet, manifest or shipment that a caller names. */
export interface PhotoReference {
  type: OwnerType;
  identifier: string;
}

/** The key of the object with the bytes of a photo. */
export const photoKey = (organization: string, uuid: string): string =>
  `${objectPrefix(organization)}photo/${uuid}`;
